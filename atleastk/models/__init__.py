"""Models: cost, checks, bounds, admissible groups, encodings, certificates, proofs."""
