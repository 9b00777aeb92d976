"""One run, from what is asked to the checked result."""
