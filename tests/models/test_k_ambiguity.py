import json
import random
from collections import Counter

import numpy as np
import pytest

import atleastk
from atleastk import KAmbiguity, Solution
from atleastk.models.k_ambiguity import (
    AmbiguityDeals,
    AmbiguitySolution,
    Looks,
    check,
    completed,
    differences,
    mask_of,
    matches,
    needed_by_columns,
    needed_in_column,
    needs,
    solution_of,
    useful_columns,
)
from atleastk.solvers.brute_force.k_ambiguity import is_ambiguous, optimum
from scripts import second_checker


def random_case(rng):
    n, m = rng.randint(1, 9), rng.randint(1, 4)
    table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
    hidden = np.array([[rng.random() < 0.3 for _ in range(m)] for _ in range(n)])
    return KAmbiguity(table, rng.randint(1, 4)), hidden


def of_mask(instance, hidden):
    return solution_of(instance, Looks.of_rows(instance.records, hidden))


def test_matches_by_definition():
    rng = random.Random(1)
    for _ in range(200):
        instance, hidden = random_case(rng)
        alike = [
            sum(
                all(
                    hidden[i, j] or hidden[r, j] or a == b
                    for j, (a, b) in enumerate(zip(row, other, strict=True))
                )
                for r, other in enumerate(instance.table)
            )
            for i, row in enumerate(instance.table)
        ]
        looks = Looks.of_rows(instance.records, hidden)
        assert matches(instance, looks).tolist() == alike


def test_the_checker_agrees_with_the_definition():
    rng = random.Random(2)
    for _ in range(200):
        instance, hidden = random_case(rng)
        solution = of_mask(instance, hidden)
        verdict = check(instance, solution)
        assert verdict.cost == hidden.sum() == len(solution.suppressed)
        good = is_ambiguous(instance.table, instance.k, solution.suppressed)
        assert verdict.feasible == good
        assert (mask_of(instance, solution) == hidden).all()


def test_a_match_is_no_equivalence():
    """The first and the third row match the second, not each other."""
    instance = KAmbiguity([["a", "x"], ["a", "y"], ["b", "y"]], 2)
    solution = AmbiguitySolution(((0,), (1,), (2,)), ((1, 0), (1, 1)))
    assert check(instance, solution).feasible
    worse = AmbiguitySolution(((0,), (1,), (2,)), ((1, 0),))
    assert check(instance, worse).violations == (
        "row 0 matches 0 others, fewer than k - 1 = 1",
    )


def test_cells_outside_of_the_table():
    instance = KAmbiguity([["a"], ["a"]], 2)
    verdict = check(instance, AmbiguitySolution(((0, 1),), ((0, 1),)))
    assert verdict.cost is None
    assert "no cell (0, 1)" in verdict.violations[0]


def test_a_grouping_suppresses_what_differs():
    instance = KAmbiguity([["a", "x"], ["a", "y"], ["b", "y"]], 2)
    verdict = check(instance, Solution.of([[0, 1, 2]]))
    assert (verdict.cost, verdict.feasible) == (6, True)


@pytest.mark.parametrize("hidden", [True, False])
def test_groups_are_rows_that_look_the_same(hidden):
    instance = KAmbiguity([[1], [2], [1]], 1)
    mask = np.array([[hidden], [hidden], [False]])
    groups = of_mask(instance, mask).groups
    assert groups == (((0, 1), (2,)) if hidden else ((0, 2), (1,)))


def test_what_records_need():
    instance = KAmbiguity([[1, 0, 5], [1, 1, 6], [1, 0, 5]], 4)
    assert needs(instance).tolist() == [2, 3]
    assert useful_columns(instance).tolist() == [1, 2]
    assert differences(instance, 0).tolist() == [0, 3]


def test_no_rows():
    instance = KAmbiguity([], 3)
    assert check(instance, AmbiguitySolution(())).feasible
    assert len(useful_columns(instance)) == 0


def test_single_columns_bound_the_optimum():
    rng = random.Random(4)
    tight = 0
    for _ in range(300):
        n, m, k = rng.randint(1, 6), rng.randint(1, 2), rng.randint(1, 4)
        table = [[rng.randrange(4) for _ in range(m)] for _ in range(n)]
        best = optimum(KAmbiguity(table, k))
        if best is None:
            continue
        bound = needed_by_columns(KAmbiguity(table, k))
        assert bound <= best[0]
        tight += bound == best[0] > 0
    assert tight > 30


