"""Column generation: the bound of the linear program over all groups.

Items are the kinds of rows, groups those that satisfy the condition, of which each
pattern offers its best set at the weights of the kinds
(:mod:`~atleastk.solvers.diversity.bounds`). A set may break the condition: that only
weakens the bound.
"""

from __future__ import annotations

from typing import Final

from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.bounds import SCALE, KindWeights
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.master import Master, Proof
from atleastk.solvers.engine.set_partition.oracle import Frame, Priced, Prices
from atleastk.solvers.search import Search

_NEAR: Final = 3
"""The reduced cost, in units of cost, of sets that are added at first: those of the
solution are mostly among them."""


def converge(
    search: Search[Diversity], kinds: Records, weights: KindWeights, budget: Budget
) -> None:
    """Raise the bound to that of the linear program; the best weights stay."""
    assert search.cost is not None
    oracle = _KindOracle(search, kinds, weights)
    start = Proof(Prices(SCALE, weights.weights), weights.total)
    master = Master(oracle, search.cost, budget.seed, start)
    master.add(oracle.best(-_NEAR * SCALE))
    master.converge(budget)
    weights.weights = master.proof.prices.weights
    weights.certify(search)


class _KindOracle:
    """The best sets of the patterns of one search, whose bounds it reports."""

    def __init__(
        self, search: Search[Diversity], kinds: Records, weights: KindWeights
    ) -> None:
        self._search, self._weights = search, weights
        self.frame = Frame(kinds.copies, SCALE, weights.most // SCALE)

    def price(self, prices: Prices, budget: Budget) -> Priced | None:
        """Return the best sets of negative reduced cost."""
        if self._search.done or budget.spent or len(prices.triples):
            return None
        self._weights.weights = prices.weights
        total = self._weights.total
        self._search.raise_bound(-(-total // SCALE), "generated groups")
        return Priced(self.best(0), total - int(prices.weights @ self.frame.demand))

    def best(self, least: int) -> Groups:
        """Return the best sets of greater values, which are reduced costs below 0."""
        ends, kinds, copies, losses = self._weights.sets_above(least)
        return Groups.of(self.frame.n, ends, kinds, losses, copies=copies)
