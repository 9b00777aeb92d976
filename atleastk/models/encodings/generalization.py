"""Encodings of generalisation as linear models over bounded integers.

- *Leaders*, on entries: :mod:`~atleastk.models.encodings.leaders`; every cell has a
  level, counted by 0/1 steps.
- *Pairs*, on attributes: every column has a level; two distinct records are joined iff
  every column has reached the level at which they agree there. All four losses are
  linear in that: a class is what is joined to a record.

Both are exact, and independent of pseudo-columns and of the lattice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.models.encodings.encoding import SolutionEncoding, filled, point
from atleastk.models.encodings.leaders import Conditions, Leaders, split_groups
from atleastk.models.generalization import (
    GeneralizationSolution,
    classes_of,
    completed,
    solution_of_groups,
    solution_of_levels,
)
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution


def agreement(instance: Generalization, rows: Sequence[int]) -> IntArray:
    """Return the least level at which two rows agree, [row, row, column]."""
    chosen = np.array(rows, dtype=np.int64)
    levels = np.zeros((len(chosen), len(chosen), instance.m), dtype=np.int64)
    for j, codes in enumerate(instance.codes):
        labels = codes[:, chosen]
        levels[:, :, j] = (labels[:, :, None] != labels[:, None, :]).sum(axis=0)
    return levels


def _steps(
    builder: LinearModelBuilder, heights: Sequence[int], weights: Sequence[int]
) -> list[list[int]]:
    """Return by column the 0/1 variables of its steps, which do not increase."""
    steps = [
        [builder.variable(0, 1, weight) for _ in range(height)]
        for height, weight in zip(heights, weights, strict=True)
    ]
    for column in steps:
        for lower, higher in pairwise(column):
            builder.row([lower, higher], [1, -1], at_least=0)
    return steps


def steps_of(builder: LinearModelBuilder, instance: Generalization) -> list[list[int]]:
    """Return by column the steps of all rows, with their share of the loss as cost."""
    weights = [weight if instance.is_linear else 0 for weight in instance.weights]
    return _steps(builder, instance.heights, weights)


def joined_pairs(
    builder: LinearModelBuilder,
    steps: Sequence[Sequence[int]],
    agreed: IntArray,
    costs: Mapping[tuple[int, int], int],
) -> dict[tuple[int, int], int]:
    """Return 0/1 variables: two records agree in all columns at these steps.

    `agreed` has the least levels for that, `costs` the costs of pairs, default 0.
    """
    joined: dict[tuple[int, int], int] = {}
    for pair in combinations(range(len(agreed)), 2):
        joined[pair] = builder.variable(0, 1, costs.get(pair, 0))
        levels = zip(steps, agreed[pair].tolist(), strict=True)
        needed = [column[level - 1] for column, level in levels if level]
        for step in needed:
            builder.row([step, joined[pair]], [1, -1], at_least=0)
        signs = [1, *[-1] * len(needed)]
        builder.row([joined[pair], *needed], signs, at_least=1 - len(needed))
    return joined


def leader_model(
    instance: Generalization, conditions: Conditions | None = None
) -> SolutionEncoding:
    """Return the model of leaders, for generalisation on entries.

    0/1 variables: row i is led by row j <= i; cell c of row i is at level l or higher,
    l = 1, ..., h.
    """
    builder, k = LinearModelBuilder(), instance.k
    steps = [
        _steps(builder, instance.heights, [count * w for w in instance.weights])
        for count in instance.row_weights or (1,) * instance.n
    ]
    agreed = agreement(instance, range(instance.n))
    leaders = Leaders(builder, steps, agreed, instance.weights, k, conditions)
    model = builder.build()

    def decode(values: IntArray) -> Solution:
        groups = leaders.groups(values)
        levels = tuple(
            tuple(sum(int(values[step]) for step in cell) for cell in steps[first])
            for first, *_ in groups
        )
        return GeneralizationSolution(tuple(map(tuple, groups)), levels)

    def encode(solution: Solution) -> IntArray | None:
        if any(len(group) < k for group in solution.groups):
            return None
        groups: Sequence[Sequence[int]] = solution.groups
        if conditions is None:
            groups = split_groups(groups, k)
        best = solution_of_groups(instance, groups)
        entries = list(leaders.entries(best.groups))
        for group, levels in zip(best.groups, best.levels, strict=True):
            for i in group:
                for cell, level in zip(steps[i], levels, strict=True):
                    entries += [(step, 1) for step in cell[:level]]
        return filled(point(model.columns, entries), leaders.fillings)

    return SolutionEncoding(model, decode, encode)


def pair_model(
    instance: Generalization, conditions: Conditions | None = None
) -> SolutionEncoding:
    """Return the model of pairs of distinct records, for attributes and every loss.

    0/1 variables: column c is at level l or higher, l = 1, ..., h; records t < u are
    joined; record t is the first of its class.

    - joined iff every column has reached the level of agreement;
    - the copies joined to a record, and its own, are at least k;
    - a record is the first of its class unless it is joined to an earlier one.

    Discernibility is the sum of the products of the copies of joined records, with
    themselves and twice with others; the number of classes that of the first records.
    """
    records, k, loss = instance.records, instance.k, instance.loss
    copies = records.copies.tolist()
    agreed = agreement(instance, records.firsts.tolist())
    builder = LinearModelBuilder()
    steps = steps_of(builder, instance)
    squares = loss == "discernibility"
    products = {
        (t, u): 2 * copies[t] * copies[u]
        for t, u in combinations(range(records.distinct), 2)
        if squares
    }
    joined = joined_pairs(builder, steps, agreed, products)
    always = builder.variable(1, 1, _constant(instance, copies))
    rows_of = records.members
    fillings = []
    for t in range(records.distinct):
        others = [u for u in range(records.distinct) if u != t]
        with_t = [joined[min(t, u), max(t, u)] for u in others]
        builder.row(with_t, [copies[u] for u in others], at_least=k - copies[t])
        if conditions is not None:
            pairs = zip([always, *with_t], [t, *others], strict=True)
            members = [(variable, rows_of[u].tolist()) for variable, u in pairs]
            fillings.append(conditions(builder, members, always))
    opened = {}
    if loss == "average-class-size":
        for u in range(records.distinct):
            opened[u] = builder.variable(0, 1, -1)
            for t in range(u):
                builder.row([opened[u], joined[t, u]], 1, at_most=1)
    model = builder.build()

    def decode(values: IntArray) -> Solution:
        return solution_of_levels(
            instance, [sum(int(values[step]) for step in column) for column in steps]
        )

    def encode(solution: Solution) -> IntArray | None:
        solution = completed(instance, solution)
        levels = solution.levels[0]
        homes = classes_of(instance, levels)[records.firsts]
        entries = [
            (step, 1)
            for column, level in zip(steps, levels, strict=True)
            for step in column[:level]
        ]
        entries += [(v, 1) for (t, u), v in joined.items() if homes[t] == homes[u]]
        first = set(np.unique(homes, return_index=True)[1].tolist())
        entries += [(variable, 1) for u, variable in opened.items() if u in first]
        return filled(point(model.columns, [*entries, (always, 1)]), fillings)

    return SolutionEncoding(model, decode, encode)


def _constant(instance: Generalization, copies: Sequence[int]) -> int:
    if instance.loss == "discernibility":
        return sum(count * count for count in copies)
    return instance.n if instance.loss == "average-class-size" else 0
