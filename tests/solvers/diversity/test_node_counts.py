from dataclasses import replace
from fractions import Fraction

import pytest
from searching import search_of

import atleastk
from atleastk import Diversity, Status, Trust
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.certificates.diversity import check_certificate
from atleastk.solvers.diversity import node_counts
from atleastk.solvers.diversity.node_counts import minimise_by_tagging
from atleastk.solvers.generalization import predictive_tagging

SPARE = Diversity(
    [["a"]] * 5 + [["b"]] * 5 + [["c"]] * 2,
    2,
    [suppression_of("abc")],
    "attributes",
    "discernibility",
    sensitive=[["flu"], ["flu"], ["flu"], ["cold"], ["cold"]] * 2 + [["flu"]] * 2,
    l=2,
    suppress_rows=3,
)
"""Both rows c have to go, and with them a cold, which a or b can spare."""


def test_a_class_may_spare_a_row_for_those_that_go():
    """No whole class may go: only the model knows, and has no certificate."""
    result = atleastk.solve(SPARE, workers=1, certify=True)
    assert (result.status, result.cost) == (Status.OPTIMAL, 5 * 9 + 3 * 12)
    assert result.trust is Trust.PROVED
    assert len(result.solution.suppressed_rows) == 3
    assert atleastk.solve(SPARE, workers=1, method="pairs").cost == result.cost


def test_infeasible_levels_without_a_certificate_are_told():
    """A bound that a node proves is no proof that nothing is feasible."""
    stars = [suppression_of(range(2))] * 3
    instance = Diversity(
        [[1, 0, 0], [0, 1, 1], [1, 0, 0]],
        1,
        stars,
        "attributes",
        "discernibility",
        sensitive=[[2, 1], [1, 0], [1, 1]],
        t=Fraction(1, 3),
        suppress_rows=1,
        levels=[[0, 0], [0, 1], [0, 1]],
    )
    result = atleastk.solve(instance, workers=1, certify=True)
    assert (result.status, result.certificate) == (Status.INFEASIBLE, None)


def test_without_a_solver_the_node_is_left_open():
    search = search_of(SPARE)
    search.offer([range(12)], "one group")
    minimise_by_tagging(search, "tagging", certified=True)
    assert (search.cost, search.bound) == (12 * 12, 5 * 10 + 2 * 12)
    assert search.remarks == ["tagging: 1 node of the lattice undecided"]
    assert search.certificate["alone"] == [(0,)]
    check_certificate(SPARE, search.certificate, search.bound)


@pytest.mark.parametrize(("digits", "found"), [(10, True), (17, False), (18, False)])
def test_what_is_too_large_for_a_solver_is_left_to_the_other(digits, found):
    t = Fraction(10**digits - 1, 10**digits)
    result = atleastk.solve(replace(SPARE, t=t), workers=1)
    spared, cheapest = 5 * 9 + 3 * 12, 5 * 10 + 2 * 12
    expected = (spared, spared) if found else (12 * 12, cheapest)
    assert (result.cost, result.bound) == expected


def test_nodes_that_are_looked_at_again_are_a_bound_meanwhile(monkeypatch):
    """The bound was once lost if the time ended then."""
    search = search_of(SPARE)
    search.offer([range(12)], "one group")
    counter = node_counts.SuppressingCounter(search, 0)
    count, seen = counter.count, []

    def late(levels):
        if levels in seen:
            search.budget.stop.set()
        seen.append(levels)
        return replace(count(levels), late=levels == (0,))

    monkeypatch.setattr(counter, "count", late)
    predictive_tagging.minimise_by_tagging(search, "tagging", counter)
    assert seen.count((0,)) == 2
    assert (search.cost, search.bound) == (12 * 12, 5 * 10 + 2 * 12)


@pytest.mark.parametrize(("allowed", "cost"), [(0, 1), (2, 1), (3, 0), (4, 0)])
def test_the_allowance_decides(allowed, cost):
    instance = replace(SPARE, loss="height", suppress_rows=allowed)
    assert atleastk.solve(instance, workers=1).cost == cost
