"""Column enumeration: all clusters of reduced cost within the gap, then minimise.

A proof at prices y (:mod:`~atleastk.solvers.cellular_clustering.master`) gives the
greatest reduced cost of a cluster in a solution that costs less than a limit B. With
all clusters up to it listed, the best choice of them is the optimum of the instance, or
nothing costs less than B.

Two methods choose: HiGHS on the set-partitioning model
(:mod:`~atleastk.solvers.cellular_clustering.listed_model`), and Ryan-Foster branching
(:mod:`~atleastk.solvers.cellular_clustering.branching`). HiGHS is better at many
clusters of few points, branching at wide gaps. With two workers they run side by side
until one has decided; with one they take turns with growing effort.

B is the best known cost if the list is short enough; else it is lowered until it is,
and raised again when that is proved to be a bound.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any, Final

from atleastk.arrays import IntArray
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.linear import LinearModel
from atleastk.solvers.backends.backend import Answer
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs, refuse_beyond_doubles, run_apart
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering.branching import Branching
from atleastk.solvers.cellular_clustering.columns import Columns
from atleastk.solvers.cellular_clustering.listed_model import listed_model
from atleastk.solvers.cellular_clustering.master import Master
from atleastk.solvers.cellular_clustering.pricing import list_clusters
from atleastk.solvers.engine.race import together
from atleastk.solvers.search import Search

_SOURCE: Final = "listed clusters"

_EFFORT: Final = 200_000_000
"""The effort of the first turn of branching: some seconds."""

_MORE: Final = 4
"""The ratio of the efforts of consecutive turns."""

_NODES: Final = 100
"""Nodes of a choice among the clusters of a linear program: not tuned."""

_SHARE: Final = 0.2
"""The share of the time for a turn of HiGHS."""


def listed_below(
    master: Master, limit: int, budget: Budget, most: int, steps: int
) -> Columns | None:
    """Return all clusters of solutions below a limit; None if too many."""
    proof, sites = master.proof, master.sites
    found = list_clusters(
        sites, proof.prices, proof.spare(limit), budget, most, steps=steps
    )
    if not found.complete:
        return None
    columns = Columns.of(sites, found)
    return columns.only(columns.cheapest())


def offer_known(
    search: Search[CellularClustering], master: Master, limit: int, budget: Budget
) -> None:
    """Offer the best choice of the clusters of the linear program below a limit."""
    instance, columns = search.instance, master.columns
    model = listed_model(instance, columns, master.triples, limit)
    if not _suits_doubles(model.model):
        return

    def found(values: IntArray) -> None:
        chosen = model.chosen(values)
        if chosen is not None:
            solution = columns.solution(chosen, master.sites.reading)
            search.offer_if_feasible(solution, "clusters")

    highs = Highs({"mip_max_nodes": _NODES})
    answer = highs.minimise(model.model, budget, hint=model.escape, on_answer=found)
    if answer.values is not None:
        found(answer.values)


def minimise_listed(
    search: Search[CellularClustering],
    master: Master,
    columns: Columns,
    limit: int,
    budget: Budget,
    turns: int | None = None,
) -> bool:
    """Minimise over all clusters below a limit; return whether that was decided.

    `turns` limits the effort.
    """
    choice = _ListedChoice(search, master, columns, limit)
    if budget.workers > 1:
        return choice.race(budget, turns)
    for turn in count() if turns is None else range(turns):
        if budget.spent:
            return False
        if choice.branch(budget, turn):
            return True
        nodes = _MORE**turn
        part = budget.slice(_SHARE * min(budget.remaining, 2.0**30))
        if choice.minimise(part, {"mip_max_nodes": nodes}):
            return True
    return False


class _ListedChoice:
    """The set-partitioning problem over listed clusters, solved by either method."""

    def __init__(
        self,
        search: Search[CellularClustering],
        master: Master,
        columns: Columns,
        limit: int,
    ) -> None:
        self._search, self._columns, self._limit = search, columns, limit
        self._reading = master.sites.reading
        triples = master.proof.prices.triples
        self._listed = listed_model(search.instance, columns, triples, limit)
        self._branching = Branching(
            search.instance,
            columns,
            triples,
            limit,
            master.scale,
            self._chosen,
            self._proved,
        )

    def race(self, budget: Budget, turns: int | None) -> bool:
        """Run both until one has decided, or branching has had its turns."""

        def branch(race: Budget) -> bool:
            decided = self.branch(race, None if turns is None else turns - 1)
            if decided or turns is not None:
                race.stop.set()
            return decided

        rivals = branch, self._minimise_first
        return any(together(rivals, replace(budget, workers=1)))

    def branch(self, budget: Budget, turn: int | None) -> bool:
        """Branch, in one turn or to the end; return whether it is decided."""
        effort = None if turn is None else _EFFORT * _MORE**turn
        decided: list[bool] = []
        branching = self._branching
        run_apart(lambda: decided.append(branching.run(budget, effort)), budget)
        return decided == [True]

    def minimise(self, budget: Budget, options: dict[str, int]) -> bool:
        """Minimise in HiGHS; return whether it is decided."""
        model = self._listed.model
        if not _suits_doubles(model):
            return self._is_decided(CpSat().minimise(model, budget, **self._callbacks))
        highs = Highs(options)
        return self._is_decided(highs.minimise(model, budget, **self._callbacks))

    def _minimise_first(self, race: Budget) -> bool:
        decided = self.minimise(race, {})
        if decided:
            race.stop.set()
        return decided

    @property
    def _callbacks(self) -> dict[str, Any]:
        return {
            "hint": self._listed.escape,
            "on_answer": self._found,
            "on_bound": self._proved,
        }

    def _is_decided(self, answer: Answer) -> bool:
        if answer.values is not None:
            self._found(answer.values)
        if answer.bound is not None:
            self._proved(answer.bound)
        return answer.bound is not None and answer.bound == answer.cost

    def _found(self, values: IntArray) -> None:
        chosen = self._listed.chosen(values)
        if chosen is not None:
            self._chosen(chosen)

    def _chosen(self, clusters: IntArray) -> None:
        self._search.offer(self._columns.solution(clusters, self._reading), _SOURCE)
        self._branching.lower(int(self._columns.cost[clusters].sum()))

    def _proved(self, bound: int) -> None:
        self._search.raise_bound(min(bound, self._limit), _SOURCE)


def _suits_doubles(model: LinearModel) -> bool:
    """Return whether HiGHS can decide a model."""
    try:
        refuse_beyond_doubles(model, Highs.name)
    except NotApplicableError:
        return False
    return True
