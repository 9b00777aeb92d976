import random

import pytest

import atleastk
from atleastk import NotApplicableError, RectangleTiling, Status
from atleastk.instances.generators.rectangle_tiling import FAMILIES
from atleastk.solvers.rectangle_tiling.methods import METHODS, solve
from atleastk.solvers.tilings import stages

NAMES = ["auto", *(method.name for method in METHODS)]
MADE = {family.name: family.make for family in FAMILIES}


def run_named(name):
    return next((method.run for method in METHODS if method.name == name), solve)


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_methods_agree(cover):
    instance = MADE["lattice"](2, n=20, side=6, parts=5, cover=cover)
    names = ["auto", "corner", "corner-highs", "skyline"]
    results = [atleastk.solve(instance, method=name) for name in names]
    assert {result.status for result in results} == {Status.OPTIMAL}
    assert len({result.cost for result in results}) == 1


def test_one_worker_is_deterministic():
    instance = MADE["uniform"](3, n=25, parts=6)
    first, second = (atleastk.solve(instance, workers=1, seed=5) for _ in range(2))
    assert first.status is second.status is Status.OPTIMAL
    assert first.solution == second.solution


def test_two_workers():
    instance = MADE["lattice"](1, n=40, side=9, parts=8)
    costs = {atleastk.solve(instance, workers=workers).cost for workers in (1, 2)}
    assert len(costs) == 1


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


def test_refusals_say_why():
    large = MADE["uniform"](1, n=80)
    with pytest.raises(NotApplicableError, match="80 x 80 cells have 10497600 boxes"):
        atleastk.solve(large, method="corner")
    straight = MADE["ring"](0, guillotine=1)
    with pytest.raises(NotApplicableError, match="straight cuts"):
        atleastk.solve(straight, method="cells")
    with pytest.raises(NotApplicableError, match="straight cuts"):
        atleastk.solve(MADE["ring"](0), method="guillotine")
