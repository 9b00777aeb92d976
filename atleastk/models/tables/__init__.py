"""Measures of tables: anonymity, risk, information; patterns and row deletion."""
