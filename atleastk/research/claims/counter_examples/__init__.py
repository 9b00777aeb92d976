"""Counter-examples to claims as printed: a module for each paper, a function for each.

They need the standard library only, and nothing of the package.
"""
