"""Pair partition: exact methods, first answers and algorithms."""
