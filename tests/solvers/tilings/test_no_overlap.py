from dataclasses import replace

from known import RING
from searching import search_of

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import tiling_of
from atleastk.solvers.rectangle_tiling.first import first_answers
from atleastk.solvers.tilings.no_overlap import minimise_no_overlap, refuses
from atleastk.solvers.tilings.stages import begin


def solved(instance):
    tiling = tiling_of(instance)
    assert refuses(tiling) is None
    search = search_of(instance)
    if begin(search, tiling, first_answers, "test"):
        minimise_no_overlap(search, tiling, "test")
    assert search.closed
    return search.cost


def test_a_ring_has_a_cheaper_packing():
    """A pinwheel with a hole costs 4, no tiling of the plane does."""
    assert solved(RectangleTiling(RING, 4, "points")) == 4


def test_refusals():
    tiling = tiling_of(RectangleTiling(RING, 4))
    assert refuses(tiling) is None
    assert "2**31" in refuses(replace(tiling, total=2**31 + 1))
    assert "too many" in refuses(replace(tiling, most=10**5))
