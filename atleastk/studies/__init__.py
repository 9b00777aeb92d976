"""Studies: algorithms and exact methods on many instances, and what came of them."""
