"""Data sets of the papers, as instances."""
