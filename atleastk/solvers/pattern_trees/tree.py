"""Branch and bound for a tree that refutes all assignments of rows to patterns.

What such a tree proves: :mod:`atleastk.models.certificates.pattern_trees`.

At every node of the tree (:mod:`~atleastk.solvers.engine.refutation_tree`) a linear
program (:mod:`~atleastk.solvers.pattern_trees.program`) finds a fractional assignment
that exceeds the limits least. Its duals, times a scale and rounded, are the weights of
a leaf, if the checker accepts that they refute the node. Otherwise strong branching
chooses a split (:mod:`~atleastk.solvers.pattern_trees.splits`): the one whose sides
exceed the limits most.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf, prod
from typing import Any, Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.certificates.pattern_pairs import (
    Node,
    PatternPairs,
    PatternProblem,
)
from atleastk.models.certificates.pattern_trees import question_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.refutation_tree import (
    MOST_DEPTH,
    Found,
    OpenError,
    Split,
    refutation,
)
from atleastk.solvers.pattern_trees.program import Program, Relaxation
from atleastk.solvers.pattern_trees.splits import splits

_MOST_PAIRS: Final = 60_000
"""Pairs of a pattern and a kind, columns of the program: more take seconds a node."""

_MOST_NODES: Final = 20_000
"""Nodes of a tree: about 10 MB of weights for 40 kinds."""

_LEAST_GAIN: Final = 1e-4
"""In units of the limits: the gain of a side that counts at least, so that products are
not 0. Not tuned."""


def tree_certificate(
    problem: PatternProblem, bound: int | None, budget: Budget
) -> Mapping[str, Any] | None:
    """Return a tree that proves a bound, or None if there is none in time.

    The bound None stands for: nothing is feasible.
    """
    question = question_of(problem, bound)
    if question is None:
        return {"kind": "tree", "tree": None}
    try:
        pairs = PatternPairs.of(question)
    except NotApplicableError:
        return None
    if len(pairs.kind) > _MOST_PAIRS:
        return None
    try:
        nodes = _Nodes(pairs, budget)
        root, counted = nodes.solved(pairs.root), iter(range(_MOST_NODES))
        tree = refutation(root, nodes.visit, counted, inf)
    except OpenError:
        return None
    return {"kind": "tree", "tree": tree}


_ENOUGH: Final = 0.05
"""In units of the limits: an excess whose duals are weights that refute a node after a
little rounding. Not tuned."""

_Solved = tuple[Node, Relaxation]
"""A node, and the solution of its linear program."""


class _Nodes:
    """The nodes of one tree; programs are shared where the region is the same."""

    def __init__(self, pairs: PatternPairs, budget: Budget) -> None:
        self._pairs, self._budget = pairs, budget
        self._programs: dict[int, Program] = {}

    def visit(self, solved: _Solved) -> Found[_Solved]:
        """Return a leaf that refutes a node (None: counting does), or else some splits.

        Only splits by counts are limited in depth.
        """
        node, found = solved
        if len(node.counts) > MOST_DEPTH:
            raise OpenError
        if self._pairs.overfull(node):
            return None
        leaf = self._program(node).leaf(node, found)
        if leaf is not None:
            return leaf.to_dict()
        return self._splits(node, found)

    def solved(self, node: Node) -> _Solved:
        """Solve a node: find a fractional assignment of least excess."""
        found = self._program(node).least_excess(node, self._budget)
        if found is None:
            raise OpenError
        return node, found

    def _splits(self, node: Node, found: Relaxation) -> Iterator[Split[_Solved]]:
        """Yield splits; the gain is the product of the growths of both sides' excess.

        An excess counts up to `_ENOUGH`; a split that reaches it on both sides will do.
        """
        for document, (yes, no) in splits(self._pairs, node, found.x):
            sides = {"yes": self.solved(yes), "no": self.solved(no)}
            reached = [min(side.excess, _ENOUGH) for _, side in sides.values()]
            gain = prod(max(_LEAST_GAIN, excess - found.excess) for excess in reached)
            yield Split(document, sides, gain, min(reached) == _ENOUGH)

    def _program(self, node: Node) -> Program:
        if node.outside not in self._programs:
            self._programs[node.outside] = Program(self._pairs, node)
        return self._programs[node.outside]
