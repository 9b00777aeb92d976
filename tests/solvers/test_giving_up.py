import pytest
from searching import search_of, searched

import atleastk
from atleastk import BinCovering, Status
from atleastk.solvers.connected_partition import methods as connected_partition

SIZES = [10**9 + 7 * i * i + i for i in range(18)]
HUGE = BinCovering([size * 10**20 for size in SIZES], 3 * 10**29)


@pytest.mark.parametrize(
    ("method", "objective", "why"),
    [
        ("arc-flow", "max", "too many for an arc-flow model"),
        ("arc-flow", "excess", "too many for an arc-flow model"),
        ("sat", "max", "too large for 64-bit models"),
    ],
)
def test_huge_sizes_are_told(method, objective, why):
    """They ended at once as FEASIBLE or UNKNOWN, without a word."""
    result = atleastk.solve(BinCovering(HUGE.sizes, HUGE.k, objective), method=method)
    assert result.status <= Status.FEASIBLE
    assert result.note.startswith(f"{method} cannot decide about the level ")
    assert why in result.note
    assert atleastk.Result.from_dict(result.to_dict()).note == result.note


def test_patterns_decide_about_huge_sizes():
    methods = ("patterns", "patterns-cp-sat")
    one, other = (atleastk.solve(HUGE, method=method) for method in methods)
    assert one.status is other.status is Status.OPTIMAL
    small = BinCovering(SIZES, 3 * 10**9)
    assert one.cost == other.cost == atleastk.solve(small).cost * 10**20


def test_lists_that_grow_too_long_are_told(monkeypatch):
    monkeypatch.setattr(connected_partition, "_MOST_SETS", 2)
    edges = [(0, 1), (1, 2), (2, 3), (3, 4)]
    instance = atleastk.ConnectedPartition([3, 5, 2, 4, 6], edges, 5)
    result = atleastk.solve(instance, method="connected-sets")
    assert result.status is Status.FEASIBLE
    assert "it has more than 2 connected sets" in result.note


def test_the_time_is_reason_enough():
    instance = BinCovering([1, 1], 1)
    problem = atleastk.runs.registry.PROBLEMS["bin-covering"]
    late = search_of(instance, seconds=0.0)
    late.remark("no time")
    closed = searched(problem.solve, instance)
    closed.remark("nothing to do")
    assert late.remarks == closed.remarks == []
