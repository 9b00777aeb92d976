import random
from dataclasses import replace

from searching import search_of

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import tiling_of
from atleastk.solvers.brute_force.rectangle_tiling import optimum
from atleastk.solvers.rectangle_tiling.first import first_answers
from atleastk.solvers.tilings.no_overlap import minimise_no_overlap, refuses
from atleastk.solvers.tilings.stages import begin

RING = [(x, y, 1) for x in range(5) for y in range(5) if not (0 < x < 4 and 0 < y < 4)]


def solved(instance):
    tiling = tiling_of(instance)
    assert refuses(tiling) is None
    search = search_of(instance)
    if begin(search, tiling, first_answers, "test"):
        minimise_no_overlap(search, tiling, "test")
    assert search.closed
    return search.cost


def test_tilings_and_packings_of_points_against_the_judge():
    rng = random.Random(1)
    feasible = 0
    for _ in range(40):
        points = [
            (rng.randrange(4), rng.randrange(3), rng.choice([0, 1, 1, 2, 5, 9]))
            for _ in range(rng.randint(1, 8))
        ]
        k, cover = rng.randint(1, 5), rng.choice(["plane", "points"])
        instance = RectangleTiling(points, k, cover)
        best = optimum(instance)
        feasible += best is not None
        assert solved(instance) == (None if best is None else best[0]), instance
    assert 20 < feasible < 40


def test_a_ring_has_a_cheaper_packing():
    """A pinwheel with a hole costs 4, no tiling of the plane does."""
    assert solved(RectangleTiling(RING, 4, "points")) == 4


def test_refusals():
    tiling = tiling_of(RectangleTiling(RING, 4))
    assert refuses(tiling) is None
    assert "2**31" in refuses(replace(tiling, total=2**31 + 1))
    assert "too many" in refuses(replace(tiling, most=10**5))
