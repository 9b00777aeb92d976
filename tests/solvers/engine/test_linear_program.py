"""The growing linear program against its definition."""

import numpy as np
import pytest

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp


def test_columns_prices_and_duals():
    """Minimise 3a + 2b, a + b = 4, a <= 1 as a row; then a gets cheap."""
    lp = GrowingLp([4, 0], [4, 1])
    a = lp.add(3.0, [0, 1], [1, 1])
    b = lp.add(2.0, [0], [1])
    first = lp.solve(Budget())
    assert first is not None
    assert first.value == pytest.approx(8)
    assert first.primal == pytest.approx(np.array([0, 4]))
    assert first.duals == pytest.approx(np.array([2, 0]))
    lp.price(a, 1.0)
    second = lp.solve(Budget())
    assert second is not None
    assert second.value == pytest.approx(7)
    assert second.duals == pytest.approx(np.array([2, -1]))
    lp.forbid(b)
    assert lp.solve(Budget()) is None
    lp.add(0.0, [0], [2])
    third = lp.solve(Budget())
    assert third is not None
    assert third.value == pytest.approx(0)


def test_infeasible_program_has_no_optimum():
    lp = GrowingLp([1], [1])
    assert lp.solve(Budget()) is None
