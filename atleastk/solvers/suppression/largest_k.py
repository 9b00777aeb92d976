"""MAX-k of the suppression family: the largest k that limits allow, by decisions.

A solution for k is one for every smaller k, so the feasible k are all up to the
optimum. Each is decided by another method, from the middle of the open ones; the groups
of a solution often prove more than was asked for. Rows in one group make k = n, rows in
two or more at most n / 2: nothing lies between.

A k that is not decided in its share of the time is skipped, and tried again with more
time when the others are decided. [Chaytor06, section 5.4] calls the problem not
considered before.

References
----------
[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import SuppressionSolution, check
from atleastk.solvers.search import Search

_PATIENCE = 2.0
"""The seconds of a decision at first."""
_MORE = 4.0
"""How many times as long a decision may take when all are tried again: not tuned."""


def maximise_k(
    search: Search[Suppression],
    run: Callable[[Search[Suppression]], None],
    source: str,
) -> None:
    """Maximise k by decisions; `run` works on each of them."""
    instance = search.instance
    n, least = instance.n, instance.k
    if not n:
        search.offer(SuppressionSolution(()), source)
        search.raise_bound(-least, source)
        return
    if n < least:
        search.close_infeasible(source)
        return
    levels = [*range(least, n // 2 + 1), n]
    first = levels[0]
    search.raise_bound(-levels[-1], source)
    patience = min(_PATIENCE, search.budget.remaining / 8)
    given_up, late = set[int](), set[int]()
    while not search.done:
        reached = least - 1 if search.cost is None else -search.cost
        most = levels[-1] if search.bound is None else -search.bound
        open_levels = [k for k in levels if reached < k <= most and k not in given_up]
        if not open_levels:
            return
        ready = [k for k in open_levels if k not in late]
        if not ready:
            patience *= _MORE
            late.clear()
            continue
        k = first if first in ready else ready[len(ready) // 2]
        decision = Search(_decision(instance, k), check, search.budget)
        decision.budget = search.budget.slice(patience)
        run(decision)
        if decision.solution is not None:
            search.offer(decision.solution, source)
        elif decision.infeasible and k == first:
            search.close_infeasible(source)
        elif decision.infeasible:
            search.raise_bound(-levels[levels.index(k) - 1], source)
        elif decision.budget.spent:
            late.add(k)
        else:
            given_up.add(k)


def _decision(instance: Suppression, k: int) -> Suppression:
    """Return the question whether k is feasible; of the same records."""
    decision = replace(instance, minimise="none", k=k)
    vars(decision)["records"] = instance.records
    return decision
