"""The search for a tree that refutes all deals of rows to patterns.

A bound of suppression is proved if no deal costs less, and that nothing is feasible if
no deal keeps the limits: see :mod:`atleastk.models.certificates.deals`.

At every node of the tree (:mod:`~atleastk.solvers.engine.refutation_tree`) a linear
program (:mod:`~atleastk.solvers.deals.program`) finds a deal in part that exceeds the
limits least. Its duals, times a scale and rounded, are the weights of a leaf, if the
checker confirms that they refute the node. Otherwise the node is split at what the deal
leaves open (:mod:`~atleastk.solvers.deals.splits`), so that its sides exceed the limits
most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf, prod
from typing import Any, Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.certificates.deals import Dealing, Deals, Node, question_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.deals.program import PartialDeal, Program
from atleastk.solvers.deals.splits import splits
from atleastk.solvers.engine.refutation_tree import (
    MOST_DEPTH,
    Found,
    OpenError,
    Split,
    refutation,
)

_MOST_PAIRS: Final = 60_000
"""Pairs of a pattern and a kind, the columns of the program: more of them take seconds
a node."""

_MOST_NODES: Final = 20_000
"""Nodes of a tree: about 10 MB of weights for 40 kinds."""

_LEAST_GAIN: Final = 1e-4
"""In units of the limits: the gain of a side that counts at least, so that products are
not 0. Not tuned."""


def tree_certificate(
    dealing: Dealing, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a tree that proves a bound, or None if there is none in time.

    The bound None stands for: nothing is feasible.
    """
    question = question_of(dealing, bound)
    if question is None:
        return {"kind": "tree", "tree": None}
    try:
        deals = Deals.of(question)
    except NotApplicableError:
        return None
    if len(deals.kind) > _MOST_PAIRS:
        return None
    try:
        nodes = _Nodes(deals, budget)
        root, counted = nodes.solved(deals.root), iter(range(_MOST_NODES))
        tree = refutation(root, nodes.visit, counted, inf)
    except OpenError:
        return None
    return {"kind": "tree", "tree": tree}


_ENOUGH: Final = 0.05
"""In units of the limits: an excess whose duals are weights that refute a node after a
little rounding. Not tuned."""

_Solved = tuple[Node, PartialDeal]
"""A node, and the solution of its linear program."""


class _Nodes:
    """The nodes of one tree; programs are shared where the region is the same."""

    def __init__(self, deals: Deals, budget: Budget) -> None:
        self._deals, self._budget = deals, budget
        self._programs: dict[int, Program] = {}

    def visit(self, solved: _Solved) -> Found[_Solved]:
        """Return a leaf that refutes a node (None: counting does), or else some splits.

        Only splits by copies are limited in depth.
        """
        node, found = solved
        if len(node.copies) > MOST_DEPTH:
            raise OpenError
        if self._deals.overfull(node):
            return None
        leaf = self._program(node).leaf(node, found)
        if leaf is not None:
            return leaf.to_dict()
        return self._splits(node, found)

    def solved(self, node: Node) -> _Solved:
        """Solve the linear program of a node: the deal in part of least excess."""
        found = self._program(node).least_excess(node, self._budget)
        if found is None:
            raise OpenError
        return node, found

    def _splits(self, node: Node, found: PartialDeal) -> Iterator[Split[_Solved]]:
        """Yield splits; the gain is the product of what the excess of sides grows by.

        More than enough counts as enough; if both sides have that, the split will do.
        """
        for document, (yes, no) in splits(self._deals, node, found.dealt):
            sides = {"yes": self.solved(yes), "no": self.solved(no)}
            reached = [min(side.excess, _ENOUGH) for _, side in sides.values()]
            gain = prod(max(_LEAST_GAIN, excess - found.excess) for excess in reached)
            yield Split(document, sides, gain, min(reached) == _ENOUGH)

    def _program(self, node: Node) -> Program:
        if node.outside not in self._programs:
            self._programs[node.outside] = Program(self._deals, node)
        return self._programs[node.outside]
