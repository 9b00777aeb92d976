"""atleastk/cli."""
