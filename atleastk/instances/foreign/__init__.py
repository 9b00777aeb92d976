"""Readers of the files in which other libraries keep their instances."""
