"""Tables of diversity on entries, drawn at random, with their optima."""

import random
from importlib import import_module

from atleastk.solvers.brute_force.diversity import optimum


def solved_tables(seed, most_rows, least_rows):
    """Yield instances that have a solution, each with what the best one costs."""
    sweep = import_module("scripts.sweeps.drawn_tables")
    rng = random.Random(seed)
    while True:
        instance = sweep.random_diversity(rng, most_rows, least_rows)
        best = optimum(instance) if instance.on == "entries" else None
        if best is not None:
            yield instance, best
