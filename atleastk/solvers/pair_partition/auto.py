"""Pair partition: the automatic choice of methods; `STAGES`, at the end, lists it.

Good groups come from annealing. Column generation bounds the cost, and closes the gap
by all groups that a better solution may have
(:mod:`~atleastk.solvers.engine.set_partition.closing`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.instances.pair_partition import PairPartition
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.modelled import at_most
from atleastk.solvers.engine.set_partition.closing import Closing
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.stages import Stage, Stages, always, run_stages
from atleastk.solvers.pair_partition.certify import COUNT, QUICK_SETS, certificate_of
from atleastk.solvers.pair_partition.first import MOST_PAIRED, first_answers
from atleastk.solvers.pair_partition.grown import grown
from atleastk.solvers.pair_partition.local_search import improve
from atleastk.solvers.pair_partition.pricing import PairOracle
from atleastk.solvers.search import Search

MOST_PRICED: Final = 1_000
"""Items for which groups are priced: at k = 3 a minute is enough. Not tuned."""

_MOST_TOTAL: Final = 2**50
"""The most that all pairs cost where groups are priced, in scaled 64-bit integers."""

_COOLINGS: Final = 9
"""Coolings of the local search where groups are priced afterwards. Not tuned."""

_CHOOSING: Final = 0.1
"""The share of the time for the best choice of the groups known. Not tuned."""


def solve(search: Search[PairPartition]) -> None:
    """Solve an instance by the best methods known: `--method auto`."""
    run_stages(search, STAGES, _Work(search))


def generate_columns(search: Search[PairPartition]) -> None:
    """Solve by column generation, from whatever the search knows."""
    run_stages(search, COLUMNS, _Work(search))


def refuses_prices(instance: PairPartition) -> str | None:
    """Say why the groups of an instance cannot be priced, or None if they can."""
    if instance.total > _MOST_TOTAL:
        return "all pairs cost more than 2**50 in all"
    return at_most(MOST_PRICED, "items")(instance)


def begin(search: Search[PairPartition], source: str) -> bool:
    """Report what is known at once; return whether there is more to do."""
    instance = search.instance
    if not instance.counts:
        search.close_infeasible(source, COUNT)
        return False
    offer_first(search, first_answers(instance))
    if not instance.total or not instance.n:
        zero = {"kind": "weights", "scale": 1, "weights": [0] * instance.n, "group": 0}
        search.raise_bound(0, source, zero)
    return not search.done


class _Work:
    """A search, and how to close its gap once the linear program is solved."""

    closing: Closing[PairPartition] | None = None

    def __init__(self, search: Search[PairPartition]) -> None:
        self.search, self.instance = search, search.instance
        self.priced = refuses_prices(self.instance) is None
        self.small = self.instance.n <= MOST_PAIRED

    def bound_by_nearest(self, _: Budget) -> None:
        """Let every item pay for half of its k - 1 cheapest pairs.

        A group of s items has s times the mean of what these pay at least, divided by s
        for squares: that grows with s. Rounding down takes less than 1 a group.
        """
        search, k = self.search, self.instance.k
        near = np.sort(self.instance.matrix, axis=1)[:, 1:k]  # but for the item itself
        paid = int(near.sum())
        if self.instance.objective == "sum":
            search.raise_bound(-(-paid // 2), "nearest")
        else:
            rounded = self.instance.n // k
            search.raise_bound(max(0, -(-paid // (2 * k)) - rounded), "nearest")

    def grow(self, part: Budget) -> None:
        """Offer groups that grow, where nothing else is feasible."""
        for groups in grown(self.instance, part):
            self.search.offer(groups, "grown groups")

    def improve(self, part: Budget) -> None:
        """Search locally from the best solution."""
        solution = self.search.solution
        if solution is None:
            return
        improve(
            self.instance,
            [list(group) for group in solution.groups],
            part,
            lambda groups: self.search.offer(groups, "local search"),
            _COOLINGS if self.priced else 2**30,
        )

    def bound(self, _: Budget) -> None:
        """Solve the linear program over all groups."""
        search, above = self.search, self.instance.total + 1
        oracle = PairOracle(self.instance, above)
        closing = Closing(
            search,
            oracle,
            above,
            "groups",
            _solution_of,
            lambda prices, bound: certificate_of(
                self.instance, oracle, prices, bound, search.budget, QUICK_SETS
            ),
        )
        if search.solution is not None:
            closing.master.add(_known(self.instance, search.solution))
        if closing.bound(_CHOOSING):
            self.closing = closing

    def enumerate(self, _: Budget) -> None:
        """List all groups of better solutions."""
        if self.closing is not None:
            self.closing.enumerate()

    @property
    def is_free(self) -> bool:
        """Whether nothing but sizes and connection is asked of a group."""
        asked = self.instance
        return not (asked.quantities or asked.together or asked.apart)


def _solution_of(groups: Groups) -> Solution:
    return Solution.of(groups.members)


def _known(instance: PairPartition, solution: Solution) -> Groups:
    groups = [sorted(group) for group in solution.groups]
    return Groups.listed(instance.n, groups, [*map(instance.cost_of, groups)])


COLUMNS: Final[Stages[_Work]] = (
    Stage("linear program", always, None, _Work.bound),
    Stage("listed groups", always, None, _Work.enumerate),
)
"""Column generation alone."""

STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, lambda w, _: begin(w.search, "count")),
    Stage("nearest", lambda w: w.small, None, _Work.bound_by_nearest),
    Stage(
        "grown groups", lambda w: w.small and w.search.solution is None, 0.2, _Work.grow
    ),
    Stage("local search", lambda w: w.is_free and w.priced, 0.25, _Work.improve),
    Stage(
        "local search",
        lambda w: w.is_free and w.small and not w.priced,
        None,
        _Work.improve,
    ),
    Stage("linear program", lambda w: w.priced, None, _Work.bound),
    Stage("listed groups", lambda w: w.priced, None, _Work.enumerate),
)
"""What is done for more than a few items. Shares are not tuned."""
