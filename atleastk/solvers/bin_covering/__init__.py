"""Bin covering: the parts that its exact methods are made of."""
