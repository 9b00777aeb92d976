"""What is counted of tables: anonymity, patterns, rows, risk, information."""
