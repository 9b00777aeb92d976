"""The parts of the solver of k-ambiguity."""
