import random

import numpy as np

from atleastk.instances.r_gather import RGather
from atleastk.solvers.r_gather.algorithms.cores import core_levels


def core(distances, threshold, r):
    left = set(range(len(distances)))
    while True:
        few = {p for p in left if sum(distances[p][q] <= threshold for q in left) < r}
        if not few:
            return left
        left -= few


def test_levels_say_which_cores_hold_a_point():
    rng = random.Random(1)
    compared = 0
    for _ in range(400):
        n, r = rng.randint(1, 14), rng.randint(1, 5)
        high = rng.choice([3, 9, 1000])
        points = [[rng.randrange(high)] for _ in range(n)]
        space = RGather(points=points, metric="manhattan", r=r).space
        most = rng.randrange(n)
        levels = core_levels(space, r, most)
        distances = space.matrix.tolist()
        steps = np.unique(space.matrix).tolist()
        large = [d for d in steps if len(core(distances, d, r)) >= n - most]
        if not large:
            assert n - most < r
            continue
        assert levels.min() == large[0]
        for d in large:
            compared += 1
            held = set(np.flatnonzero(levels <= d).tolist())
            assert held == core(distances, d, r), (points, r, most, d)
    assert compared > 1000
