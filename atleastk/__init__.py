"""Exact optima for partitioning items into groups of at least k, at least cost."""
