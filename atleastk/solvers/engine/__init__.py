"""What the solvers of several problems share."""
