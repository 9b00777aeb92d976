"""What it means: cost, check, bounds, admissible groups, encodings, guarantees."""
