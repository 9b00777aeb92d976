"""One core for tables."""
