"""Distances: metric spaces and graphs."""
