"""Set partitioning: choose among listed groups so that every item is in exactly one.

minimise sum c(S) x_S  subject to  sum over S of x_S * (copies of i in S) = demand of i,
fewest <= sum x_S <= most,  x_S a non-negative integer.

With all admissible groups it is exact; with some (of column generation), its optimum is
an upper bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from atleastk.arrays import IntArray
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.groups import Group, Parts
from atleastk.models.kinds import Kinds
from atleastk.models.linear import LinearModelBuilder


def set_partition(groups: Sequence[Group], kinds: Kinds, parts: Parts) -> Encoding:
    """Return the set-partitioning model over groups of kinds.

    Groups with more copies of a kind than there are are left out.
    """
    builder = LinearModelBuilder()
    holders: list[list[int]] = [[] for _ in kinds.demand]
    factors: list[list[int]] = [[] for _ in kinds.demand]
    columns: dict[tuple[int, ...], int] = {}
    for group in groups:
        copies = Counter(group.items)
        times = min(kinds.demand[kind] // count for kind, count in copies.items())
        if times == 0:
            continue
        column = builder.variable(0, times, group.cost, "x", *group.items)
        columns[tuple(sorted(group.items))] = column
        for kind, count in copies.items():
            holders[kind].append(column)
            factors[kind].append(count)
    for holding, counts, demand in zip(holders, factors, kinds.demand, strict=True):
        builder.equation(holding, counts, demand)
    builder.row(range(len(columns)), at_least=parts.fewest, at_most=parts.most)
    chosen = list(columns)

    def decode(values: IntArray) -> list[list[int]]:
        return kinds.unmerge(
            chosen[column]
            for column in values.nonzero()[0]
            for _ in range(int(values[column]))
        )

    def encode(partition: Sequence[Sequence[int]]) -> IntArray | None:
        merged = [tuple(group) for group in kinds.merge(partition)]
        if any(group not in columns for group in merged):
            return None
        return point(len(columns), ((columns[group], 1) for group in merged))

    return Encoding.of_groups(builder.build(), decode, encode)
