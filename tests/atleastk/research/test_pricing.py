"""The price of restrictions, against optima by definition."""

from dataclasses import replace

import pytest

import atleastk
from atleastk.instances.fields.errors import (
    NoAnswerError,
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.research import pricing
from atleastk.research.claims.aggarwal10.section_3_cellular import least_costs
from atleastk.research.pricing import RESTRICTIONS, Overlapping, price
from atleastk.runs.registry import PROBLEMS

SMALL = {
    "connectivity": ("grid", {"rows": 2, "columns": 4, "parts": 3}),
    "order": ("uniform", {"n": 7, "k": [60, 90]}),
    "straight-cuts": ("full-lattice", {"rows": 3, "columns": 3, "parts": 3}),
    "members": ("uniform", {"n": 7}),
    "disjointness": ("uniform", {"n": 7, "r": [2, 3], "facility": [0, 50]}),
    "suppression": ("trees", {"n": 6, "m": 2, "k": 2, "loss": ["height", "precision"]}),
}


def least_cover(instance):
    """Return the least cost of clusters that hold all points, by all of them."""
    distances = instance.space.matrix.tolist()
    fees = instance.facility_costs or [0] * instance.n
    _, shared = least_costs(
        distances, fees, instance.r, lambda far: len(far) * max(far)
    )
    return shared


def by_definition(instance):
    if isinstance(instance, Overlapping):
        return least_cover(instance.instance)
    found = PROBLEMS[instance.problem].optimum(instance)
    return found[0] if isinstance(found, tuple) else found


@pytest.mark.parametrize("restriction", RESTRICTIONS)
def test_both_optima_are_those_by_definition(restriction):
    family, parameters = SMALL[restriction]
    found = price(restriction, family, seeds=4, **parameters)
    assert found.each
    _, pair_of = RESTRICTIONS[restriction]
    for one in found.each:
        with_it, without = map(by_definition, pair_of(one.instance))
        assert (one.restricted, one.free) == (with_it, without)
        assert one.ratio >= 1
    assert found.worst.ratio >= found.mean >= 1
    assert str(found).startswith(f"price of {restriction}: {len(found.each)} inst")


def test_a_path_that_has_to_join_its_ends():
    """Ends of 1 and a middle of 2: bins are 2 and 2, connected parts weigh 4."""
    path = atleastk.ConnectedPartition([1, 2, 1, 0], [[0, 1], [1, 2], [2, 3]], 2)
    (one,) = price("connectivity", path).each
    assert (one.restricted, one.free, one.ratio) == (4, 2, 2.0)


def test_maps_without_a_connected_solution_are_told():
    apart = atleastk.ConnectedPartition([1, 1], [], 2)
    found = price("connectivity", [apart])
    assert (found.each, found.impossible) == ([], [apart])
    with pytest.raises(NoAnswerError, match="1 without a solution under it"):
        _ = found.worst


def test_what_has_no_price_is_told():
    with pytest.raises(UnknownNameError, match='is called "width"; known are connect'):
        price("width", [])
    with pytest.raises(NotApplicableError, match="of connected-partition, not bin-cov"):
        price("connectivity", atleastk.BinCovering([1], 1))
    loss = {"on": "attributes", "loss": "discernibility"}
    few = atleastk.generate("generalization", "trees", 0, n=4, **loss)
    with pytest.raises(NotApplicableError, match="height and precision only"):
        price("suppression", few)


def test_a_price_below_1_is_an_error(monkeypatch):
    problems, pair_of = RESTRICTIONS["order"]
    swapped = {"order": (problems, lambda instance: pair_of(instance)[::-1])}
    monkeypatch.setattr(pricing, "RESTRICTIONS", swapped)
    with pytest.raises(WrongAnswerError, match="with order, below"):
        price("order", atleastk.IntervalCovering([1, 2, 1], 2))


def test_two_clusters_that_share_a_point_cost_less():
    """Seven points are one cluster of radius 2, or two of four points and radius 1."""
    places = [0, 1, 1, 2, 3, 3, 4]
    distances = [[abs(a - b) for b in places] for a in places]
    seven = atleastk.CellularClustering(distances=distances, r=4)
    (one,) = price("disjointness", seven).each
    assert (one.restricted, one.free) == (14, 8)
    (one,) = price("disjointness", replace(seven, max_clusters=1)).each
    assert (one.restricted, one.free) == (14, 14)
    with pytest.raises(NotApplicableError, match="leave none out"):
        price("disjointness", replace(seven, max_outliers=1))
