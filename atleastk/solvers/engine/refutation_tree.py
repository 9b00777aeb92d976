"""Refutation trees: branch and bound, depth first, whose leaves are proofs.

A node has a leaf that refutes it, or two sides that are refuted each. Of a few splits
that one is chosen whose gain is greatest (strong branching). A split is often by a pair
that a fractional choice of groups puts together in part (Ryan-Foster branching).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np

from atleastk.arrays import BoolArray, FloatArray
from atleastk.models.admissible.decided import Decided
from atleastk.solvers.precision import NOTHING

Node = TypeVar("Node")

MOST_NODES: Final = 2_000
"""Nodes of a tree, each with weights of all items: some megabytes of a certificate."""

MOST_DEPTH: Final = 200
"""Splits above one another: readers may be recursive, as those of JSON are."""

TRIED: Final = 3
"""Splits whose sides are both solved before one is chosen (strong branching)."""

GIVEN_UP: Final = 64
"""The cost of giving up, in bounds: any cost of at least one is valid, and with just
one a share of it hides for long that a node has no choice."""


class OpenError(Exception):
    """A node that is not refuted, or not in time."""


class Split(NamedTuple, Generic[Node]):
    """A split as the certificate states it, its gain, and if that is good enough."""

    document: Mapping[str, Any]
    sides: Mapping[str, Node]
    gain: float
    enough: bool = False


Found = Mapping[str, Any] | None | Iterator[Split[Node]]
"""A leaf, or some splits."""


def refutation(
    node: Node,
    visit: Callable[[Node], Found[Node]],
    nodes: Iterator[int] | None = None,
    most_depth: float = MOST_DEPTH,
) -> Mapping[str, Any] | None:
    """Return the tree below a node, of which `visit` gives the leaf, or some splits.

    Every node takes one from `nodes`, by default of `MOST_NODES`. An `OpenError` if a
    node has no splits, or if the tree has too many nodes or levels.
    """
    nodes = iter(range(MOST_NODES)) if nodes is None else nodes
    if next(nodes, None) is None or most_depth < 0:
        raise OpenError
    found = visit(node)
    if not isinstance(found, Iterator):
        return found
    best = None
    for split in found:
        best = max(best or split, split, key=attrgetter("gain"))
        if split.enough:
            break
    if best is None:  # the node has a solution, so the claim is false
        raise OpenError
    tree = {**best.document}
    for name, side in best.sides.items():
        tree[name] = refutation(side, visit, nodes, most_depth - 1)
    return tree


def undecided(decided: Decided, has: BoolArray, shares: FloatArray) -> FloatArray:
    """Return the :func:`togetherness` of pairs, 0 for those that are decided."""
    shared = togetherness(has, shares)
    shared[decided.together | decided.apart] = 0.0
    return shared


def togetherness(has: BoolArray, shares: FloatArray) -> FloatArray:
    """Return by pair [a, b], a < b, the share of the groups with both items.

    `has` is an array [group, item]; `shares` says how much of each group is chosen.
    """
    some = shares > NOTHING
    inside = has[some].astype(np.float64)
    return np.triu(inside.T @ (inside * shares[some][:, None]), 1)


def most_even(shared: FloatArray, most: int = TRIED) -> Iterator[tuple[int, int]]:
    """Yield a few places [a, b] of numbers that are not whole, nearest to 1/2 first."""
    parted = np.minimum(shared, 1.0 - shared)
    for place in map(int, np.argsort(-parted, axis=None, kind="stable")[:most]):
        a, b = divmod(place, len(parted))
        if parted[a, b] <= NOTHING:
            return
        yield a, b
