"""Generators: families of instances, each drawn from a seed."""
