"""Tables of diversity on entries, drawn at random, with their optima."""

import random

from atleastk.solvers.brute_force.diversity import optimum
from scripts.sweeps.drawn_tables import random_diversity


def solved_tables(seed, most_rows, least_rows):
    """Yield instances that have a solution, each with what the best one costs."""
    rng = random.Random(seed)
    while True:
        instance = random_diversity(rng, most_rows, least_rows)
        best = optimum(instance) if instance.on == "entries" else None
        if best is not None:
            yield instance, best
