"""Standard sizes: the exact methods.

``dynamic-program``, O(n k^2)
    Let f_j be the least cost of the j shortest pieces. By the lemma of
    :mod:`atleastk.instances.standard_sizes` the last of them are a run:
    f_j = min of f_i + the cost of the pieces from i on, over i = j - 2k + 1..j - k. The
    differences f_j - f_(j - 1) are weights of the pieces that prove the optimum.
``leaders``, ``leaders-highs``
    A linear model in CP-SAT and in HiGHS: solver families that have nothing in common,
    so that `atleastk solve --agree` can compare them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.encodings.standard_sizes import leader_model
from atleastk.models.standard_sizes import by_length, group_cost, is_feasible
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.modelled import Methods, at_most
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search
from atleastk.solvers.standard_sizes.first import first_answers

_MOST_ITEMS: Final = 100
"""Of which pairs are listed in a model: 5,050 variables. Not tuned."""


def solve(search: Search[StandardSizes]) -> None:
    """Solve an instance by the best method known: `--method auto`."""
    _by_runs(search, "dynamic-program")


def _begin(search: Search[StandardSizes], source: str) -> bool:
    """Report what is known at once; tell whether there is more to do."""
    if not is_feasible(search.instance):
        search.close_infeasible(source, {"kind": "count"})
        return False
    offer_first(search, first_answers(search.instance))
    return True


def _by_runs(search: Search[StandardSizes], source: str) -> None:
    """Find the least cost of the shortest pieces, for every number of them."""
    if not _begin(search, source):
        return
    instance, order = search.instance, by_length(search.instance)
    n, k = instance.n, instance.k
    costs: list[int | None] = [0] + [None] * n
    starts = [0] * (n + 1)  # by the number of pieces, where the last run begins
    lengths = [instance.lengths[item] for item in order]
    for j in range(k, n + 1):
        if search.done:
            return
        costs[j], starts[j] = min(
            (before + group_cost(lengths[i:j]), i)
            for i in range(max(0, j + 1 - 2 * k), j + 1 - k)
            if (before := costs[i]) is not None
        )
    groups, end = [], n
    while end:
        groups.append(order[starts[end] : end])
        end = starts[end]
    search.offer(groups, source)
    weights = _weights(costs, order)
    search.raise_bound(sum(weights), source, {"kind": "weights", "weights": weights})


def _weights(costs: Sequence[int | None], order: Sequence[int]) -> list[int]:
    """Return what each piece adds to the least cost of the pieces before it.

    Fewer than k have no cost. Any will do that is not below the others: runs that begin
    behind such pieces then weigh less than nothing.
    """
    greatest = max(cost for cost in costs if cost is not None)
    filled = (greatest if cost is None else cost for cost in costs)
    weights = [0] * len(order)
    for item, (before, after) in zip(order, pairwise(filled), strict=True):
        weights[item] = after - before
    return weights


METHODS: Sequence[Method[StandardSizes]] = (
    Method(
        "dynamic-program",
        "Runs of the sorted pieces, in O(n k^2)",
        "combinatorial",
        solve,
        polynomial=True,
    ),
    *Methods(_begin).modelled(
        "choose a leader for every piece",
        leader_model,
        {"leaders": CpSat(), "leaders-highs": Highs()},
        at_most(_MOST_ITEMS, "items"),
    ),
)
"""What `--method` can name."""
