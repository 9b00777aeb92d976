"""Parts of the solver of cellular clustering."""
