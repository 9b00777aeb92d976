import random

import atleastk
from atleastk import RectangleTiling
from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.solvers.tilings import stages

MADE = {family.name: family.make for family in FAMILIES}


def test_grids_beyond_memory():
    rng = random.Random(1)
    points = [(rng.random(), rng.random(), 1) for _ in range(5_000)]
    for cover in ("plane", "points"):
        result = atleastk.solve(RectangleTiling(points, 3, cover=cover))
        assert result.bound == 4
        assert result.cost <= 5


def test_grids_beyond_dynamic_programs(monkeypatch):
    monkeypatch.setattr(stages, "_MOST_CELLS", 1_000_000)
    instance = MADE["uniform"](0, n=1_200, parts=60)
    result = atleastk.solve(instance)
    assert not atleastk.check(instance, result.solution).violations
    assert result.cost < 1.15 * result.bound
