"""Counter-examples, each a program of the standard library.

Every one holds its witness, computes what the claim says of it by plain enumeration,
and ends with code 0 if the claim fails there.
"""
