"""solvers/interval_covering."""