def test_rows_that_differ_everywhere_need_full_rows():
    """Lemma 3: k - 1 cells of every column."""
    assert needed_by_columns(KAmbiguity([[i] * 5 for i in range(7)], 4)) == 15
    assert needed_by_columns(KAmbiguity([], 4)) == 0


def test_groups_are_the_rows_that_look_the_same():
    instance = KAmbiguity([[0], [1], [1]], 1)
    assert check(instance, AmbiguitySolution(((0,), (1, 2)))).feasible
    apart = check(instance, AmbiguitySolution(((0,), (1,), (2,))))
    assert apart.violations == ("groups 1 and 2 look the same, and should be one",)
    joined = check(instance, AmbiguitySolution(((0, 1, 2),)))
    assert joined.violations == ("group 0: rows 0 and 1 look different",)


COPIED = KAmbiguity([["a", "x"], ["a", "y"], ["b", "y"]], 2, copies=[1, 3, 1])
DEALS = [(0, 0, 1), (1, 1, 2), (1, 2, 1), (2, 3, 1)]


@pytest.mark.parametrize(
    ("deals", "cells", "words"),
    [
        (DEALS, [(2, 0), (2, 1)], None),
        (DEALS, [(2, 0)], "row 0 matches 0 others, fewer than k - 1 = 1"),
        (DEALS, [(4, 0)], "suppressed: the deals have no cell (4, 0)"),
        (DEALS, [(2, 2)], "suppressed: the deals have no cell (2, 2)"),
        (DEALS, [], "groups 1 and 2 look the same, and should be one"),
        ([(0, 0, 1), (1, 0, 3), (2, 3, 1)], [], "group 0: rows 0 and 1 look different"),
        (DEALS[1:], [(2, 0), (2, 1)], "deals: 0 copies of row 0, which has 1"),
    ],
)
def test_deals_say_which_cells_a_group_suppresses(deals, cells, words):
    solution = AmbiguityDeals((), deals, tuple(cells))
    verdict = check(COPIED, solution)
    assert verdict.violations[:1] == (() if words is None else (words,))
    document = {**atleastk.solve(COPIED).to_dict(), **solution.to_dict()}
    document |= {"cost": 2, "bound": None, "certificate": None}
    document |= {"status": "FEASIBLE", "trust": "heuristic"}
    written = json.loads(json.dumps([COPIED.to_dict(), document]))
    read = AmbiguitySolution.from_dict(document)
    assert (read.deals, read.suppressed) == (solution.deals, solution.suppressed)
    if words is None:
        second_checker.check(*written)
        rows = mask_of(COPIED, solution)
        again = of_mask(COPIED, rows)
        assert (verdict.cost, check(COPIED, again)) == (rows.sum(), verdict)
    else:
        with pytest.raises(second_checker.WrongError):
            second_checker.check(*written)


def test_groups_of_rows_and_of_deals_are_completed():
    rows = Solution.of([[0, 1], [2, 3, 4]])
    dealt = completed(COPIED, rows)
    assert check(COPIED, dealt).cost == check(COPIED, rows).cost == 2 + 3
    assert completed(COPIED, dealt) is dealt
    written = completed(COPIED.written_out, dealt)
    assert check(COPIED.written_out, written).cost == 5


def test_ten_million_rows_are_told_by_their_records():
    """No array has an entry for every row."""
    many = KAmbiguity([[0, 0], [0, 1], [1, 0]], 3, copies=[10**9, 1, 2])
    result = atleastk.solve(many, certify=True)
    assert (str(result.trust), result.cost) == ("certified", 2)
    assert atleastk.check(many, result).proved
    assert sum(copies for *_, copies in result.solution.deals) == many.n


def test_what_columns_need_is_the_least_that_does():
    rng = random.Random(7)
    for _ in range(100):
        instance, _ = random_case(rng)
        for column in useful_columns(instance).tolist():
            rows = Counter(row[column] for row in instance.table).values()
            enough = (
                s
                for s in range(instance.k)
                if sum(n for n in rows if n < instance.k - s) <= s
            )
            assert needed_in_column(instance, column) == next(enough)
    many = KAmbiguity([[0], [1]], 10**9, copies=[2 * 10**9, 3])
    assert needed_in_column(many, 0) == 3
