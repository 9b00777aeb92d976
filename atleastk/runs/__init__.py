"""One run, from its request to the checked result."""
