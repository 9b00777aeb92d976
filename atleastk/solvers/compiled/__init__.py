"""Compilation with numba, and what compiled loops share."""
