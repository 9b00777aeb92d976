"""The algorithms of the papers, and baselines."""
