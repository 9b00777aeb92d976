"""Instances, their formats, generators, reductions and data sets."""
