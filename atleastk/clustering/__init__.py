"""atleastk/clustering."""
