import random

import numpy as np
import pytest
from searching import searched

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import check
from atleastk.solvers.rectangle_tiling import auto
from atleastk.solvers.rectangle_tiling.algorithms.catalogue import ALGORITHMS


def by_halves(points, k):
    """Return the cost of ten lines: halve the weight where both sides keep k."""
    cost, left = 0, [np.array(points)]
    while left:
        box = left.pop()
        cuts = []
        for axis in (0, 1):
            for line in np.unique(box[:, axis])[1:]:
                low = box[:, axis] < line
                sides = box[low][:, 2].sum(), box[~low][:, 2].sum()
                if min(sides) >= k:
                    cuts.append((max(sides), axis, line))
        if cuts:
            _, axis, line = min(cuts)
            left += [box[box[:, axis] < line], box[box[:, axis] >= line]]
        else:
            cost = max(cost, int(box[:, 2].sum()))
    return cost


@pytest.mark.parametrize(
    ("cover", "guillotine"), [("plane", False), ("plane", True), ("points", False)]
)
def test_it_begins_as_well_as_what_is_cheap(cover, guillotine, monkeypatch):
    monkeypatch.setattr(auto, "STAGES", auto.STAGES[:-2])
    rng = random.Random(4)
    for _ in range(25):
        n, side = rng.choice([(6, 3), (20, 9), (60, 500)])
        points = [
            (rng.randrange(side), rng.randrange(side), rng.randint(1, 9))
            for _ in range(n)
        ]
        k = max(1, sum(weight for _, _, weight in points) // rng.randint(1, 9))
        instance = RectangleTiling(points, k, cover, guillotine)
        search = searched(auto.solve, instance)
        assert search.cost <= by_halves(points, k), instance
        for algorithm in ALGORITHMS:
            assert search.cost <= check(instance, algorithm.run(instance, 0)).cost, (
                instance
            )
