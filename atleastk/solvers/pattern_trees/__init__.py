"""Branch and bound over assignments of rows to patterns, for certificates of tables."""
