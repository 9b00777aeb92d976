"""A small problem on the engine: groups of least sums of the costs of their pairs."""

from functools import cached_property
from itertools import combinations

import numpy as np

from atleastk.models.results.solution import Verdict
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import Frame, Priced, scale_for


class Pairs:
    """Items with a cost for every pair, in groups of at least k."""

    sha256 = ""

    def __init__(self, rng):
        self.n, self.k = rng.randint(3, 7), rng.randint(1, 3)
        self.left_out = rng.choice([0, 0, 1])
        self.fewest = rng.choice([0, 1, 2, 3])
        self.most = rng.choice([None, self.fewest, self.fewest + 1])
        costs = [rng.randint(0, 20) for _ in range(self.n**2)]
        self.costs = np.triu(np.reshape(costs, (self.n, self.n)), 1)

    @cached_property
    def groups(self):
        items = range(self.n)
        sizes = range(self.k, self.n + 1)
        every = [group for size in sizes for group in combinations(items, size)]
        costs = [int(self.costs[np.ix_(g, g)].sum()) for g in every]
        return dict(zip(every, costs, strict=True))

    def best(self, left, count):
        """Return the least cost of parting items into a number of groups."""
        if not left:
            return 0 if not count else None
        if not count:
            return None
        found = []
        for group, cost in self.groups.items():
            if min(left) in group and left.issuperset(group):
                rest = self.best(left.difference(group), count - 1)
                found += [] if rest is None else [rest + cost]
        return min(found, default=None)

    def optimum(self):
        most = self.n if self.most is None else self.most
        found = [
            self.best(frozenset(range(self.n)).difference(out), count)
            for size in range(self.left_out + 1)
            for out in combinations(range(self.n), size)
            for count in range(self.fewest, most + 1)
        ]
        return min((cost for cost in found if cost is not None), default=None)

    def check(self, _, solution):
        groups = [tuple(sorted(group)) for group in solution.groups]
        held = [item for group in groups for item in group]
        most = self.n if self.most is None else self.most
        assert len(set(held)) == len(held) >= self.n - self.left_out
        assert self.fewest <= len(groups) <= most
        return Verdict(sum(self.groups[group] for group in groups))


class PairOracle:
    """The pricing oracle, by looking at all groups."""

    def __init__(self, pairs, above):
        self._pairs = pairs
        every = [*pairs.groups]
        self._groups = Groups.listed(pairs.n, every, [*pairs.groups.values()])
        self.frame = Frame(
            np.ones(pairs.n, dtype=np.int64),
            scale_for(pairs.n, above),
            above,
            pairs.fewest,
            pairs.most,
            pairs.left_out,
        )

    def _reduced(self, prices):
        groups = self._groups
        crossed = np.zeros(groups.count, dtype=np.int64)
        for triple, paid in zip(prices.triples, prices.of_triples, strict=True):
            crossed += paid * (groups.has[:, triple].sum(axis=1) >= 2)
        given = groups.rows @ prices.weights
        return prices.scale * groups.cost + prices.group - given + crossed

    def price(self, prices, budget):
        reduced = self._reduced(prices)
        few = np.argsort(reduced, kind="stable")[:3]
        most = self._pairs.n // self._pairs.k
        least = most * int(reduced.min(initial=0))
        return Priced(self._groups.only(few[reduced[few] < 0]), least)

    def listed(self, prices, spare, most, budget):
        found = self._groups.only(self._reduced(prices) <= spare)
        return found if found.count <= most else None

    def narrow(self, prices, spare):
        self._groups = self._groups.only(self._reduced(prices) <= spare)
