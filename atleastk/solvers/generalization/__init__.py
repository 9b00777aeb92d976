"""Generalisation: how it is solved."""
