"""Hardness reductions: instances made of instances of other problems, and back."""
