"""Certifying: solvers find the certificates that models/ can check without them."""
