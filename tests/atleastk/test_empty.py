"""Without items there is one partition, that into no groups, and it costs 0."""

import pytest

import atleastk
from atleastk import (
    BinCovering,
    CellularClustering,
    ConnectedPartition,
    Diversity,
    Generalization,
    IntervalCovering,
    KAmbiguity,
    KAnonymity,
    NotApplicableError,
    RectangleTiling,
    RectangleTilingGrid,
    RGather,
    Suppression,
)
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.runs import registry
from atleastk.solvers.brute_force import bin_covering as all_bins
from atleastk.solvers.brute_force import interval_covering as all_intervals

CENTRES = ("input", "member", "any")
OBJECTIVES = ("max", "excess", "quadratic")
EMPTY = {
    "bin-covering": [BinCovering([], 3, objective) for objective in OBJECTIVES],
    "interval-covering": [IntervalCovering([], 3, what) for what in OBJECTIVES],
    "k-anonymity": [KAnonymity([], 3)],
    "suppression": [
        Suppression([], 3, minimise=what)
        for what in ("entries", "rows", "columns", "per_row", "per_column", "none")
    ],
    "diversity": [
        Diversity([], 3, [suppression_of([1])], sensitive=[], l=2, t=0),
        Diversity([], 3, [], sensitive=[]),
    ],
    "generalization": [
        Generalization([], 3, []),
        Generalization([], 3, [suppression_of([1])]),
        Generalization([], 3, [suppression_of([1])], "attributes"),
        Generalization([], 3, [suppression_of([1])], "attributes", "discernibility"),
    ],
    "k-ambiguity": [KAmbiguity([], 3)],
    "r-gather": [
        RGather(r=3, points=[], metric="manhattan", centres=where) for where in CENTRES
    ],
    "cellular-clustering": [
        CellularClustering(r=3, points=[], metric="manhattan", centres=where)
        for where in CENTRES
    ],
    "connected-partition": [ConnectedPartition([], [], 3)],
    "rectangle-tiling": [
        RectangleTiling([], 3),
        RectangleTiling([], 3, "points"),
        RectangleTiling([], 3, guillotine=True),
    ],
    "rectangle-tiling-grid": [
        RectangleTilingGrid([], 3),
        RectangleTilingGrid([[]], 3, guillotine=True),
    ],
}


@pytest.mark.parametrize("name", sorted(registry.PROBLEMS))
def test_every_method_and_algorithm_finds_the_partition_of_nothing(name):
    """And everybody is able to see that nothing costs less."""
    problem, taken = registry.PROBLEMS[name], 0
    for instance in EMPTY[name]:
        assert atleastk.check(instance, []).cost == 0
        for method in ("auto", *(method.name for method in problem.methods)):
            try:
                result = atleastk.solve(instance, 600, method=method)
            except NotApplicableError:
                continue
            assert (result.status, result.cost, result.bound) == ("OPTIMAL", 0, 0)
            assert result.groups == ()
            assert atleastk.check(instance, result).proved
        taking = [a for a in problem.algorithms if a.refuses(instance) is None]
        taken += len(taking)
        for algorithm in taking:
            result = atleastk.approximate(instance, algorithm.name)
            assert (result.cost, result.groups) == (0, ())
            promise = result.guarantee
            assert promise is None or promise.holds(instance, 0, 0), algorithm
    assert taken


@pytest.mark.parametrize("name", sorted(registry.PROBLEMS))
def test_nothing_proves_more_of_nothing(name):
    """Neither a bound of 1 nor that nothing is feasible."""
    check = registry.PROBLEMS[name].check_certificate
    for instance in EMPTY[name]:
        kinds = ("count", "counting", "total", "columns", "weights", "reach", "lattice")
        for kind in (*kinds, "reachability", "hitting", "parts"):
            certificate = {
                "kind": kind,
                "scale": 1,
                "weights": [],
                "parts": {},
                "items": [],
                "refutes": 2,
                "cost": 1,
                "item": 0,
                "most": 0,
                "radius": 0,
                "refused": [],
                "dear": [],
                "level": 2,
                "refuted": [],
            }
            for bound in (1, None):
                with pytest.raises((CertificateError, NotApplicableError)):
                    check(instance, certificate, bound)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_judges_agree(objective):
    """By the definition alone."""
    assert all_bins.optimum(BinCovering([], 3, objective)) == (0, [])
    assert all_intervals.optimum(IntervalCovering([], 3, objective)) == (0, [])


def test_a_row_of_nothing_is_certified():
    """By counting, or since no level is below 0."""
    for instance in (*EMPTY["bin-covering"], *EMPTY["interval-covering"][:2]):
        assert atleastk.solve(instance).trust == "certified"


def test_no_rows_are_as_anonymous_as_was_asked():
    """The greatest k has no bound without rows: it is the one asked for."""
    instance = Suppression([], 3, minimise="k")
    result = atleastk.solve(instance)
    assert (result.status, result.cost) == ("OPTIMAL", -3)
    assert atleastk.check(instance, result).proved
