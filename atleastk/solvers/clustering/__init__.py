"""Parts of the solver of r-gather."""
