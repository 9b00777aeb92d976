"""Pair partition: connected groups within their windows, whatever they cost, by halves.

The graph is cut in two, and its halves again, into groups that keep one window
(:mod:`~atleastk.solvers.connected_partition.halving`): that of their sizes, or that of
a quantity. Those that happen to keep all others as well are a solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

import numpy as np

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component, components_of
from atleastk.solvers.connected_partition.halving import decide_by_halving

_SHARES: Final = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.1, 0.0)
"""The numbers of groups that are tried, in the most that counting allows: not tuned."""


def in_halves(instance: PairPartition, budget: Budget) -> list[list[int]] | None:
    """Return the first solution that is found; None if none is."""
    fewest, most = instance.counts[0], instance.counts[-1]
    counts = dict.fromkeys(max(fewest, int(share * most)) for share in _SHARES)
    pairs = np.unique(np.sort(instance.links, axis=0), axis=1).T.tolist()
    asked = [
        (components_of(ConnectedPartition(amounts, pairs, 1)), least, greatest)
        for amounts, least, greatest in _windows(instance)
    ]
    left = len(counts) * len(asked)
    for count, (components, least, greatest) in product(counts, asked):
        if budget.spent:
            return None
        part, left = budget.share(1 / left), left - 1
        groups = _divided(components, Window(count, least, greatest), part)
        if groups and not check(instance, Solution.of(groups)).violations:
            return groups
    return None


def _windows(instance: PairPartition) -> Iterator[tuple[list[int], int, int]]:
    """Yield sizes, and quantities that are never negative, with their limits."""
    yield [1] * instance.n, instance.k, instance.most_items
    for quantity in instance.quantities:
        if len({*quantity.amounts}) > 1 and min(quantity.amounts) >= 0:
            yield [*quantity.amounts], max(1, quantity.low), quantity.high


def _divided(
    components: Sequence[Component], window: Window, budget: Budget
) -> list[list[int]] | None:
    """Return about so many connected groups within a window, if they are found."""
    groups: list[list[int]] = []
    mean = sum(component.total for component in components) / window.parts
    for place, component in enumerate(components):
        own = Window(max(1, round(component.total / mean)), window.least, window.most)
        part = budget.share(1 / (len(components) - place))
        found = decide_by_halving(component, own, part).found
        if found is None:
            return None
        firsts = component.firsts
        groups += [firsts[items].tolist() for items in found]
    return groups
