"""MAX 3SP into the minimisations: formulas printed and right, and the L-reduction."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from costs import cost_of

from atleastk.instances.reductions.set_packing import (
    FANO,
    FOUR_MEETING,
    MEETING,
    REDUCTIONS,
    SetPacking,
    layered_table,
)
from atleastk.models.suppression import solution_of_groups
from atleastk.solvers.brute_force.combinatorial import largest_packing

TRIPLES = list(combinations(range(6), 3))
BY_REFERENCE = {
    (r.kind, r.reference.removeprefix("instead of [Chaytor06] ")): r for r in REDUCTIONS
}


def problems():
    rng = Random(1)
    for _ in range(30):
        yield SetPacking(6, rng.sample(TRIPLES, rng.randint(1, 6)))
    for _ in range(10):
        triples = list(combinations(range(9), 3))
        yield SetPacking(9, rng.sample(triples, rng.randint(1, 5)))


def groups_of(problem, chosen):
    groups = [list(problem.sets[j]) for j in chosen]
    left = sorted(set(range(problem.elements)) - {i for g in groups for i in g})
    return [*groups, left] if left else groups


def layered_groups(problem):
    """Return the groups that the proof of the layers takes."""
    n, best, top, groups = problem.elements, largest_packing(problem.sets), 0, []
    for t in range(1, problem.triples + 1):
        fillers = n - 3 * t
        rows = n + 2 * fillers
        if t <= len(best):
            chosen = [list(problem.sets[j]) for j in best[:t]]
            left = sorted(set(range(n)) - {i for g in chosen for i in g})
            pairs = [[i, n + 2 * f, n + 2 * f + 1] for f, i in enumerate(left)]
            part = chosen + pairs
        else:
            part = [list(range(rows))]
        groups += [[top + i for i in group] for group in part]
        top += rows
    return groups


def test_the_proofs_attain_the_formulas():
    for problem in problems():
        best = largest_packing(problem.sets)
        m = len(problem.sets)
        groups = groups_of(problem, best)
        copies = [
            [problem.elements * s + i for i in group]
            for s in range(m)
            for group in groups
        ]
        for partition, name in (
            (groups, "Lemma 5.1.2 (1)"),
            (copies, "Lemma 5.1.2 (4)"),
            (layered_groups(problem), "Lemma 5.1.2 (2)"),
        ):
            reduction = BY_REFERENCE["metric", name]
            assert reduction.repaired
            instance = reduction.forward(problem)
            solution = solution_of_groups(instance, partition)
            assert reduction.cost(problem, cost_of(instance, solution)) == len(best)
            back = reduction.back(problem, solution.suppressed)
            assert len(back) == len(best)
            assert len({i for j in back for i in problem.sets[j]}) == 3 * len(back)


def test_layers_share_no_symbol_but_the_constant():
    problem = SetPacking(9, [(0, 1, 2), (3, 4, 5)])
    table = layered_table(problem)
    assert len(table) == 21 + 15 + 9
    assert {len(row) for row in table} == {3 * (2 + 54) + 2}
    ends = {0: range(21), 1: range(21, 36), 2: range(36, 45)}
    for a, b in combinations(ends, 2):
        for i, j in ((i, j) for i in ends[a] for j in ends[b]):
            common = [x for x, y in zip(table[i], table[j], strict=True) if x == y]
            assert common == [""] * a


@pytest.mark.parametrize(
    ("part", "cost", "claimed", "perfect"),
    [(1, 9, Fraction(3), 6), (2, 2, Fraction(4), 1), (4, 24, Fraction(3), 21)],
)
def test_printed_formulas_need_a_perfect_packing(part, cost, claimed, perfect):
    printed = BY_REFERENCE["metric", f"[Chaytor06] Lemma 5.1.2 ({part})"]
    assert printed.cost(SetPacking(6, [(0, 1, 2), (0, 1, 3)]), cost) == claimed != 1
    assert printed.cost(SetPacking(6, [(0, 1, 2), (3, 4, 5)]), perfect) == 2


@pytest.mark.parametrize(
    ("problem", "bound", "deleted"),
    [(MEETING, 2, 2), (FOUR_MEETING, 2, 3), (FANO, 3, 6)],
)
def test_alpha(problem, bound, deleted):
    """Any two triples meet: B - 1 is too small, 3 (B - 1) is not."""
    assert len(largest_packing(problem.sets)) == 1
    assert problem.bound == bound
    printed, repaired = (
        BY_REFERENCE["L", f"{of}Lemma 5.1.3"].alpha(problem, 1)
        for of in ("[Chaytor06] ", "")
    )
    assert len(problem.sets) - 1 == deleted > printed
    assert (deleted == repaired) == (problem is not MEETING)
