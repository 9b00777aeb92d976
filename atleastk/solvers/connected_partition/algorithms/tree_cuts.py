"""Cut a tree into subtrees of weight at least k, the lightest first [Du09, section 2].

The rule: among the edges whose removal leaves two trees of weight at least k, find the
one with the lightest tree T1; T1 is a part, the rest T2 is cut on; a tree without such
an edge is a part.

Theorem. In a tree of degree d whose heaviest node weighs x, and that weighs at least k,
no part weighs more than kappa + d (k - 1), kappa = max(k, x) ([Du09], Lemmas 1 and 2).

As printed
----------
Both proofs are loose in one sentence each; the lemmas hold.

- Lemma 1 orients every edge of a part that cannot be cut towards its heavier side and
  wants *the* node all edges point to. With ties there may be two: path a-v-b with
  weights 1, 0, 1 and both edges oriented away from v. One is enough, and there is one:
  the last node of any walk along the arrows, which in a tree ends.
- Lemma 2 takes the node v of T1 at the cut edge, and says that the d - 1 subtrees below
  it weigh at most k - 1 each, "or else we would have cut one of the edges connecting to
  them in preference". Not if v and the other subtrees weigh nothing: path with weights
  1, 0, 1 and k = 1, where {1} and {1, 0} are equally light. So among the lightest T1
  the one with the fewest nodes is cut here: a subtree of weight k or more would be as
  light at most, with fewer nodes, and leave more on the other side. Whichever of the
  lightest is cut, its weight is the same, so the lemma holds as printed too.

How it is done
--------------
Nodes with one neighbour left are taken off: a branch below k joins its neighbour, for
no edge in it can ever be cut, and a branch of k or more becomes a candidate, which
stays what it is until it is cut. A lightest T1 with the fewest nodes is always a
candidate: all branches below its node at the cut edge are lighter than k. When the
lightest candidate leaves less than k the tree is a part. Every node is a candidate
once: O(n log n).

References
----------
[Du09] W. Du, D. Eppstein, M. T. Goodrich, G. S. Lueker, "On the Approximability of
Geometric and Geographic Generalization and the Min-Max Bin Covering Problem", 2009.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from atleastk.arrays import IntArray
from atleastk.solvers.compiled.compile import compiled, inlined
from atleastk.solvers.compiled.sorting import number, precedes, sink
from atleastk.solvers.connected_partition.algorithms.spanning_trees import degrees


def cut(parent: IntArray, weights: IntArray, k: int) -> IntArray:
    """Return the part of every node of a forest: equal numbers lie together.

    The parent of roots is -1. A tree of less than k becomes a part all the same.
    """
    n = len(parent)
    tree, left = roots(parent), degrees(parent)
    branches = _Branches(
        left=left,
        last=np.zeros(n, dtype=np.int64),
        weight=weights.copy(),
        size=np.ones(n, dtype=np.int64),
        into=np.full(n, -1),
        heap=np.empty(n, dtype=np.int64),
    )
    total = np.zeros(n, dtype=np.int64)
    np.add.at(total, tree, weights)
    least = min(k, int(weights.sum()) + 1)
    _cut(parent, tree, total, np.flatnonzero(left == 1), least, branches)
    ends = roots(np.where(branches.into == np.arange(n), -1, branches.into))
    return np.where(branches.into[ends] == ends, ends, n + tree)


def roots(parent: IntArray) -> IntArray:
    """Return the root of every node's tree, by pointer doubling: O(n log n)."""
    above = np.where(parent < 0, np.arange(len(parent)), parent)
    while True:
        further = above[above]
        if np.array_equal(above, further):
            return above
        above = further


class _Branches(NamedTuple):
    """A forest that is taken apart from its leaves; by node, but for the heap."""

    left: IntArray  # [node]: how many neighbours are left
    last: IntArray  # [node]: the exclusive or of these: if there is one, that one
    weight: IntArray  # [node]: what it and the branches that joined it weigh
    size: IntArray  # [node]: how many nodes they have
    into: IntArray  # [node]: whom it joined, itself where a part was cut, -1 before
    heap: IntArray  # candidates, the lightest first, then those with the fewest nodes


@compiled
def _cut(
    parent: IntArray,
    tree: IntArray,
    total: IntArray,
    leaves: IntArray,
    k: int,
    branches: _Branches,
) -> None:
    """Find the node that every node joins: itself where a part is cut off.

    Trees are known by their roots; `total` is the weight left of a tree, by root.
    """
    left, last, weight, size, into, heap = branches
    for v in range(len(parent)):
        u = parent[v]
        if u >= 0:
            last[u] ^= v
            last[v] ^= u
    # Every branch below k that starts at a leaf joins; heavier ones are candidates.
    count = 0
    for leaf in leaves:
        count = _take_off(leaf, k, branches, count)
    while count > 0:
        end = heap[0]
        count -= 1
        heap[0] = heap[count]
        sink(heap, count, number(0), weight, size)
        # The lightest candidate is cut off, unless the rest would be too light.
        if left[end] != 1 or total[tree[end]] - weight[end] < k:
            continue
        total[tree[end]] -= weight[end]
        into[end] = end
        neighbour = last[end]
        left[neighbour] -= 1
        last[neighbour] ^= end
        # Its neighbour may have become a leaf.
        count = _take_off(neighbour, k, branches, count)


@inlined
def _take_off(node: int, k: int, branches: _Branches, count: int) -> int:
    """Join light branches to their neighbours, from a node on; list a heavy one.

    Return the number of candidates, of which there were `count`.
    """
    left, last, weight, size, into, heap = branches
    v = node
    while into[v] < 0 and left[v] == 1:
        if weight[v] >= k:
            _sift_up(heap, count, v, weight, size)
            return count + 1
        u = last[v]
        into[v] = u
        if left[u] > 1:  # else u is all that is left, and may be in the heap
            weight[u] += weight[v]
            size[u] += size[v]
        left[u] -= 1
        last[u] ^= v
        v = u
    return count


@inlined
def _sift_up(
    heap: IntArray, hole: int, node: int, weight: IntArray, size: IntArray
) -> None:
    """Put a node into a heap from its new place up."""
    while hole > 0 and precedes(node, heap[(hole - 1) // 2], weight, size):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = node
