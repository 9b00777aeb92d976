from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from atleastk.instances.reductions import exact_cover, set_packing, vertex_cover
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.set_packing import SetPacking
from atleastk.instances.reductions.vertex_cover import CubicVertexCover
from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import measures, solution_of_groups
from atleastk.research.claims import sources
from atleastk.research.claims.sources import objection
from atleastk.research.claims.trials import partitions


def test_wrong_claims_are_caught():
    entries = exact_cover.REDUCTIONS[0]
    yes = ExactCover(6, [(0, 1, 2), (3, 4, 5), (1, 2, 3)])
    no = ExactCover(6, [(0, 1, 2), (2, 3, 4)])
    assert objection(entries, yes) is None
    assert objection(entries, no) is None

    def lax(problem):
        target = exact_cover.to_entries(problem)
        return replace(target, limits={"entries": target.most["entries"] + 3})

    assert "it answers no" in objection(replace(entries, forward=lax), no)
    lost = replace(entries, back=lambda problem, cells: None)
    assert "comes back" in objection(lost, yes)


def test_wrong_formulas_are_caught():
    (entries,) = (
        r for r in set_packing.REDUCTIONS if r.target == "MIN-e-SUP" and r.repaired
    )
    packing = SetPacking(6, [(0, 1, 2), (3, 4, 5), (1, 2, 3)])
    assert objection(entries, packing) is None
    high = replace(entries, cost=lambda problem, cost: entries.cost(problem, cost) + 1)
    assert objection(high, packing).startswith("the optimum is 2, not 3")
    lost = replace(entries, back=lambda problem, cells: [0])
    assert objection(lost, packing) == "the way back gives 1 instead of 2"


def test_wrong_ratios_are_caught():
    (columns,) = (r for r in set_packing.REDUCTIONS if r.kind == "L" and r.repaired)
    packing = SetPacking(6, [(0, 1, 2), (0, 1, 3), (2, 3, 4)])
    assert objection(columns, packing) is None
    low = replace(columns, alpha=lambda problem, best: 1)
    assert objection(low, packing) == "MIN-c-DEL = 2, more than 1 * 1"
    lost = replace(columns, back=lambda problem, cells: [])
    assert "beta is more than 1" in objection(lost, packing)
    (covers,) = (r for r in vertex_cover.REDUCTIONS if r.kind == "L")
    graph = CubicVertexCover(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
    assert objection(covers, graph) is None
    low = replace(covers, alpha=lambda problem, best: 1)
    assert "is more than 1 * 3" in objection(low, graph)


@pytest.mark.parametrize("quantity", ["entries", "per_column", "per_row"])
def test_a_wrong_optimum_is_caught_by_brute_force(quantity, monkeypatch):
    instance = Suppression([[0, 1], [0, 2], [1, 2], [1, 1]], 2, minimise=quantity)
    sources.optimum.cache_clear()
    cost, groups = sources.optimum(instance, quantity)
    assert measures(instance, solution_of_groups(instance, groups))[quantity] == cost
    solved = sources.solved
    monkeypatch.setattr(sources, "solved", lambda asked: (cost + 1, solved(asked)[1]))
    sources.optimum.cache_clear()
    with pytest.raises(RuntimeError, match=f"by brute force {cost}"):
        sources.optimum(instance, quantity)


def test_partitions_are_all():
    assert sum(1 for _ in partitions(tuple(range(6)), 3, 6)) == 11
    found = {frozenset(groups) for groups in partitions(tuple(range(9)), 3, 9)}
    assert len(found) == 491


def test_column_sets_are_all():
    rng = Random(3)
    for _ in range(15):
        n, m = rng.randint(6, 8), rng.randint(1, 5)
        table = tuple(tuple(rng.randrange(3) for _ in range(m)) for _ in range(n))
        columns = range(len(table[0]))
        expected = [
            kept
            for size in range(len(columns) + 1)
            for kept in combinations(columns, size)
            if min(Counter(tuple(row[j] for j in kept) for row in table).values()) >= 3
        ]
        assert sorted(sources.column_sets(table, 3)) == sorted(expected)
