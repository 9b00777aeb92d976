import random

import numpy as np
import pytest

from atleastk.instances.r_gather import RGather
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.neighbourhoods import neighbourhoods
from atleastk.solvers.r_gather import windows
from atleastk.solvers.r_gather.annealing import Limits, annealed
from atleastk.solvers.r_gather.flow import fill
from atleastk.solvers.r_gather.windows import Windows


def missing_of(instance, balls, centres, opened):
    """Return how many points are in no ball, and how many clusters lack."""
    chosen = balls.chosen(opened)
    own = centres[opened] if instance.centres == "member" else None
    home = fill(chosen, instance.n, instance.r, own).home
    bare = instance.n - len(np.unique(chosen.points))
    return bare, len(opened) * instance.r - int((home >= 0).sum())


@pytest.mark.parametrize("reading", ["input", "member"])
@pytest.mark.parametrize("limited", [False, True])
def test_windows_miss_less(monkeypatch, reading, limited):
    monkeypatch.setattr(windows, "_POINTS", 24)  # six clusters of four
    rng = random.Random(5)
    served = bettered = 0
    for seed in range(60):
        points = [[rng.randint(0, 20), rng.randint(0, 20)] for _ in range(80)]
        limits = {"max_outliers": rng.choice([0, 5]), "centres": reading}
        if limited:
            limits["max_clusters"] = 15
        instance = RGather(points=points, metric="manhattan", r=4, **limits)
        near = neighbourhoods(instance.space, 4)
        centres, balls = near.candidates(near.limit, instance.r)
        if len(centres) < 10:
            continue
        asked, dice = Limits.of(instance), np.random.default_rng(seed)
        begin = np.arange(0, dtype=np.int64)
        whole, n = (balls, centres), instance.n
        before, opened = annealed(*whole, begin, n, asked, 0.5, 100, dice, Budget.of())
        found = Windows(instance.space, *whole, opened, asked)
        assert found.missing == before
        found.repair(20_000, dice, Budget.of())
        assert len(found.opened) <= instance.most_clusters
        bare, lacking = missing_of(instance, *whole, found.opened)
        assert max(0, bare - instance.max_outliers) + lacking <= found.missing
        if before:
            bettered += found.missing < before
            served += found.missing == 0
    assert bettered > 30
    assert served > 20
