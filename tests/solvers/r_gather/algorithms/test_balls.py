import random

import numpy as np

from atleastk.instances.r_gather import RGather
from atleastk.solvers.clustering.neighbourhoods import nearest
from atleastk.solvers.r_gather.algorithms import balls as gather_balls
from atleastk.solvers.r_gather.algorithms.balls import gathered_in_balls

UP_AND_DOWN = [
    [0, 5, 2, 7, 8],
    [5, 0, 7, 2, 4],
    [2, 7, 0, 6, 9],
    [7, 2, 6, 0, 6],
    [8, 4, 9, 6, 0],
]


def succeeds(space, threshold, r, most, order):
    trial = gather_balls._try(space, threshold, r, most, order)
    assert trial.floor <= threshold < trial.ceiling
    return trial.clusters is not None


def test_success_is_not_monotone():
    """Five points, r = 2, by index: 4 succeeds, 5 does not, and all above do."""
    space = RGather(distances=UP_AND_DOWN, r=2).space
    order = np.arange(5)
    found = [succeeds(space, d, 2, 2, order) for d in (4, 5, 6, 7, 8, 9)]
    assert found == [True, False, True, True, True, True]
    assert int(nearest(space, 2).max()) == 4


def test_the_distance_before_fails():
    rng = random.Random(1)
    for _ in range(200):
        n, r = rng.randint(2, 12), rng.randint(1, 3)
        high = rng.choice([9, 1000])
        points = [[rng.randrange(high) for _ in range(2)] for _ in range(n)]
        instance = RGather(points=points, r=r)
        space, most = instance.space, rng.randint(1, max(1, n // r))
        order = np.array(rng.sample(range(n), n))
        clusters = gathered_in_balls(space, r, most, order)
        if clusters is None:
            assert n < r
            continue
        assert len(clusters.centres) <= most
        assert clusters.sizes.min() >= r
        assert clusters.sizes.sum() == n
        least = int(nearest(space, r).max())
        steps = np.unique(np.append(space.matrix, least))
        steps = steps[steps >= least].tolist()
        fine = [succeeds(space, d, r, most, order) for d in steps]
        radius = max(
            space.row(c)[clusters.home == i].max()
            for i, c in enumerate(clusters.centres.tolist())
        )
        ends = [d for i, d in enumerate(steps) if fine[i] and not any(fine[i - 1 : i])]
        assert any(radius <= d for d in ends)
        assert radius <= max(ends)
        same = [gather_balls._try(space, d, r, most, order).clusters for d in ends]
        assert any(np.array_equal(clusters.home, s.home) for s in same)
