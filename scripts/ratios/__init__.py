"""What compares algorithms with optima."""
