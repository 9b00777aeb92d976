"""Encodings of bin covering as linear models over bounded integers.

- *Assignment*: x_ij says that item i is in bin j. The textbook model; good where bins
  hold many items.
- *Patterns*: set partitioning over all admissible bins; good where bins hold few items.
- *Arc flow* [Valerio de Carvalho 1999]: bins are paths over levels 0, 1, ..., high that
  take items in decreasing order; good where levels are small.

All are exact. Bounds and windows: :mod:`atleastk.models.bin_covering`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import accumulate, combinations, pairwise
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups, level_cap
from atleastk.models.bin_covering import counting_bound, most_bins, window
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.set_partition import set_partition
from atleastk.models.kinds import Kinds
from atleastk.models.linear import INFINITE, LinearModelBuilder

_MOST_ARCS = 300_000
"""The most arcs of a model: solvers rarely solve larger ones."""

_MOST_PATTERNS = 300_000
"""The most patterns of a model."""


def assignment(instance: BinCovering, bins: int, high: int | None = None) -> Encoding:
    """Return the assignment model: at most `bins` bins, minimise the cost.

    Variables x_ij (item i in bin j) and y_j (bin j is used), and the greatest level for
    the objective ``max``. Used bins come first, and the largest item is in the first.
    No level exceeds `high`, by default a bound that some optimal solution satisfies.

    The objective ``quadratic`` counts every pair of items in one bin: O(n^2) more
    variables, O(n^2 bins) more rows.
    """
    _refuse_huge(instance)
    objective, k = instance.objective, instance.k
    if high is None:
        high = instance.total if objective == "max" else level_cap(instance)
    kinds = Kinds.apart(instance.sizes)
    sizes = kinds.values
    builder = LinearModelBuilder()
    reward = -k if objective == "excess" else 0
    used = [builder.variable(0, 1, reward, "y", j) for j in range(bins)]
    items = [item for (item,) in kinds.members]
    x = [builder.binaries(bins, "x", item) for item in items]
    for row in x:
        builder.equation(row, 1, 1)
    for j, y in enumerate(used):
        level = [row[j] for row in x]
        builder.row([*level, y], [*sizes, -k], at_least=0)
        builder.row([*level, y], [*sizes, -high], at_most=0)
    for y, following in pairwise(used):
        builder.row([y, following], [1, -1], at_least=0)
    if x:
        builder.equation([x[0][0]], 1, 1)
    if objective == "max":
        counted = counting_bound(instance, bins) if x else 0
        paid = builder.variable(min(counted, high), high, 1, "K")
        builder.row([paid], at_least=counted)
        for held in zip(*x, strict=True):
            builder.row([*held, paid], [*sizes, -1], at_most=0)
    else:
        squares = sum(size**2 for size in sizes) - k * instance.total
        cost = instance.total if objective == "excess" else squares
        paid = builder.variable(1, 1, cost, "one")
    together = _pairs(builder, sizes, x, items) if objective == "quadratic" else {}
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        return _decoded(kinds, x, values)

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        ordered = sorted(kinds.merge(groups))
        if len(ordered) > bins:
            return None
        entries = [(x[kind][j], 1) for j, g in enumerate(ordered) for kind in g]
        entries += [(used[j], 1) for j in range(len(ordered))]
        greatest = max((sum(sizes[kind] for kind in g) for g in ordered), default=0)
        entries.append((paid, greatest if objective == "max" else 1))
        if together:
            pairs = (pair for g in ordered for pair in combinations(g, 2))
            entries += ((together[pair], 1) for pair in pairs)
        return point(model.columns, entries)

    return Encoding.of_groups(model, decode, encode)


def assignment_decision(instance: BinCovering, bins: int, cost: int) -> Encoding:
    """Return the decision model: exactly `bins` bins, none above `cost`.

    Only 0/1 variables x_ij, and every level in the window of
    :func:`~atleastk.models.bin_covering.window`. Bins are numbered by their largest
    items, so bin j holds none of the j largest.
    """
    _refuse_huge(instance)
    kinds = Kinds.apart(instance.sizes)
    levels = window(instance, bins, cost)
    builder = LinearModelBuilder()
    x: list[dict[int, int]] = []
    for demand, last in zip(kinds.demand, accumulate(kinds.demand), strict=True):
        homes = range(min(bins, last))
        x.append({j: builder.variable(0, demand) for j in homes})
        builder.equation(x[-1].values(), 1, demand)
    for j in range(bins):
        admitted = [kind for kind, row in enumerate(x) if j in row]
        level = [x[kind][j] for kind in admitted]
        factors = [kinds.values[kind] for kind in admitted]
        builder.row(level, factors, at_least=levels.least)
        builder.row(level, factors, at_most=levels.most)
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        return _decoded(kinds, x, values)

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        ordered = sorted(kinds.merge(groups))
        if len(ordered) != bins:
            return None
        entries = ((x[kind][j], 1) for j, group in enumerate(ordered) for kind in group)
        return point(model.columns, entries)

    return Encoding.of_groups(model, decode, encode)


def patterns(
    groups: BinGroups, limit: int, stopped: Callable[[], bool] = lambda: False
) -> Encoding | None:
    """Return the model over all admissible bins; None if they are more than `limit`.

    None also if it was stopped.
    """
    columns = groups.columns(limit, stopped)
    return (
        None if columns is None else set_partition(columns, groups.kinds, groups.parts)
    )


def arc_flow(groups: BinGroups) -> Encoding:
    """Return the arc-flow model of the admissible bins, for any objective.

    A node per level; an arc (level, kind) takes one item of the kind; a bin leaves the
    graph at a level of the window, at its cost. Every bin is the path that takes its
    kinds in order. Other paths may arise from the arcs; since all paths of a flow
    together take every kind as often as it exists, they are bins as well.
    """
    kinds = groups.kinds
    arcs = _arcs(groups)
    builder = LinearModelBuilder()
    x = {
        (level, kind): builder.variable(
            0, kinds.demand[kind], 0, "a", level, kinds.values[kind]
        )
        for level, kind in arcs
    }
    ends = {level + kinds.values[kind] for level, kind in x}
    leave = {
        level: builder.variable(
            0, groups.parts.most, groups.cost(level), "leave", level
        )
        for level in sorted(ends)
        if groups.levels.holds(level)
    }
    balance = defaultdict[int, list[tuple[int, int]]](list)
    for (level, kind), arc in x.items():
        balance[level + kinds.values[kind]].append((arc, 1))
        if level:
            balance[level].append((arc, -1))
    for level, sink in leave.items():
        balance[level].append((sink, -1))
    for level in sorted(balance):
        flows = dict(balance[level])
        builder.equation(flows.keys(), flows.values(), 0)
    for kind, demand in enumerate(kinds.demand):
        builder.equation([x[arc] for arc in arcs if arc[1] == kind], 1, demand)
    fewest, most = groups.parts
    builder.row(leave.values(), at_least=fewest, at_most=most)
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        return kinds.unmerge(_paths(x, leave, kinds, values))

    def encode(partition: Sequence[Sequence[int]]) -> IntArray | None:
        entries: list[tuple[int, int]] = []
        for group in kinds.merge(partition):
            level = 0
            for kind in group:
                if (level, kind) not in x:
                    return None
                entries.append((x[level, kind], 1))
                level += kinds.values[kind]
            if level not in leave:
                return None
            entries.append((leave[level], 1))
        return point(model.columns, entries)

    return Encoding.of_groups(model, decode, encode)


def _refuse_huge(instance: BinCovering) -> None:
    power = 2 if instance.objective == "quadratic" else 1
    if instance.total**power >= INFINITE:
        raise NotApplicableError(
            f"a total size of {instance.total} is too large for 64-bit models"
        )


def _pairs(
    builder: LinearModelBuilder,
    sizes: Sequence[int],
    x: Sequence[Sequence[int]],
    items: Sequence[int],
) -> dict[tuple[int, int], int]:
    """Add variables that are 1 if two items share a bin, with their costs."""
    together = {}
    for a, b in combinations(range(len(sizes)), 2):
        pair = items[a], items[b]
        together[a, b] = builder.variable(0, 1, 2 * sizes[a] * sizes[b], "z", *pair)
        for in_a, in_b in zip(x[a], x[b], strict=True):
            builder.row([in_a, in_b, together[a, b]], [1, 1, -1], at_most=1)
    return together


def _decoded(
    kinds: Kinds, x: Sequence[Sequence[int] | dict[int, int]], values: IntArray
) -> list[list[int]]:
    """Return the bins of an assignment that are not empty."""
    bins: dict[int, list[int]] = {}
    for kind, row in enumerate(x):
        homes = row.items() if isinstance(row, dict) else enumerate(row)
        for j, variable in homes:
            bins.setdefault(j, []).extend([kind] * int(values[variable]))
    return kinds.unmerge(group for group in bins.values() if group)


def _arcs(groups: BinGroups) -> list[tuple[int, int]]:
    """Return (level, kind) where a path in order may take the kind, by levels.

    The level is reached by earlier kinds and fewer than all copies of this one, and
    this and later kinds lead on to the window.
    """
    kinds, low, high = groups.kinds, groups.levels.least, groups.levels.most
    if high * len(kinds.values) > 50 * _MOST_ARCS:
        raise NotApplicableError(
            f"levels up to {high} are too many for an arc-flow model"
        )
    reached = np.zeros(max(high, 0) + 1, dtype=np.bool_)
    reached[0] = True
    forward = []
    for size, copies in zip(kinds.values, kinds.demand, strict=True):
        forward.append(_spread(reached, size, copies - 1))
        reached = _spread(reached, size, copies)
    ending = np.zeros_like(reached)
    ending[max(low, 0) :] = True
    arcs: list[tuple[int, int]] = []
    for kind in range(len(kinds.values) - 1, -1, -1):
        size, copies = kinds.values[kind], kinds.demand[kind]
        after = _spread(ending[::-1], size, copies - 1)[::-1]
        ending = _spread(ending[::-1], size, copies)[::-1]
        starts = np.flatnonzero(forward[kind][: max(0, high + 1 - size)] & after[size:])
        arcs += [(level, kind) for level in starts.tolist()]
        if len(arcs) > _MOST_ARCS:
            raise NotApplicableError(
                f"more than {_MOST_ARCS} arcs are too many for an arc-flow model"
            )
    return sorted(arcs)


def _spread(reached: BoolArray, size: int, copies: int) -> BoolArray:
    """Return the levels reached with up to `copies` further items of this size."""
    spread = reached.copy()
    for _ in range(min(copies, (len(reached) - 1) // size)):
        further = reached.copy()
        further[size:] |= spread[:-size]
        if (further == spread).all():
            break
        spread = further
    return spread


def _paths(
    x: dict[tuple[int, int], int], leave: dict[int, int], kinds: Kinds, values: IntArray
) -> list[list[int]]:
    """Split a flow into paths, each the kinds of a bin."""
    flow: dict[int, list[int]] = {}
    for (level, kind), arc in x.items():
        flow.setdefault(level, []).extend([kind] * int(values[arc]))
    exits = {level: int(values[sink]) for level, sink in leave.items()}
    paths = []
    while flow.get(0):
        path: list[int] = []
        level = 0
        while not (path and exits.get(level, 0)):
            kind = flow[level].pop()
            path.append(kind)
            level += kinds.values[kind]
        exits[level] -= 1
        paths.append(path)
    return paths


def whole_assignment(instance: BinCovering) -> Encoding:
    """Sizes are assigned to bins.

    Variables: x_i_j, item i is in bin j; y_j, bin j is used; K, the greatest level;
    z_a_b, items a and b share a bin; one = 1, a constant. For sizes s_i of total S:

    max         minimise  K
    excess      minimise  S one - k sum_j y_j
    quadratic   minimise  (sum_i s_i^2 - k S) one + sum_{a<b} 2 s_a s_b z_a_b
    subject to  sum_j x_i_j = 1                            for every item i,
                k y_j <= sum_i s_i x_i_j <= U y_j          for every bin j,
                y_j >= y_{j+1},   x_g_0 = 1                for the largest item g,
    max         sum_i s_i x_i_j <= K                       for every bin j,
    quadratic   x_a_j + x_b_j - 1 <= z_a_b                 for all pairs and bins,

    where no bin of some optimal solution is above U.
    """
    return assignment(instance, max(1, most_bins(instance)))


def whole_patterns(instance: BinCovering) -> Encoding:
    """All admissible bins are listed, by the kinds of sizes in them.

    Variables: x_a_b_.., how many bins hold one item of the size number a, one of b, ..;
    the greatest size is number 0. Of costs that add up, with d_a items of size a:

    minimise    sum_P c(P) x_P
    subject to  sum_P (copies of a in P) x_P = d_a         for every size a,
                fewest <= sum_P x_P <= most.
    """
    encoding = patterns(BinGroups.sums(instance), _MOST_PATTERNS)
    if encoding is None:
        raise NotApplicableError(
            f"the instance has more than {_MOST_PATTERNS} patterns"
        )
    return encoding


def whole_arc_flow(instance: BinCovering) -> Encoding:
    """Bins are paths over the levels 0, 1, .. that take items in decreasing order.

    Variables: a_l_s, how many bins of level l take an item of size s next; leave_l, how
    many bins end at level l. Of costs that add up, with d_s items of size s:

    minimise    sum_l c(l) leave_l
    subject to  sum_s a_{l-s}_s = sum_s a_l_s + leave_l    for every level l > 0,
                sum_l a_l_s = d_s                          for every size s,
                fewest <= sum_l leave_l <= most.
    """
    return arc_flow(BinGroups.sums(instance))


FORMULATIONS: Final = (
    Formulation("assignment", whole_assignment),
    Formulation("patterns", whole_patterns),
    Formulation("arc-flow", whole_arc_flow),
)
