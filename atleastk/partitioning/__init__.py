"""atleastk/partitioning."""
