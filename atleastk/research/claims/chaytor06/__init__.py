"""The claims of [Chaytor06]: suppression that preserves use, and its web of reductions.

[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006.
"""
