"""Standard sizes as a linear model: every piece chooses the leader of its group.

minimise    sum of length(j) x_ij
subject to  sum over j of x_ij = 1          every piece i has one leader j,
            x_ij <= x_jj                     who leads itself,
            sum over i of x_ij >= k x_jj     and at least k pieces in all,

where the leader is the longest piece of its group, and of equal ones the last: so there
is an x_ij only where j comes at or after i in order of length. The dynamic program
rests on runs, this model does not: where the two agree, both are probably right.
"""

from __future__ import annotations

from collections.abc import Sequence

from atleastk.arrays import IntArray
from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.linear import LinearModel, LinearModelBuilder
from atleastk.models.standard_sizes import by_length


def leader_model(instance: StandardSizes) -> Encoding:
    """Return the model, and the way between its points and groups of items."""
    n, order = instance.n, by_length(instance)
    place = {item: position for position, item in enumerate(order)}
    builder = LinearModelBuilder()
    x = {
        (i, j): builder.variable(0, 1, instance.lengths[order[j]])
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

    return Encoding(model, decode, encode)


def whole_model(instance: StandardSizes) -> LinearModel:
    """Return the model alone, for export to other solvers."""
    return leader_model(instance).model
