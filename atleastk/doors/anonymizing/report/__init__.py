"""What a run on a table reports: risk, use, limits, levels; a page of it."""
