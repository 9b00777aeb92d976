"""Standard sizes: exact methods, first answers and algorithms."""
