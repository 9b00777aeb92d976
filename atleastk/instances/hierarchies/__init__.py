"""Hierarchies of values: levels, files, rules and words for them."""
