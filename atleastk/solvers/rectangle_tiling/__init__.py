"""Rectangle tiling: how it is solved."""
