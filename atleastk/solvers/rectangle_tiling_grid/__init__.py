"""RTILE: how it is solved."""
