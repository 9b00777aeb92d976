"""Encodings: linear models over bounded integers, with the way back to groups."""
