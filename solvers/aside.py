"""Calls that know of no budget, within one all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from atleastk.solvers.backends.highs import run_apart
from atleastk.solvers.budget import Budget

__all__ = ["result_within"]

T = TypeVar("T")


def result_within(budget: Budget, run: Callable[[], T | None]) -> T | None:
    """Return what a call returns; None if the budget is spent first.

    A call that is left behind goes on in a thread of its own until it ends.
    """
    found: list[T | None] = [None]
    if not budget.spent:
        run_apart(lambda: found.append(run()), budget)
    return found[-1]
