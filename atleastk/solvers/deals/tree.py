"""The search for a tree that refutes all deals of rows to patterns.

A bound of suppression is proved if no deal costs less, and that nothing is feasible if
no deal keeps the limits: see :mod:`atleastk.models.certificates.deals`.

Depth first. At every node a linear program
(:mod:`~atleastk.solvers.deals.program`) finds a deal in part that exceeds the limits
least. Its duals, times a scale and rounded, are the weights of a leaf, if the checker
says that they refute the node. Otherwise the node is divided at what the deal leaves
open (:mod:`~atleastk.solvers.deals.splits`), so that its sides exceed the limits most.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.certificates.deals import Dealing, Deals, Node, question_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.deals.program import PartialDeal, Program
from atleastk.solvers.deals.splits import Split, splits

_MOST_PAIRS: Final = 60_000
"""Pairs of a pattern and a kind, the columns of the program: more of them take seconds
a node."""

_MOST_NODES: Final = 20_000
"""Nodes of a tree: about 10 MB of weights for 40 kinds."""

_MOST_DEPTH: Final = 200
"""Splits by copies above one another: readers may be recursive, as of JSON they are."""

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
        tree = _Tree(deals, budget)
        found = tree.least_excess(deals.root)
        return {"kind": "tree", "tree": tree.below(deals.root, found)}
    except _OpenError:
        return None


_ENOUGH: Final = 0.05
"""In units of the limits: an excess whose duals are weights that refute a node after a
little rounding. Not tuned."""


class _OpenError(Exception):
    """A node that is not refuted, or not in time."""


class _Tree:
    """The tree of one question; programs are shared where the region is the same."""

    def __init__(self, deals: Deals, budget: Budget) -> None:
        self._deals, self._budget = deals, budget
        self._programs: dict[int, Program] = {}
        self._nodes = 0

    def below(self, node: Node, found: PartialDeal) -> Mapping[str, Any] | None:
        """Return the tree below a node of this least excess; None: counting does."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(node.copies) > _MOST_DEPTH:
            raise _OpenError
        if self._deals.overfull(node):
            return None
        leaf = self._program(node).leaf(node, found)
        if leaf is not None:
            return leaf.to_dict()
        split, yes, no = self._best_split(node, found)
        return {
            **split.document,
            "yes": self.below(split.yes, yes),
            "no": self.below(split.no, no),
        }

    def _best_split(
        self, node: Node, found: PartialDeal
    ) -> tuple[Split, PartialDeal, PartialDeal]:
        """Return the split whose sides exceed the limits most, by their product.

        More than enough counts as enough; if both sides do, that is it.
        """
        best, most = None, 0.0
        for split in splits(self._deals, node, found.dealt):
            sides = self.least_excess(split.yes), self.least_excess(split.no)
            reached = [min(side.excess, _ENOUGH) for side in sides]
            gain = prod(max(_LEAST_GAIN, excess - found.excess) for excess in reached)
            if gain > most:
                best, most = (split, *sides), gain
            if min(reached) == _ENOUGH:
                break
        if best is None:  # this is a deal: the bound does not hold
            raise _OpenError
        return best

    def least_excess(self, node: Node) -> PartialDeal:
        """Return a deal in part at a node."""
        found = self._program(node).least_excess(node, self._budget)
        if found is None:
            raise _OpenError
        return found

    def _program(self, node: Node) -> Program:
        if node.outside not in self._programs:
            self._programs[node.outside] = Program(self._deals, node)
        return self._programs[node.outside]
