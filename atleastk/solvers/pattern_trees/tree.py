"""Branch and bound for a tree that refutes all assignments of rows to patterns.

What such a tree proves: :mod:`atleastk.models.certificates.pattern_trees`.

Depth first. At every node a linear program
(:mod:`~atleastk.solvers.pattern_trees.program`) finds a fractional assignment that
exceeds the limits least. Its duals, times a scale and rounded, are the weights of a
leaf, if the checker accepts that they refute the node. Otherwise strong branching
chooses a split (:mod:`~atleastk.solvers.pattern_trees.splits`): the one whose sides
exceed the limits most.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, Final

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.certificates.pattern_pairs import (
    Node,
    PatternPairs,
    PatternProblem,
)
from atleastk.models.certificates.pattern_trees import question_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.pattern_trees.program import Program, Relaxation
from atleastk.solvers.pattern_trees.splits import Split, splits

_MOST_PAIRS: Final = 60_000
"""Pairs of a pattern and a kind, columns of the program: more take seconds a node."""

_MOST_NODES: Final = 20_000
"""Nodes of a tree: about 10 MB of weights for 40 kinds."""

_MOST_DEPTH: Final = 200
"""Depth of splits by counts: readers may be recursive, as JSON parsers are."""

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
        tree = _Tree(pairs, budget)
        found = tree.least_excess(pairs.root)
        return {"kind": "tree", "tree": tree.below(pairs.root, found)}
    except _OpenError:
        return None


_ENOUGH: Final = 0.05
"""In units of the limits: an excess whose duals are weights that refute a node after a
little rounding. Not tuned."""


class _OpenError(Exception):
    """A node that is not refuted, or not in time."""


class _Tree:
    """The tree of one question; programs are shared where the region is the same."""

    def __init__(self, pairs: PatternPairs, budget: Budget) -> None:
        self._pairs, self._budget = pairs, budget
        self._programs: dict[int, Program] = {}
        self._nodes = 0

    def below(self, node: Node, found: Relaxation) -> Mapping[str, Any] | None:
        """Return the tree below a node; None if counting refutes it."""
        self._nodes += 1
        if self._nodes > _MOST_NODES or len(node.counts) > _MOST_DEPTH:
            raise _OpenError
        if self._pairs.overfull(node):
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
        self, node: Node, found: Relaxation
    ) -> tuple[Split, Relaxation, Relaxation]:
        """Return the split whose sides exceed the limits most, by their product.

        An excess counts up to `_ENOUGH`; the first split that reaches it on both sides
        is taken.
        """
        best, most = None, 0.0
        for split in splits(self._pairs, node, found.x):
            sides = self.least_excess(split.yes), self.least_excess(split.no)
            reached = [min(side.excess, _ENOUGH) for side in sides]
            gain = prod(max(_LEAST_GAIN, excess - found.excess) for excess in reached)
            if gain > most:
                best, most = (split, *sides), gain
            if min(reached) == _ENOUGH:
                break
        if best is None:  # an assignment: the bound does not hold
            raise _OpenError
        return best

    def least_excess(self, node: Node) -> Relaxation:
        """Return a fractional assignment of least excess at a node."""
        found = self._program(node).least_excess(node, self._budget)
        if found is None:
            raise _OpenError
        return found

    def _program(self, node: Node) -> Program:
        if node.outside not in self._programs:
            self._programs[node.outside] = Program(self._pairs, node)
        return self._programs[node.outside]
