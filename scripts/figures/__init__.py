"""What reproduces the figures of the papers."""
