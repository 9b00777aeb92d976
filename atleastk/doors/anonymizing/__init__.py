"""Anonymising tables: requests, runs, published tables and reports."""
