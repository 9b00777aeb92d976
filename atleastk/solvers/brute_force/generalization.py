"""Generalisation: brute force.

On entries every partition of at most eight rows (4,140 of them), on attributes every
node of the lattice with every set of rows that may be suppressed is tried by
definition, on the labels of the hierarchies themselves: without codes, merged rows,
bounds, or any other code of the solvers. On entries every set of rows that may be
dropped is tried, with every partition of the others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, lcm, prod
from typing import Any

from atleastk.instances.generalization import Generalization
from atleastk.solvers.brute_force.bin_covering import partitions, refuse_more

_ROWS = 8
"""The most rows it takes on entries."""
_NODES = 200_000
"""The most nodes of the lattice it takes on attributes, times sets of
suppressed rows."""

_TOP = None
"""A cell that is published at the top."""

Levels = tuple[int, ...]

Feasible = Callable[[Iterable[Sequence[int]]], bool]
"""Whether these may be the classes of a table."""


def optimum(instance: Generalization) -> int | None:
    """Return the least loss; None if infeasible."""
    return least_loss(
        instance, lambda classes: all(len(rows) >= instance.k for rows in classes)
    )


def least_loss(instance: Generalization, feasible: Feasible) -> int | None:
    """Return the least loss of classes that are feasible; None if none are."""
    instance = instance.written_out
    if instance.on == "attributes":
        return _best_node(instance, feasible)
    refuse_more(instance.n, _ROWS, "rows")
    losses = []
    for count in range(min(instance.suppress_rows, instance.n) + 1):
        for gone in combinations(range(instance.n), count):
            kept = [row for row in range(instance.n) if row not in gone]
            for parts in partitions(len(kept)):
                groups = [[kept[place] for place in part] for part in parts]
                if feasible(groups):
                    each = [_loss_of_group(instance, group) for group in groups]
                    losses += [sum(x for x in each if x is not None)] * (
                        None not in each
                    )
    return min(losses, default=None)


def _loss_of_group(instance: Generalization, group: Sequence[int]) -> int | None:
    """Return the least that a group loses; its rows may stand for several persons.

    None if its rows are not equal at any levels that are allowed.
    """
    weights = instance.row_weights
    persons = len(group) if weights is None else sum(weights[row] for row in group)
    of_row = _loss_of_row(instance, group)
    return None if of_row is None else persons * of_row


def _best_node(instance: Generalization, feasible: Feasible) -> int | None:
    nodes = prod(h.height + 1 for h in instance.hierarchies)
    most = min(instance.suppress_rows, instance.n)
    tries = nodes * sum(comb(instance.n, count) for count in range(most + 1))
    refuse_more(tries, _NODES, "nodes")
    losses = []
    heights = [hierarchy.height for hierarchy in instance.hierarchies]
    allowed = instance.levels or [(0, height) for height in heights]
    for levels in product(*(range(low, high + 1) for low, high in allowed)):
        shown = [_published(instance, row, levels) for row in range(instance.n)]
        top = (_TOP,) * instance.m
        for count in range(most + 1):
            for rows in combinations(range(instance.n), count):
                made = [top if i in rows else row for i, row in enumerate(shown)]
                classes: defaultdict[Hashable, list[int]] = defaultdict(list)
                for i, row in enumerate(made):
                    classes[row].append(i)
                if feasible(classes.values()) and _keeps(instance, levels, classes):
                    losses.append(_loss_of_node(instance, levels, shown, rows))
    return min(losses, default=None)


def _keeps(
    instance: Generalization, levels: Levels, classes: Mapping[Any, Sequence[int]]
) -> bool:
    """Tell whether classes of rows, by what is shown of them, keep all conditions."""
    asked, n = instance.conditions, instance.n
    if asked is None or not n:
        return True
    sizes = [len(rows) for rows in classes.values()]
    if asked.mean_risk is not None and Fraction(len(sizes), n) > asked.mean_risk:
        return False
    if asked.small is not None and asked.at_risk is not None:
        small = sum(size for size in sizes if size < asked.small)
        if Fraction(small, n) > asked.at_risk:
            return False
    if asked.k_map is None or asked.population is None:
        return True

    def label(row: Sequence[str | int], column: int) -> tuple[type, str | int]:
        found = instance.hierarchies[column].chain_of[row[column]][levels[column]]
        return type(found), found

    columns = range(instance.m)
    everybody = [[label(row, j) for j in columns] for row in asked.population]
    mine = [[label(row, j) for j in columns] for row in instance.table]
    return all(everybody.count(row) >= asked.k_map for row in mine)


def _loss_of_node(
    instance: Generalization,
    levels: Levels,
    shown: Sequence[Hashable],
    suppressed: Sequence[int] = (),
) -> int:
    """Return what a node loses at which rows are shown so, but for those suppressed."""
    if instance.loss in ("height", "precision"):
        return _price(instance, levels)
    published = [row for i, row in enumerate(shown) if i not in suppressed]
    if instance.loss == "discernibility":
        sizes = Counter(shown)
        return sum(sizes[row] for row in published) + instance.n * len(suppressed)
    return instance.n - len(set(published))


def _loss_of_row(instance: Generalization, group: Sequence[int]) -> int | None:
    """Return the least that a row of a group loses, over all levels of each column."""
    levels = []
    for j, hierarchy in enumerate(instance.hierarchies):
        low, high = instance.levels[j] if instance.levels else (0, hierarchy.height)
        chains = [hierarchy.chain_of[instance.table[row][j]] for row in group]
        equal = [
            level
            for level in range(low, high + 1)
            if len({(type(c[level]), c[level]) for c in chains}) == 1
        ]
        if not equal:
            return None
        levels.append(equal[0])
    return _price(instance, tuple(levels))


def _published(
    instance: Generalization, row: int, levels: Levels
) -> tuple[tuple[type, str | int] | None, ...]:
    """Return a row at these levels; texts and integers differ.

    A cell is at the top where its label is, here and at all higher levels.
    """
    rest = [
        hierarchy.chain_of[cell][level:]
        for hierarchy, cell, level in zip(
            instance.hierarchies, instance.table[row], levels, strict=True
        )
    ]
    return tuple(
        _TOP
        if len({(type(label), label) for label in labels}) == 1
        else (type(labels[0]), labels[0])
        for labels in rest
    )


def _price(instance: Generalization, levels: Levels) -> int:
    heights = [hierarchy.height for hierarchy in instance.hierarchies]
    weights = instance.column_weights or [1] * instance.m
    if instance.loss == "height":
        return sum(w * level for w, level in zip(weights, levels, strict=True))
    parts = [
        Fraction(weight * level, height)
        for weight, level, height in zip(weights, levels, heights, strict=True)
        if height
    ]
    return int(sum(parts) * lcm(*(height for height in heights if height)))
