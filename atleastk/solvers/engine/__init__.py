"""solvers/engine."""
