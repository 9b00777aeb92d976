"""Diversity: brute force.

On entries every partition of at most eight rows (4,140 of them), on attributes every
node of the lattice is tried by definition, with fractions for shares: without codes,
merged rows, joins, bounds, or any other code of the solvers. The enumeration and the
losses are those of generalisation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from math import prod

from atleastk.instances.diversity import Diversity
from atleastk.solvers.brute_force.generalization import least_loss


def optimum(instance: Diversity) -> int | None:
    """Return the least loss; None if infeasible."""
    instance = instance.written_out
    return least_loss(instance, partial(_are_classes, instance))


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
    instance: Diversity, column: Sequence[tuple[type, object]], rows: Sequence[int]
) -> bool:
    held, all_rows = Counter(column[row] for row in rows), Counter(column)
    counts = sorted(held.values(), reverse=True)
    if instance.reading == "distinct":
        diverse = len(held) >= instance.l
    elif instance.reading == "entropy":
        s = len(rows)
        diverse = s**s >= instance.l**s * prod(c**c for c in counts)
    elif instance.reading == "recursive":
        diverse = counts[0] < (instance.c or 1) * sum(counts[instance.l - 1 :])
    else:
        diverse = max(held.values()) * instance.l <= len(rows)
    shares = [
        (Fraction(held[value], len(rows)), Fraction(count, instance.n))
        for value, count in all_rows.items()
    ]
    distance = sum(abs(share - other) for share, other in shares) / 2
    if instance.ordered:
        distance, ahead = Fraction(0), Fraction(0)
        for value in sorted(all_rows, key=lambda pair: int(str(pair[1]))):
            share = Fraction(held[value], len(rows))
            ahead += share - Fraction(all_rows[value], instance.n)
            distance += abs(ahead) / max(1, len(all_rows) - 1)
    return diverse and (instance.t is None or distance <= instance.t)
