"""Diversity: the judge.

On entries every partition of at most eight rows (4,140 of them), on attributes every
node of the lattice is tried by definition, with fractions for shares: without codes,
merged rows, joins, bounds, or any other part of what it judges. What a table loses is
left to the judge of generalisation, for a table of one class or of one node.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import product

from atleastk.instances.diversity import Diversity
from atleastk.instances.errors import NotApplicableError
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.brute_force.generalization import (
    NODES,
    ROWS,
    loss_of_group,
    loss_of_node,
    published,
)

__all__ = ["optimum"]


def optimum(instance: Diversity) -> int | None:
    """Return the least loss; None if infeasible."""
    if instance.on == "attributes":
        return _best_node(instance)
    if instance.n > ROWS:
        message = f"brute force takes at most {ROWS} rows, got {instance.n}"
        raise NotApplicableError(message)
    losses = [
        sum(loss_of_group(instance, group) for group in groups)
        for groups in partitions(instance.n)
        if _are_classes(instance, groups)
    ]
    return min(losses, default=None)


def _best_node(instance: Diversity) -> int | None:
    nodes = list(product(*(range(h.height + 1) for h in instance.hierarchies)))
    if len(nodes) > NODES:
        message = f"brute force takes at most {NODES} nodes, got {len(nodes)}"
        raise NotApplicableError(message)
    losses = []
    for levels in nodes:
        classes: defaultdict[Hashable, list[int]] = defaultdict(list)
        shown = [published(instance, row, levels) for row in range(instance.n)]
        for row, cells in enumerate(shown):
            classes[cells].append(row)
        if _are_classes(instance, classes.values()):
            losses.append(loss_of_node(instance, levels, shown))
    return min(losses, default=None)


def _are_classes(instance: Diversity, classes: Iterable[Sequence[int]]) -> bool:
    """Tell whether all classes are large enough and keep their values apart."""
    columns = [
        [(type(value), value) for value in column]
        for column in zip(*instance.sensitive, strict=True)
    ]
    return all(
        len(rows) >= instance.k
        and all(_keeps(instance, column, rows) for column in columns)
        for rows in classes
    )


def _keeps(
    instance: Diversity, column: Sequence[Hashable], rows: Sequence[int]
) -> bool:
    held, all_rows = Counter(column[row] for row in rows), Counter(column)
    if instance.reading == "distinct":
        diverse = len(held) >= instance.l
    else:
        diverse = max(held.values()) * instance.l <= len(rows)
    shares = [
        (Fraction(held[value], len(rows)), Fraction(count, instance.n))
        for value, count in all_rows.items()
    ]
    distance = sum(abs(share - other) for share, other in shares) / 2
    return diverse and (instance.t is None or distance <= instance.t)
