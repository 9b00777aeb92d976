import random
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from math import inf
from time import sleep

import numpy as np
import pytest

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition import branching as module
from atleastk.solvers.engine.set_partition.branching import Branching
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.listed import listed_model
from atleastk.solvers.engine.set_partition.oracle import Frame, scale_for


def least(groups, costs, left, clusters, outliers):
    if not left:
        return 0
    first, found = min(left), []
    if outliers:
        found.append(least(groups, costs, left - {first}, clusters, outliers - 1))
    if clusters:
        for group, cost in zip(groups, costs, strict=True):
            if first in group and group <= left:
                rest = least(groups, costs, left - group, clusters - 1, outliers)
                found.append(None if rest is None else rest + cost)
    return min((cost for cost in found if cost is not None), default=None)


@pytest.mark.parametrize("core", [2, module._CORE])
@pytest.mark.parametrize("unit", [1, 2**40])
@pytest.mark.parametrize(("seed", "workers"), [*product(range(6), [1]), (6, 3)])
def test_against_all_choices(seed, workers, unit, core, monkeypatch):
    """Linear programs begin with all columns, or with two and take two at a time."""
    monkeypatch.setattr(module, "_CORE", core)
    monkeypatch.setattr(module, "_ENTERING", core)
    rng, solved = random.Random(seed), 0
    for _ in range(20):
        n = rng.randint(2, 9)
        sets = {
            frozenset(rng.sample(range(n), rng.randint(1, min(n, 4))))
            for _ in range(rng.randint(1, 40))
        }
        groups = sorted(sets, key=sorted)
        costs = [len(group) * rng.randint(10, 14) * unit for group in groups]
        most, outliers = rng.choice([None, 2, 3]), rng.choice([0, 0, 1, 2])
        demand = np.ones(n, dtype=np.int64)
        listed = Groups.listed(n, [sorted(g) for g in groups], costs)
        best = least(groups, costs, frozenset(range(n)), most or n, outliers)
        limit = rng.choice([11 * n, 13 * n, 1000]) * unit
        frame = Frame(demand, scale_for(n, limit), limit, 0, most, outliers)
        found, bounds = [], []
        triples = np.zeros((0, 3), dtype=np.int64)
        model = listed_model(frame, listed, triples, limit)
        known = limit + rng.choice([0, 0, 40]) * unit
        branching = Branching(frame, listed, model, known, found.append, bounds.append)
        effort = rng.choice([None, 0])
        while not branching.run(Budget(workers=workers), effort):
            assert effort == 0
        expected = limit if best is None else min(best, limit)
        assert branching.limit == max(bounds) == expected
        paid = [sum(costs[g] for g in choice) for choice in found]
        if workers > 1:  # two threads may report in any order
            paid.sort(reverse=True)
        assert paid == sorted(paid, reverse=True)
        assert len(paid) == len(set(paid))
        assert all(cost < known for cost in paid)
        if expected < limit:
            assert paid[-1] == expected
            solved += 1
    assert solved >= 5


def test_a_worker_waits_for_nodes_of_others_when_those_left_are_over():
    groups = Groups.listed(2, [[0], [1], [0, 1]], [3, 3, 5])
    frame = Frame(np.ones(2, dtype=np.int64), 4, 9)
    model = listed_model(frame, groups, np.zeros((0, 3), dtype=np.int64), 9)
    branching = Branching(frame, groups, model, 9, lambda _: None, lambda _: None)
    (first,) = branching._nodes
    branching._nodes = [(4 * 9, 0, first[2])]
    branching._busy.append(0)  # another worker is at work
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(branching._next, inf, Budget())
        while branching._nodes:
            sleep(0.001)
        with branching._turn:
            branching._nodes.append(first)
            branching._busy.clear()
            branching._turn.notify_all()
        assert found.result() is first[2]
