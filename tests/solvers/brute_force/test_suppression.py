import random

import numpy as np
import pytest

from atleastk import NotApplicableError, Suppression
from atleastk.models.suppression import check, solution_of_mask
from atleastk.solvers.brute_force import suppression
from atleastk.solvers.brute_force.suppression import (
    ROWS,
    Outcomes,
    best_grouping,
    optimum,
)
from scripts.sweeps import drawn_tables as suppressions


def test_no_rows_and_no_columns():
    empty = Suppression([], 3, columns=["a", "b"], minimise="k")
    assert optimum(empty) == best_grouping(empty) == -3
    bare = [Suppression([[], []], k, minimise="rows") for k in (1, 2, 3)]
    assert [optimum(i) for i in bare] == [best_grouping(i) for i in bare]
    assert [optimum(i) for i in bare] == [0, 0, None]


def test_the_judges_agree():
    rng, outcomes = random.Random(1), set()
    for _ in range(400):
        instance = suppressions.random_suppression(rng, 14)
        if instance.n * instance.m > 12:
            continue
        try:
            by_grouping = best_grouping(instance)
        except NotApplicableError:
            continue
        by_masks = Outcomes.of(instance.table, instance.m).best(instance)
        assert by_masks == by_grouping, instance.to_dict()
        outcomes.add((instance.minimise, by_masks))
    assert len(outcomes) > 30


def test_the_checker_agrees():
    rng, tried = random.Random(2), 0
    for _ in range(150):
        instance = suppressions.random_suppression(rng, 14)
        cells = instance.n * instance.m
        if cells > 8 or not instance.n:
            continue
        costs = []
        for bits in range(2**cells):
            flags = [bits >> cell & 1 == 1 for cell in range(cells)]
            hidden = np.array(flags, dtype=bool).reshape(instance.n, instance.m)
            verdict = check(instance, solution_of_mask(instance, hidden))
            if verdict.feasible:
                costs.append(verdict.cost)
        assert optimum(instance) == min(costs, default=None), instance.to_dict()
        tried += 1
    assert tried > 40


def test_outcomes_serve_all_problems_of_their_table():
    table = ((0, 1, 1), (0, 0, 1), (1, 1, 0))
    outcomes = Outcomes.of(table)
    rng = random.Random(3)
    problems = {**suppressions.MINIMISATIONS, **suppressions.MAXIMISATIONS}
    for variant in problems.values():
        instance = suppressions.named_instance(rng, table, variant)
        assert outcomes.best(instance) == best_grouping(instance), variant
    with pytest.raises(ValueError, match="those of another table"):
        outcomes.best(Suppression([[0]], 1))


def test_limits_of_the_judges(monkeypatch):
    wide = [[row] * 4 for row in range(4)]
    with pytest.raises(NotApplicableError, match="at most 14 cells, got 4 x 4"):
        Outcomes.of(wide)
    assert optimum(Suppression(wide, 3)) == 16
    with pytest.raises(NotApplicableError, match="at most 14 cells, got 20 x 0"):
        Outcomes.of([[]] * 20)
    with pytest.raises(NotApplicableError, match="got 0 x 20"):
        optimum(Suppression([], 1, columns=list("abcdefghijklmnopqrst")))
    long = [[1, 1]] * (ROWS + 1)
    with pytest.raises(
        NotApplicableError, match="at most 7 rows and 14 columns, got 8 x 2"
    ):
        optimum(Suppression(long, 1))
    monkeypatch.setattr(suppression, "CHOICES", 255)
    with pytest.raises(NotApplicableError, match="256 choices of columns are too"):
        best_grouping(Suppression([[0] * 4, [1] * 4], 1))
