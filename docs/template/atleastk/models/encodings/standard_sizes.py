"""Standard sizes as a linear model: every piece chooses the leader of its group.

The dynamic program rests on runs, this model does not: where the two agree, both are
probably right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.standard_sizes import by_length


def leader_model(instance: StandardSizes) -> Encoding:
    """Pieces are led by the longest piece of their group.

    Variables: x_i_j, piece i is led by piece j, the longest of its group, of equal ones
    the last: so j comes at or after i in order of length.

    minimise    sum_{i,j} length(j) x_i_j
    subject to  sum_j x_i_j = 1                        every piece i has one leader j,
                x_i_j <= x_j_j                         who leads itself,
                sum_i x_i_j >= k x_j_j                 and at least k pieces in all.
    """
    n, order = instance.n, by_length(instance)
    place = {item: position for position, item in enumerate(order)}
    builder = LinearModelBuilder()
    x = {
        (i, j): builder.variable(0, 1, instance.lengths[order[j]], "x", order[i], order[j])
        for j in range(n)
        for i in range(j + 1)
    }
    for i in range(n):
        builder.equation([x[i, j] for j in range(i, n)], 1, 1)
    for j in range(n):
        members = [x[i, j] for i in range(j)]
        for member in members:
            builder.row([x[j, j], member], [1, -1], at_least=0)
        factors = [1] * j + [1 - min(instance.k, n + 1)]
        builder.row([*members, x[j, j]], factors, at_least=0)
    model = builder.build()

    def decode(values: IntArray) -> list[list[int]]:
        return [
            [order[i] for i in range(j + 1) if values[x[i, j]]]
            for j in range(n)
            if values[x[j, j]]
        ]

    def encode(groups: Sequence[Sequence[int]]) -> IntArray | None:
        led = [(group, max(place[item] for item in group)) for group in groups]
        chosen = [(x[place[item], j], 1) for group, j in led for item in group]
        return point(model.columns, chosen)

    return Encoding.of_groups(model, decode, encode)


FORMULATIONS: Final = (Formulation("leaders", leader_model),)
