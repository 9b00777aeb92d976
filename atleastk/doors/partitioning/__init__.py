"""Districts of maps and graphs."""
