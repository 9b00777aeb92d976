"""Bin covering: how it is solved."""
