"""Anonymising tables: what is asked, done, published and reported."""
