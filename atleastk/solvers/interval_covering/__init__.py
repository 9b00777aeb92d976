"""Interval covering: how it is solved."""
