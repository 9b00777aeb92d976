"""Parts of the solver of generalisation on attributes: the lattice of levels."""
