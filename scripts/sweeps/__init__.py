"""What hunts for mistakes: random instances, every method, a judge."""
