"""How long a test waits for what is sure to come: only one that fails does."""

PATIENCE = 600.0
"""Seconds; on a busy machine a process may take a minute to begin."""
