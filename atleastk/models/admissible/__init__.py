"""Admissible groups, and oracles that find the most valuable one."""
