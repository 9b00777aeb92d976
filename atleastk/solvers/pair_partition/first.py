"""Pair partition: solutions that need no search; every run begins with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.pair_partition import MOST_PAIRED, PairPartition
from atleastk.models.pair_partition import check
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.packages import csgraph, sparse
from atleastk.solvers.clustering.blocks import halved

MOST_MERGED: Final = 1_000
"""Items up to which groups are merged before any search: a second. Not tuned."""


def first_answers(instance: PairPartition) -> Iterator[tuple[str, Solution]]:
    """Yield names and solutions that violate nothing."""
    n = instance.n
    for name, groups in _made(instance):
        solution = Solution.of(groups)
        if (not n or n >= instance.k) and not check(instance, solution).violations:
            yield name, solution
            if n > MOST_PAIRED:
                return


def _made(instance: PairPartition) -> Iterator[tuple[str, Sequence[Sequence[int]]]]:
    """Yield names and groups, which may violate something."""
    n = instance.n
    if not n:
        yield "nothing", []
    elif instance.connected and n > MOST_PAIRED:
        yield "cut trees", cut_trees(instance)
        yield "components", components(instance)
    elif instance.connected:
        yield "components", components(instance)
        yield "cut trees", cut_trees(instance)
    elif n > MOST_PAIRED:
        found = in_order(instance)
        if instance.points is not None and instance.places.shape[1]:
            blocks = halved(instance.places.astype(np.float64), instance.k)
            found = PackedGroups(*blocks)
            yield "blocks", found
        else:
            yield "in order", found
        yield "dealt", _runs(found.items, instance)
    else:
        yield "one group", [[*range(n)]]
        nearest = cheapest_first(instance)
        yield "cheapest first", nearest
        if instance.has_reliefs and n <= MOST_MERGED:
            yield "merged", merged(instance, nearest)


def in_order(instance: PairPartition) -> PackedGroups:
    """Return runs of k points in the order of their first coordinates, or of items."""
    n, k = instance.n, instance.k
    order = np.arange(n)
    if instance.points is not None and instance.places.shape[1]:
        order = np.lexsort(instance.places.T[::-1])
    starts = np.arange(max(1, n // k) + 1) * min(k, n)
    starts[-1] = n
    return PackedGroups(order, starts)


def cheapest_first(instance: PairPartition) -> list[list[int]]:
    """Return groups of k: the item furthest from all left, and what costs least to add.

    The last group takes what is left over. O(n^2). For points that is MDAV with one
    group at a time [DomingoFerrer02].
    """
    n, k, matrix = instance.n, instance.k, instance.matrix
    left = np.ones(n, dtype=np.bool_)
    far = matrix.sum(axis=1)
    groups: list[list[int]] = []
    while left.sum() >= 2 * k:
        group = [int(np.where(left, far, np.iinfo(np.int64).min).argmax())]
        left[group] = False
        paying = matrix[group[0]].copy()
        while len(group) < k:
            item = int(np.where(left, paying, np.iinfo(np.int64).max).argmin())
            group.append(item)
            left[item] = False
            paying += matrix[item]
        far -= matrix[group].sum(axis=0)
        groups.append(group)
    groups.append(np.flatnonzero(left).tolist())
    return groups


def dealt(instance: PairPartition) -> list[list[int]]:
    """Return groups of sizes that are as even as can be, which may break windows.

    They are runs of the cheapest first, as many as counting allows.
    """
    order = [item for group in cheapest_first(instance) for item in group]
    return _runs(np.array(order, dtype=np.int64), instance).lists()


def _runs(order: IntArray, instance: PairPartition) -> PackedGroups:
    """Return as many runs of an order, as even as can be, as counting allows."""
    parts = instance.counts[-1] if instance.counts else 1
    return PackedGroups(order, np.arange(parts + 1) * len(order) // parts)


def merged(instance: PairPartition, groups: list[list[int]]) -> list[list[int]]:
    """Return groups of which the two are joined that lowers the cost most, and so on.

    Of single items that is the greedy clustering of modularity. O(n^2) for each.
    """
    squares, held = instance.objective == "squares", PackedGroups.of(groups)
    member = np.zeros((len(held), instance.n), dtype=np.int64)
    member[held.homes, held.items] = 1
    paid = instance.matrix[held.items][:, held.items]
    for axis in (0, 1):  # what pairs across cost
        paid = np.add.reduceat(paid, held.starts[:-1], axis=axis)
    inside, size = paid.diagonal() // 2, member.sum(axis=1)
    while len(member) > 1:
        both = inside[:, None] + inside + paid
        if squares:
            each = inside // size
            grown = both // (size[:, None] + size) - each[:, None] - each
        else:
            grown = paid.copy()
        grown[size[:, None] + size > instance.most_items] = 0
        np.fill_diagonal(grown, 0)
        a, b = sorted(divmod(int(grown.argmin()), len(member)))
        if grown[a, b] >= 0:
            break
        for some in (member, size):
            some[a] += some[b]
        inside[a] = both[a, b]
        paid[a] += paid[b]
        paid[:, a] += paid[:, b]
        member, size, inside = (np.delete(x, b, axis=0) for x in (member, size, inside))
        paid = np.delete(np.delete(paid, b, axis=0), b, axis=1)
    return [np.flatnonzero(row).tolist() for row in member]


def _graph(instance: PairPartition) -> Any:
    """Return the pairs that connect, as a sparse matrix of the ranks of their costs."""
    n, (u, v), (*ends, costs) = instance.n, instance.links, instance.listed
    if not len(u):
        return sparse.csr_array((n, n), dtype=np.int64)
    if instance.points is not None:
        costs = np.square(instance.places[u] - instance.places[v]).sum(axis=1)
    elif instance.edges is not None:
        known = sparse.coo_matrix((costs, ends), shape=(n, n)).tocsr()
        costs = np.asarray((known + known.T)[u, v]).ravel()
    ranks = np.empty(len(costs), dtype=np.int64)
    ranks[np.argsort(costs, kind="stable")] = np.arange(1, len(costs) + 1)
    return sparse.coo_matrix((ranks, (u, v)), shape=(n, n)).tocsr()


def components(instance: PairPartition) -> PackedGroups:
    """Return the components of the pairs that connect."""
    _, labels = csgraph.connected_components(_graph(instance), directed=False)
    return PackedGroups.labelled(labels.astype(np.int64))


def cut_trees(instance: PairPartition) -> list[list[int]]:
    """Return what is cut from cheapest spanning trees, from the leaves on.

    It is cut once it has k items, and of every quantity as much as a group needs. What
    is left at a root joins a group beside it.
    """
    n, trees = instance.n, csgraph.minimum_spanning_tree(_graph(instance)).tocoo()
    _, labels = csgraph.connected_components(trees, directed=False)
    roots = np.unique(labels, return_index=True)[1]  # they hang on one that is no item
    ends: tuple[IntArray, IntArray] = (
        np.append(trees.row, roots),
        np.append(trees.col, np.full(len(roots), n)),
    )
    pairs = np.ones(len(ends[0]), dtype=np.int64)
    joined = sparse.csr_array((pairs, ends), shape=(n + 1, n + 1))
    order, parent = csgraph.breadth_first_order(joined, n, directed=False)
    wanted = instance.quantities
    least = np.array([min(instance.k, n + 1), *(quantity.low for quantity in wanted)])
    amounts = np.ones((n + 1, len(least)), dtype=np.int64)  # of what is held
    for q, quantity in enumerate(wanted, 1):
        amounts[:n, q] = quantity.amounts
    groups: list[list[int]] = []
    held = [[item] for item in range(n + 1)]
    beside: dict[int, list[int]] = {}  # by item, a group that what it holds touches
    for item in order[:0:-1].tolist():
        above, own = int(parent[item]), held[item]
        if (amounts[item] >= least).all():
            groups.append(own)
            beside[above] = own
        elif above == n:
            beside.get(item, []).extend(own)  # a component that is too small
        else:
            amounts[above] += amounts[item]
            few, many = sorted((own, held[above]), key=len)
            many += few
            held[above] = many
            if item in beside:
                beside[above] = beside[item]
    return groups
