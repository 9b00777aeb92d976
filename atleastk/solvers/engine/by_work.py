"""The automatic choice under a limit on work: deterministic, without a clock."""

from __future__ import annotations

from typing import Any

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.solvers.engine.shipped_algorithms import offer_shipped
from atleastk.solvers.problem import Problem
from atleastk.solvers.search import Search

__all__ = ["solve_by_work"]


def solve_by_work(problem: Problem[Any], search: Search[Any]) -> None:
    """Run the polynomial algorithms, then the methods that count their work, in order.

    With one worker, runs are repeatable: the same cost, bound and status.
    """
    # Algorithms are defined on instances that have a solution: this one may not.
    offer_shipped(search, problem.algorithms, search.offer_if_feasible)
    for method in problem.methods:
        if search.done or not method.counts_work:
            continue
        reason = method.refuses(search.instance)
        if reason is None:
            try:
                method.run(search)
            except NotApplicableError as error:
                reason = str(error)
        if reason is not None:
            search.remark(f"{method.name} cannot take this instance: {reason}")
