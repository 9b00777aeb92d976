"""Weights in balance: they prove no more than a linear program does."""

import numpy as np
import pytest
from scipy.optimize import linprog

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.balanced import balanced


@pytest.mark.parametrize("seed", range(8))
def test_no_set_is_too_heavy_and_all_are_worth_more_than_even_ones(seed):
    rng = np.random.default_rng(seed)
    has, room = rng.random((12, 6)) < 0.4, rng.integers(1, 9, 12)
    has, worth = np.vstack((has, np.eye(6))), rng.integers(1, 5, 6).astype(float)
    room = np.append(room, [9] * 6)

    def worst_of(weights):
        return (has * (has @ weights / room)[:, None]).max(axis=0)

    found = balanced(np.ones(6), worst_of, worth, 100, Budget())
    best = -linprog(-worth, has, room).fun
    assert (has @ found <= room + 1e-9).all()
    even = worth.sum() / worst_of(np.ones(6)).max()
    assert even - 1e-9 <= worth @ found <= best + 1e-9
    some = balanced(np.ones(6), worst_of, worth, 100, Budget.of(0))
    assert (has @ some <= room + 1e-9).all()
    low = balanced(np.full(6, 0.1), worst_of, worth, 100, Budget(), 2.0)
    assert (low <= 2.0).all()
