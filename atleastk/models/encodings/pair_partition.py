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
            low, high = quantity.low - own, quantity.high - own
            builder.row([*mates.values()], factors, at_least=low, at_most=high)
    if instance.groups is not None:
        builder.row(first, at_least=instance.groups[0], at_most=instance.groups[1])
    for lists, alike in ((instance.together, 1), (instance.apart, 0)):
        for items in lists or ():
            for pair in combinations(sorted(items), 2):
                builder.equation([z[pair]], 1, alike)
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

    return Encoding.of_groups(model, decode, encode)


def placed_model(instance: PairPartition) -> Encoding:
    """Items are placed in numbered groups, whatever these cost, unless connected.

    Groups are numbered by their first items, so that of g has a number of at least g.

    Variables: x_i_g, item i is in group g <= i; u_g, there is a group g.

    subject to  sum_g x_i_g = 1                       for every item i,
                k u_g <= sum_i x_i_g <= n u_g,
                low u_g <= sum_i a_i x_i_g <= high u_g  for what is required,
                u_g >= u_(g+1)

    for all g, and u_g = 1 below the least number of groups. Items that have to be
    together have the variables of the first one, and of those apart one is in g.
    """
    if instance.connected:
        raise NotApplicableError("places do not know connected groups")
    n, most = instance.n, instance.counts[-1]
    first = list(range(n))  # of those that have to be together
    for items in instance.together or ():
        joined = {first[i] for i in items}
        first = [min(joined) if i in joined else i for i in first]
    builder = LinearModelBuilder()
    u = [builder.variable(g < instance.counts[0], 1, 0, "u", g) for g in range(most)]
    x = {
        (i, g): builder.variable(0, 1, 0, "x", i, g)
        for i in sorted(set(first))
        for g in range(min(i + 1, most))
    }
    for i in sorted(set(first)):
        builder.equation([x[i, g] for g in range(min(i + 1, most))], 1, 1)
    windows = [((1,) * n, instance.k, n)]
    windows += [(q.amounts, q.low, q.high) for q in instance.quantities]
    for g in range(most):
        if g:
            builder.row([u[g - 1], u[g]], (1, -1), at_least=0)
        for amounts, low, high in windows:
            there = [i for i in range(n) if amounts[i] and (first[i], g) in x]
            variables = [*(x[first[i], g] for i in there), u[g]]
            factors = [int(amounts[i]) for i in there]
            builder.row(variables, [*factors, -low], at_least=0)
            builder.row(variables, [*factors, -high], at_most=0)
        for items in instance.apart or ():
            some = [x[first[i], g] for i in items if (first[i], g) in x]
            builder.row(some, at_most=1)
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        groups = [
            [i for i in range(n) if (first[i], g) in x and values[x[first[i], g]]]
            for g in range(most)
        ]
        return [group for group in groups if group]

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        chosen = {u[g]: 1 for g in range(len(groups))}
        for g, group in enumerate(sorted(groups, key=min)):
            chosen |= {x[first[i], g]: 1 for i in group}
        return point(model.columns, chosen.items())

    return Encoding.of_groups(model, decode, encode)


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
