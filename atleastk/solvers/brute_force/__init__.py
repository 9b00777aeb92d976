"""Judges: plain enumeration, sharing nothing with what it judges."""
