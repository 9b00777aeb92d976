"""What times solvers, and holds them against targets and each other."""
