"""What is to be solved: instances, their formats, generators, reductions and data."""
