"""r-gather: how it is solved."""
