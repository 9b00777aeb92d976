"""Groups of column generation: bounds that hold, and solutions that are feasible."""

import random
from importlib import import_module

from atleastk.models.diversity import check
from atleastk.solvers.brute_force.diversity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.methods import weighed
from atleastk.solvers.search import Search


def test_random_tables_of_all_readings():
    """Bounds never exceed the optimum, and most of the tables are closed."""
    sweep = import_module("scripts.sweeps.drawn_tables")
    rng = random.Random(8)
    judged = closed = 0
    while judged < 60:
        instance = sweep.random_diversity(rng, 7, 2)
        best = optimum(instance) if instance.on == "entries" else None
        if best is None:
            continue
        judged += 1
        search = Search(instance, check, Budget())
        begin(search, "start")
        weighed(search, Budget())
        assert search.bound <= best <= search.cost, instance.to_dict()
        closed += search.bound == search.cost
    assert closed >= 45
