"""Rows of a table in batches of at least so much: orders, parcels, samples."""
