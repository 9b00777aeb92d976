"""Diversity: how it is solved."""
