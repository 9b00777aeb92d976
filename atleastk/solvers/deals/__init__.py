"""Trees of weights that refute all deals of rows to patterns; shared by tables."""
