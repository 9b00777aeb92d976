import random

import numpy as np
import pytest
from costs import cost_of

from atleastk.instances.suppression import Suppression
from atleastk.solvers.brute_force.suppression import Outcomes
from atleastk.solvers.budget import Budget
from atleastk.solvers.suppression.padding import padded
from atleastk.solvers.suppression.steps import stepped


def cost(instance, groups):
    return cost_of(instance, padded(instance, groups))


@pytest.mark.parametrize("seed", range(20))
def test_groups_keep_the_order_and_cost_no_less_than_the_least(seed):
    rng = random.Random(seed)
    table = [(rng.randrange(3), rng.randrange(3)) for _ in range(6)]
    instance = Suppression(table, 2, row_order=[[0, 3], [1, 2], [4, 5]])
    groups = stepped(instance, Budget.of(1000.0))
    assert Outcomes.of(instance.table).best(instance) <= cost(instance, groups) <= 12


def test_rows_before_one_that_needs_many_have_few():
    alike = [(i, i, i) for i in range(5) for _ in (0, 1)]
    odd = [(10 + i, 20 + i, 30 + i) for i in range(4)]
    instance = Suppression([*alike, *odd], 2, row_order=[range(10), range(10, 14)])
    assert cost(instance, stepped(instance, Budget.of(1000.0))) == 4 * 3


def test_a_step_within_a_class_is_found():
    alike = [(i, i) for i in range(4) for _ in (0, 1)]
    odd = [(10, 20), (11, 21)]
    instance = Suppression([*odd, *alike], 2, row_order=[range(9), [9]])
    assert cost(instance, stepped(instance, Budget.of(1000.0))) == 2 * 2 + 2 * 2


def test_too_few_rows_and_too_many_have_no_steps(monkeypatch):
    monkeypatch.setattr("atleastk.solvers.suppression.steps._MOST_ROWS", 3)
    for n in (1, 4):
        table = np.zeros((n, 2), dtype=int).tolist()
        instance = Suppression(
            table, 2, row_order=[[0], range(1, n)] if n > 1 else None
        )
        assert stepped(instance, Budget.of(1000.0)) is None
