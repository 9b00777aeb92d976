"""Trees of pairs: lower bounds of pair partition in at most two groups, for ``sum``.

Inner nodes: :mod:`~atleastk.models.certificates.pair_trees`. With two groups at most,
every item is on one of two sides, and decisions join items to *blocks*: z_ij, whether i
and j are in one group, is known within a block, and for all pairs of two blocks it is
one z_ab or 1 - z_ab, a and b their first items. A leaf has whole multipliers p >= 0 of
rows that hold for every solution that costs less than the bound B:

``"items"``, ``"triangles"``
    As in :mod:`~atleastk.models.certificates.pair_triangles`.
``"meeting"``: [[i, j, h, p], ...]
    Of three items two are in one group: z_ij + z_jh + z_ih >= 1.
``"leaving"``: [[p, item, ...], ...]
    Where groups are connected: the sum of z over the pairs that connect items of this
    list L with others is at least 1, if L and the others are no two groups that cost
    less than B. Else a group has items of both, and a pair in it connects these; or the
    two groups are L and the others.
``"vectors"``: [[v by block, blocks by first item], ...]
    Whole numbers. Let T be their sum, T_g that of a group, v of a block counting
    negative on the other side from its first item. The squares of two numbers of sum T
    are at least T^2 / 2, so 2 sum of T_g^2 >= T^2, which is

    4 (sum of v_a v_b z_ab over pairs a < b)  >=  T^2 - 2 (sum of v_a^2).

*Theorem.* Take the rows, times their multipliers, off D times the costs; of vectors
the multiplier is 1. What is left of every z_ab, if below 0, plus what is constant, plus
the right sides, over the scale D, is at most what a solution of the leaf costs.

This is the dual of the semidefinite relaxation of the maximum cut with its triangles:
vectors are the factors of a matrix that has no negative eigenvalue, by their form. A
leaf of one block is refuted, too, if its sides are no solution.

References
----------
F. Rendl, G. Rinaldi, A. Wiegele, "Solving max-cut to optimality by intersecting
semidefinite and polyhedral relaxations", Mathematical Programming 121, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.pair_trees import leaves_of
from atleastk.models.certificates.pair_triangles import reduced_by, triangles_of
from atleastk.models.certificates.weights import field
from atleastk.models.pair_partition import check
from atleastk.models.results.fields import INTEGERS
from atleastk.models.results.solution import Solution

NOTHING: Final[Mapping[str, Any]] = {
    "scale": 1,
    **{name: [] for name in ("items", "triangles", "meeting", "leaving", "vectors")},
}
"""A leaf that multiplies nothing; "items" has to be filled."""


def refuses(instance: PairPartition) -> str | None:
    """Say why an instance has no such trees, or None if it has."""
    if instance.objective != "sum":
        return 'a tree of pairs bounds the objective "sum"'
    if not instance.counts or instance.counts[-1] > 2:
        return "a tree of pairs is for one group or two"
    return None


def check_tree(
    instance: PairPartition, certificate: Mapping[str, Any], bound: int
) -> None:
    """Raise CertificateError unless no solution costs less than the bound."""
    reason = refuses(instance)
    if reason is not None:
        raise CertificateError(f"certificate kind: {reason}")
    for leaf, decided in leaves_of(certificate, instance.n, "vectors"):
        sides = sides_of(instance, decided)
        proved = None if sides is None else leaf_bound(instance, leaf, sides, bound)
        if proved is not None and proved < bound:
            raise CertificateError(
                f"certificate tree: a leaf proves the bound {proved}, not {bound}"
            )


def sides_of(instance: PairPartition, decided: Decided) -> IntArray | None:
    """Return by item and block, by first item, the side in it: 1, -1, or 0 for none.

    None if an item would be on both sides.
    """
    n = instance.n
    links: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    for i, j, side in _links(instance, decided):
        links[i].append((j, side))
        links[j].append((i, side))
    found = np.zeros((n, n), dtype=np.int64)
    for first in range(n):
        if found[first].any():
            continue
        found[first, first], reached = 1, [first]
        for i in reached:
            for j, side in links[i]:
                if not found[j, first]:
                    found[j, first] = side * found[i, first]
                    reached.append(j)
                elif found[j, first] != side * found[i, first]:
                    return None
    return found[:, found.any(axis=0)]


def _links(instance: PairPartition, decided: Decided) -> Iterator[tuple[int, int, int]]:
    """Yield pairs on one side, with 1, and on two sides, with -1."""
    ways = (instance.together, decided.together, 1), (instance.apart, decided.apart, -1)
    for lists, pairs, side in ways:
        for some in lists or ():
            for i, j in combinations(some, 2):
                yield i, j, side
        for i, j in np.argwhere(np.triu(pairs, 1)).tolist():
            yield i, j, side


def leaf_bound(
    instance: PairPartition, leaf: Mapping[str, Any], sides: IntArray, bound: int
) -> int | None:
    """Return what solutions cost at least on these sides; None if there is none."""
    if sides.shape[1] == 1 and check(instance, halves(sides[:, 0])).violations:
        return None
    scale = field(leaf, "scale", Integer(minimum=1))
    paid, total = reduced_by(instance, leaf, scale)
    for *three, p in triangles_of(leaf, "meeting", instance.n):
        for a, b in combinations(sorted(three), 2):
            paid[a][b] -= p
        total += p
    for row in field(leaf, "leaving", ListOf(INTEGERS)):
        p, *items = row or (-1,)
        _expect_left(instance, items, p, bound)
        inside = np.zeros(instance.n, dtype=np.bool_)
        inside[items] = True
        leaving = instance.adjacent & (inside[:, None] != inside)
        for a, b in np.argwhere(np.triu(leaving)).tolist():
            paid[a][b] -= p
        total += p
    # Of sides x of 1 and -1, z_ij is (1 + x_i x_j) / 2, and x' paid x is of blocks.
    whole = np.triu(np.array(paid, dtype=object), 1)
    of_blocks = sides.T @ whole @ sides
    left = np.triu(of_blocks + of_blocks.T, 1)
    total += (int(whole.sum()) + int(of_blocks.trace()) - int(left.sum())) // 2
    shape = ListOf(ListOf(Integer(), sides.shape[1]))
    vectors = np.array(field(leaf, "vectors", shape), dtype=object)
    vectors = vectors.reshape(-1, sides.shape[1])
    squares = vectors.T @ vectors
    total += int(squares.sum()) - 2 * int(squares.trace())
    total += int(np.minimum(np.triu(left - 4 * squares, 1), 0).sum())
    return -(-total // scale)


def halves(side: IntArray) -> Solution:
    """Return the groups of two sides."""
    groups = (np.flatnonzero(side == one).tolist() for one in (1, -1))
    return Solution.of(group for group in groups if group)


def may_leave(instance: PairPartition, items: Sequence[int], bound: int) -> bool:
    """Return whether some items and all others are no two groups of a lesser cost."""
    inside = np.isin(np.arange(instance.n), items)
    verdict = check(instance, halves(2 * inside - 1))
    assert verdict.cost is not None
    return verdict.cost >= bound or bool(verdict.violations)


def _expect_left(
    instance: PairPartition, items: Sequence[int], multiplier: int, bound: int
) -> None:
    some = 0 < len(set(items)) < instance.n and all(0 <= i < instance.n for i in items)
    if not (some and instance.connected and multiplier >= 0):
        raise CertificateError(
            "certificate leaving: expected a multiplier and some items, of groups that "
            "are connected"
        )
    if not may_leave(instance, items, bound):
        raise CertificateError(
            f"certificate leaving: {sorted(items)} and all others are a solution that "
            f"costs less than {bound}"
        )
