"""Parts of the solver of connected partition."""
