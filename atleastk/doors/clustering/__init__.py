"""Clusters in place of the rows of a table."""
