"""Connected partition: the approximation algorithms of [Du09, section 2].

All cut a spanning tree of every component, the lightest part first; see
:mod:`atleastk.solvers.connected_partition.algorithms.tree_cuts` for the rule and its
bound kappa + d (k - 1) with a tree of degree d, kappa = max(k, heaviest node) <= OPT.
What differs is the tree; see
:mod:`atleastk.solvers.connected_partition.algorithms.spanning_trees`.

Tree cut
    d = 3: at most 4 kappa - 3. Barnette's theorem gives 3-connected planar graphs such
    a tree, but no fast construction: it is searched for, and if none is found the
    method refuses. The search has found one for every 3-connected planar graph it was
    tried on, all 2,907 with up to nine nodes among them. Other graphs may have one as
    well, and then the promise holds for them.
Hamiltonian cut
    d = 2: at most 3 kappa - 2. Tutte's theorem gives 4-connected planar graphs a
    Hamiltonian path; searched for in the same way.
Balanced cut
    The best of several trees for every component, whose parts of 2k and more are then
    cut along trees of their own. Parts only become lighter by that, so the promise is
    that of the lowest degree found, whatever the graph.

Both ratios are tight. A centre k with m = 3 branches centre - leaf - b - a that weigh
k - 1, k and 1 becomes {a, b} three times and a rest of 4k - 3; in a planar 3-connected
graph with more edges, the optimum is k. With m = 2 the branches make a path, 1, k,
k - 1, k, k - 1, k, 1 in a 4-connected graph: 3k - 2, the optimum is k.

The components of an infeasible instance that weigh less than k become one part each.

References
----------
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.models.results.guarantee import Guarantee, Regardless
from atleastk.models.results.solution import Solution
from atleastk.solvers.connected_partition.algorithms.spanning_trees import (
    EFFORT,
    degrees,
    low_degree_forest,
)
from atleastk.solvers.connected_partition.algorithms.tree_cuts import cut, roots
from atleastk.solvers.method import Algorithm

_TRIES: Final = 32
"""Trees to try before a degree counts as out of reach. Not tuned."""

_ROUNDS: Final = 8
"""Trees that balanced cut takes, after each of which it cuts all parts. Not tuned."""


def forest_cut(instance: ConnectedPartition, seed: int, degree: int) -> Solution:
    """Cut a forest of at most this degree, or of the least degree that is found."""
    starts, ends = instance.adjacency
    forest = low_degree_forest(starts, ends, seed)
    if degrees(forest).max(initial=0) > degree:
        forest = _lowest(starts, ends, degree)
    return Solution.labelled(cut(forest, instance.amounts, instance.k))


def balanced_cut(instance: ConnectedPartition, seed: int) -> Solution:
    """Cut several forests, keep the best of every component, and cut its parts."""
    starts, ends = instance.adjacency
    weights = instance.amounts
    forest = _lowest(starts, ends, 2)
    component = roots(forest)
    best = cut(forest, weights, instance.k)
    cost = _costs(best, component, weights)
    for draw in np.random.default_rng(seed).integers(2**62, size=_ROUNDS).tolist():
        forest = low_degree_forest(starts, ends, draw)
        parts = cut(forest, weights, instance.k)
        reached = _costs(parts, component, weights)
        better = reached < cost
        best = np.where(better[component], parts, best)
        cost = np.minimum(cost, reached)
        best = _split(best, starts, ends, weights, instance.k, draw)
        cost = _costs(best, component, weights)
    return Solution.labelled(best)


def degree_found(instance: ConnectedPartition, goal: int) -> int:
    """Return a degree, at most `goal` if possible, of which a forest is found."""
    forest = _lowest(*instance.adjacency, goal)
    return int(degrees(forest).max(initial=0))


def _lowest(starts: IntArray, ends: IntArray, goal: int) -> IntArray:
    """Return the forest of least degree of several, the first within the goal."""
    effort = EFFORT
    best = low_degree_forest(starts, ends, 0, effort)
    least = degrees(best).max(initial=0)
    for seed in range(1, _TRIES):
        effort -= 100 * len(ends)
        if least <= goal or effort < 0:
            break
        forest = low_degree_forest(starts, ends, seed, effort)
        degree = degrees(forest).max(initial=0)
        if degree < least:
            best, least = forest, degree
    return best


def _costs(parts: IntArray, component: IntArray, weights: IntArray) -> IntArray:
    """Return the heaviest part of every component, at the root of the component."""
    heavy = np.zeros(2 * len(parts), dtype=np.int64)
    np.add.at(heavy, parts, weights)
    cost = np.zeros(len(parts), dtype=np.int64)
    np.maximum.at(cost, component, heavy[parts])
    return cost


def _split(
    parts: IntArray,
    starts: IntArray,
    ends: IntArray,
    weights: IntArray,
    k: int,
    seed: int,
) -> IntArray:
    """Cut every part along a tree of its own."""
    nodes = np.repeat(np.arange(len(parts)), np.diff(starts))
    inner = parts[nodes] == parts[ends]
    counts = np.bincount(nodes[inner], minlength=len(parts))
    inner_starts = np.concatenate((starts[:1], np.cumsum(counts)))
    forest = low_degree_forest(inner_starts, ends[inner], seed, effort=0)
    return cut(forest, weights, k)


def _kappa(instance: ConnectedPartition) -> int:
    return max(instance.k, max(instance.weights, default=0))


def _by_lemmas(instance: ConnectedPartition) -> int:
    return _ceiling(degree_found(instance, 2), instance)


def _degree_at_most(degree: int, instance: ConnectedPartition) -> str | None:
    found = degree_found(instance, degree)
    if found <= degree:
        return None
    kind = "Hamiltonian paths" if degree == 2 else f"spanning trees of degree {degree}"
    return f"it needs {kind}, the lowest degree found is {found}; take balanced-cut"


def _ceiling(degree: int, instance: ConnectedPartition) -> int:
    return _kappa(instance) + degree * (instance.k - 1)


def _by_trees_of_degree_3(instance: ConnectedPartition) -> int:
    return _ceiling(3, instance)


def _has_trees_of_degree_3(instance: ConnectedPartition) -> bool:
    return _degree_at_most(3, instance) is None


def _by_paths(instance: ConnectedPartition) -> int:
    return _ceiling(2, instance)


def _has_paths(instance: ConnectedPartition) -> bool:
    return _degree_at_most(2, instance) is None


LEMMAS = Guarantee(
    statement="cost <= kappa + d (k - 1) <= (d + 1) OPT, kappa = max(k, max w)",
    theorem="[Du09] Lemmas 1 and 2",
    hypotheses="d is the degree of the spanning trees found",
    ceiling=Regardless(_by_lemmas),
)

FOUR = Guarantee(
    statement="cost <= kappa + 3 (k - 1) <= 4 OPT, kappa = max(k, max w)",
    theorem="[Du09] Theorem 3",
    hypotheses="spanning trees of degree 3 are found, as in 3-connected planar graphs",
    ceiling=Regardless(_by_trees_of_degree_3),
    applies=_has_trees_of_degree_3,
)

THREE = Guarantee(
    statement="cost <= kappa + 2 (k - 1) <= 3 OPT, kappa = max(k, max w)",
    theorem="[Du09] Theorem 3",
    hypotheses="Hamiltonian paths are found, as in 4-connected planar graphs",
    ceiling=Regardless(_by_paths),
    applies=_has_paths,
)

ALGORITHMS: Sequence[Algorithm[ConnectedPartition]] = (
    Algorithm(
        "tree-cut",
        "Cut spanning trees of degree 3, the lightest part first",
        lambda instance, seed: forest_cut(instance, seed, 3),
        FOUR,
        partial(_degree_at_most, 3),
    ),
    Algorithm(
        "hamiltonian-cut",
        "Cut Hamiltonian paths, the lightest part first",
        lambda instance, seed: forest_cut(instance, seed, 2),
        THREE,
        partial(_degree_at_most, 2),
    ),
    Algorithm(
        "balanced-cut",
        "Cut several spanning trees of low degree, and the parts again",
        balanced_cut,
        LEMMAS,
    ),
)
