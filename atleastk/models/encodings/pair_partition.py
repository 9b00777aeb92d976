"""Pair partition as linear models: of pairs [GroetschelWakabayashi89], and of groups.

References
----------
[GroetschelWakabayashi89] M. Groetschel, Y. Wakabayashi, "A cutting plane algorithm for
a clustering problem", Mathematical Programming 45, 1989.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.pair_partition import admissible_groups
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.set_partition import set_partition
from atleastk.models.groups import Group, Parts
from atleastk.models.kinds import Kinds
from atleastk.models.linear import LinearModelBuilder

MOST_GROUPS: Final = 200_000
"""Groups of a model, at most: seconds to write it down."""


def pair_model(
    instance: PairPartition, triangles: Iterable[Sequence[int]] | None = None
) -> Encoding:
    """Pairs are in one group or not, for the objective sum without connectivity.

    Variables: z_i_j, items i < j are in one group; f_j, item j is the first of its
    group.

    minimise    sum_{i<j} c_ij z_i_j
    subject to  z_i_j + z_j_h - z_i_h <= 1            for all i, j, h: a partition,
                sum_j z_i_j >= k - 1                  every group has k items,
                f_j + sum_{i<j} z_i_j >= 1,
                f_j + z_i_j <= 1                      for i < j,
                least <= sum_j f_j <= most            the number of groups,

    and what is required of the group of i, together or apart, as rows of z_i_j. With
    some `triangles` only, (i, j, h) as above, points may be no partitions.
    """
    reason = _needs_groups(instance)
    if reason is not None:
        raise NotApplicableError(reason)
    n, matrix = instance.n, instance.matrix
    builder = LinearModelBuilder()
    z = {
        (i, j): builder.variable(0, 1, int(matrix[i, j]), "z", i, j)
        for i, j in combinations(range(n), 2)
    }
    first = builder.binaries(n, "f")
    if triangles is None:
        all_three = combinations(range(n), 3)
        triangles = (turned for three in all_three for turned in _turned(three))
    for i, j, h in triangles:
        sides = [z[min(pair), max(pair)] for pair in ((i, j), (j, h), (i, h))]
        builder.row(sides, (1, 1, -1), at_most=1)
    for j in range(n):
        before = [z[i, j] for i in range(j)]
        builder.row([first[j], *before], at_least=1)
        for variable in before:
            builder.row([first[j], variable], at_most=1)
        mates = {i: z[min(i, j), max(i, j)] for i in range(n) if i != j}
        builder.row([*mates.values()], at_least=min(instance.k, n + 1) - 1)
        for quantity in instance.quantities:
            amounts, own = quantity.amounts, quantity.amounts[j]
            factors = [amounts[i] for i in mates]
            builder.row(
                [*mates.values()],
                factors,
                at_least=quantity.low - own,
                at_most=quantity.high - own,
            )
    if instance.groups is not None:
        builder.row(first, at_least=instance.groups[0], at_most=instance.groups[1])
    for items in instance.together or ():
        for pair in combinations(sorted(items), 2):
            builder.equation([z[pair]], 1, 1)
    for items in instance.apart or ():
        for pair in combinations(sorted(items), 2):
            builder.equation([z[pair]], 1, 0)
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        return [
            [j, *(i for i in range(j + 1, n) if values[z[j, i]])]
            for j in range(n)
            if values[first[j]]
        ]

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        chosen = [(first[min(group)], 1) for group in groups]
        for group in groups:
            chosen += [(z[pair], 1) for pair in combinations(sorted(group), 2)]
        return point(model.columns, chosen)

    return Encoding(model, decode, encode)


def _needs_groups(instance: PairPartition) -> str | None:
    if instance.objective == "sum" and not instance.connected:
        return None
    return "pairs alone know neither sizes nor connected groups"


def _turned(three: tuple[int, int, int]) -> Iterable[tuple[int, int, int]]:
    """Return the triangles of three items: each in the middle once."""
    i, j, h = three
    return ((i, j, h), (j, i, h), (i, h, j))


def group_model(instance: PairPartition) -> Encoding:
    """All admissible groups of few items are listed, for every objective and window.

    Variables: x_i_j_.., the items i, j, .. are a group.

    minimise    sum_S c(S) x_S
    subject to  sum_{S holds i} x_S = 1               for every item i,
                least <= sum_S x_S <= most            the number of groups.
    """
    groups = admissible_groups(instance, MOST_GROUPS)
    if groups is None:
        raise NotApplicableError(f"there are more than {MOST_GROUPS} groups")
    listed = [Group(group, instance.cost_of(group)) for group in groups]
    number = Parts(*(instance.groups or (0, instance.n)))
    return set_partition(listed, Kinds.apart([0] * instance.n), number)


FORMULATIONS: Final = (
    Formulation("pairs", pair_model, _needs_groups),
    Formulation("groups", group_model),
)
