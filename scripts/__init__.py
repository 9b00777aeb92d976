"""What hunts for mistakes, makes data and times solvers; run as modules."""
