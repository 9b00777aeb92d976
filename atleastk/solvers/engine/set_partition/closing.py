"""The gap closed on behalf of a search: column generation, cuts, and listed groups.

A proof at prices (:mod:`~atleastk.solvers.engine.set_partition.master`) gives the
greatest reduced cost of a group in a solution that costs less than a limit B. With all
groups up to it listed, the best choice of them is the optimum of the instance, or
nothing costs less than B.

Triples that groups may not share raise the bound while there is too much left to list.
B is the best known cost if the list is short enough; else it is lowered until it is,
and raised again when that is proved to be a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

import numpy as np

from atleastk.instances.instance import Instance
from atleastk.models.certificates.weights import Prices
from atleastk.models.results.solution import Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.refutation_tree import GIVEN_UP
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.listed import LONG, ListedChoice
from atleastk.solvers.engine.set_partition.master import Master
from atleastk.solvers.engine.set_partition.oracle import Oracle
from atleastk.solvers.engine.set_partition.triples import violated_triples
from atleastk.solvers.search import Search

_MOST_TRIPLES: Final = 2000
"""Triples of a linear program, at most: not tuned."""

_LITTLE: Final = 0.01
"""The share of what is left of the gap that further triples have to gain."""

_POOLS: Final = (20_000, 80_000, 320_000)
"""Groups that are listed at most, one after the other."""


I = TypeVar("I", bound=Instance)  # noqa: E741 - an instance, as in the papers


class Closing(Generic[I]):
    """A search whose instance is one of set partitioning.

    Parameters
    ----------
    above
        More than any solution costs: a bound of that much says that there is none.
    lift
        What the groups of every solution cost more in all than the solution does: for
        groups that may cost less than nothing. All else here is with it.
    source
        What the groups are called in the events of a run.
    solution
        Returns the solution of some groups; items that are in none are left out.
    certificate
        Returns a certificate for a bound that prices without triples prove, if that
        takes no time.
    """

    def __init__(
        self,
        search: Search[I],
        oracle: Oracle,
        above: int,
        source: str,
        solution: Callable[[Groups], Solution],
        certificate: Callable[[Prices, int], Mapping[str, Any] | None],
        lift: int = 0,
    ) -> None:
        self._search, self._above, self._source = search, above, source
        self._lift, self._solution, self._certificate = lift, solution, certificate
        self._oracle, self.is_open = oracle, False
        seed = search.budget.seed
        self.master = Master(oracle, self._limit, seed, times=GIVEN_UP)

    def start(self, prices: Prices) -> None:
        """Begin with what prices prove, and with the groups that they leave."""
        priced = self._oracle.price(prices, self._search.budget)
        if priced is not None:
            self.master.prove(prices, priced.least)
            self.master.add(priced.groups)
            self._report(certified=True)

    def bound(self, part: Budget | None = None) -> bool:
        """Solve the linear program, with triples; return whether to list groups next.

        Without triples it has a part of the time.
        """
        search, master = self._search, self.master
        solved = master.converge(part or search.budget)
        self._report(certified=True)
        if not solved or search.done:
            return False
        self._cut()
        self.is_open = not search.done
        return self.is_open

    def enumerate(self) -> None:
        """List the groups of better solutions, as far as there is room; minimise.

        Limits below the best cost get only a few turns.
        """
        search = self._search
        for most in _POOLS:
            while not search.done:
                limit = self._limit
                groups, below = self._longest_list(limit, most)
                if groups is None:
                    break
                early = below < limit
                choice = self._choice(groups, below)
                if not choice.decide(search.budget, 5 if early else None):
                    if early:
                        break
                    return
                self._close_infeasible(below)

    @property
    def _limit(self) -> int:
        """The best cost known, or more than any solution costs."""
        cost = self._search.cost
        return self._above if cost is None else cost + self._lift

    @property
    def _bound(self) -> int:
        """The best bound known."""
        bound = self._search.bound
        return 0 if bound is None else bound + self._lift

    def _cut(self) -> None:
        """Add triples while they raise the bound and there is too much left to list."""
        search, master, budget = self._search, self.master, self._search.budget
        single = master.frame.demand == 1
        while not search.done:
            self._offer_if_whole()
            if search.done:
                return
            if self._listed(self._limit, LONG) is not None:
                self.enumerate()
                return
            has = master.groups.has
            triples = violated_triples(has, master.point, single, most=100)
            many = len(master.triples) + len(triples) > _MOST_TRIPLES
            if many or not len(triples):
                return
            before = master.proof.total
            master.narrow(self._limit)
            master.cut(triples)
            solved = master.converge(budget)
            self._report()
            left = master.proof.spare(self._limit)
            if not solved or master.proof.total - before <= _LITTLE * left:
                return

    def _listed(self, limit: int, most: int) -> Groups | None:
        """Return all groups of solutions below a limit; None if too many."""
        proof, budget = self.master.proof, self._search.budget
        return self._oracle.listed(proof.prices, proof.spare(limit), most, budget)

    def _longest_list(self, limit: int, most: int) -> tuple[Groups | None, int]:
        """Return all groups below a limit, lowered until there are not too many.

        None if that is no more than the bound.
        """
        search, below = self._search, limit
        bound = max(self._bound, self.master.proof.bound)
        while below > bound and not search.budget.spent:
            found = self._listed(below, most)
            if found is not None:
                listed = f"groups listed: {found.count}, below {below - self._lift}"
                search.say(listed + ", not all" * (below < limit))
                return found, below
            below = bound + (below - bound) // 2
        return None, below

    def _choice(self, groups: Groups, limit: int) -> ListedChoice:
        """Return the choice among all groups below a limit."""
        search, source = self._search, f"listed {self._source}"
        return ListedChoice(
            self.master.frame,
            groups,
            self.master.proof.prices.triples,
            limit,
            self._limit,
            lambda chosen: search.offer(self._solution(chosen), source),
            lambda bound: search.raise_bound(bound - self._lift, source),
        )

    def _offer_if_whole(self) -> None:
        """Report the solution of the linear program if it is one of the instance."""
        master = self.master
        times = np.rint(master.point).astype(np.int64)
        chosen = master.groups.only(np.repeat(np.arange(len(times)), times))
        lacking = master.frame.demand - chosen.rows.sum(axis=0)
        few = master.frame.most is None or chosen.count <= master.frame.most
        if few and (lacking >= 0).all() and lacking.sum() <= master.frame.left_out:
            self._search.offer_if_feasible(self._solution(chosen), self._source)

    def _report(self, *, certified: bool = False) -> None:
        """Report the bound of the linear program, and forget groups by it."""
        search, proof, limit = self._search, self.master.proof, self._limit
        bound, certificate = min(proof.bound, limit), None
        if certified and bound >= self._bound:
            with search.budget.awaiting():  # the bound holds without it
                certificate = self._certificate(proof.prices, bound)
        search.raise_bound(bound - self._lift, self._source, certificate)
        self._close_infeasible(proof.bound)
        if not search.done:
            self._oracle.narrow(proof.prices, proof.spare(limit))

    def _close_infeasible(self, bound: int) -> None:
        """Report that nothing is feasible if that is what a bound says."""
        if self._search.cost is None and bound >= self._above:
            self._search.close_infeasible(self._source)
