"""Results: solutions, statuses, costs, guarantees."""
