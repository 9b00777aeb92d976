import random

import numpy as np
import pytest
from scipy.optimize import linprog

from atleastk.instances.r_gather import RGather
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather.opening_lp import Openings


def random_instance(rng, n):
    return RGather(
        points=[[rng.randint(0, 9), rng.randint(0, 9)] for _ in range(n)],
        metric="manhattan",
        r=rng.randint(2, 5),
        max_clusters=rng.choice([None, None, 2]),
        centres=rng.choice(["input", "member"]),
    )


def uncovered(instance, radius):
    """Return the least sum of u, with a variable for every point of every ball."""
    n, inside = instance.n, instance.space.matrix <= radius
    centres = np.flatnonzero(inside.sum(axis=1) >= instance.r)
    m = len(centres)
    pairs = [(c, p) for c in range(m) for p in np.flatnonzero(inside[centres[c]])]
    width = m + len(pairs) + n
    least = []
    for c in range(m):
        row = np.zeros(width)
        row[c] = instance.r
        row[[m + i for i, pair in enumerate(pairs) if pair[0] == c]] = -1
        least.append(row)
    for i, (c, p) in enumerate(pairs):
        row = np.zeros(width)
        row[c], row[m + i] = -1, 1
        least.append(row)
        if instance.centres == "member" and centres[c] == p:
            least.append(-row)
    row = np.zeros(width)
    row[:m] = 1
    equal = np.zeros((n, width))
    for i, (_, p) in enumerate(pairs):
        equal[p, m + i] = 1
    equal[np.arange(n), m + len(pairs) + np.arange(n)] = 1
    most = [*np.zeros(len(least)), instance.most_clusters]
    cost = np.repeat([0.0, 1.0], [m + len(pairs), n])
    answer = linprog(cost, [*least, row], most, equal, np.ones(n))
    assert answer.status == 0
    return answer.fun


def test_rows_for_sets_are_as_good_as_assigning():
    rng = random.Random(1)
    cut = fractional = 0
    for _ in range(130):
        instance = random_instance(rng, rng.randint(8, 14))
        radius = rng.randint(2, 4)
        openings = Openings(instance, radius, neighbourhoods(instance.space, radius))
        budget = Budget.of()
        first = shares = openings.solve(budget)
        while openings.cut(shares.opened):
            shares = openings.solve(budget)
        value = uncovered(instance, radius)
        assert shares.uncovered == pytest.approx(value, abs=1e-6)
        cut += shares.uncovered > first.uncovered + 1e-6
        fractional += abs(value - round(value)) > 1e-6
        assert len(shares.opened) == len(openings.centres)
        dual = shares.weights.sum() - shares.most * instance.most_clusters
        assert dual > value - 1e-6
    assert cut > 5
    assert fractional > 3


def test_a_spent_budget():
    instance = RGather(points=[[0], [1], [2]], metric="manhattan", r=2)
    near = neighbourhoods(instance.space, 1)
    assert Openings(instance, 1, near).solve(Budget.of(0.0)) is None
