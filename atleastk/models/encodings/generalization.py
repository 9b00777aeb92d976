"""Encodings of generalisation as linear models over bounded integers.

- *Leaders*, on entries: every row is led by the first row of its group, and every cell
  has a level, counted by 0/1 steps.
- *Pairs*, on attributes: every column has a level; two distinct records are joined iff
  every column has reached the level at which they agree there. All four losses are
  linear in that: a class is what is joined to a record.

Both are exact, and independent of pseudo-columns and of the lattice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.models.encodings.encoding import SolutionEncoding, filled, point
from atleastk.models.encodings.k_anonymity import split_groups
from atleastk.models.generalization import (
    GeneralizationSolution,
    classes_of,
    solution_of_groups,
    solution_of_levels,
)
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution

Conditions = Callable[
    [LinearModelBuilder, Sequence[tuple[int, Sequence[int]]], int],
    Callable[[IntArray], None],
]
"""Adds further conditions on a class, given its members - a counting variable, and the
rows that it stands for - and a variable that is 1 if the class is not empty. Returns a
function that fills in the added variables, from those of the members."""


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
    l = 1, ..., h. A leader leads itself and k-1 to 2k-2 later rows; with further
    conditions, which forbid to split groups, any number of them.

    - steps descend: a cell at level l is at all lower ones;
    - row and leader reach the level at which they agree;
    - the cells of a row have the levels of its leader's.

    Valid inequalities, for the relaxation: a row costs no less than agreement with its
    leader, and with any k - 1 rows.
    """
    n, k, weights = instance.n, instance.k, instance.weights
    persons = instance.row_weights or (1,) * n
    agreed = agreement(instance, range(n))
    apart = agreed @ np.array(weights, dtype=np.int64)
    least = np.sort(apart, axis=1)[:, min(k, n) - 1] if n else apart
    builder = LinearModelBuilder()
    steps = [
        _steps(builder, instance.heights, [count * weight for weight in weights])
        for count in persons
    ]
    leaders = max(0, n - k + 1)
    leads = [builder.binaries(min(i + 1, leaders)) for i in range(n)]
    for i in range(n):
        builder.equation(leads[i], 1, 1)
        terms = {s: weights[c] for c, cell in enumerate(steps[i]) for s in cell}
        for j, lead in enumerate(leads[i]):
            terms[lead] = -int(max(least[i], least[j], apart[i, j]))
        builder.row(terms.keys(), terms.values(), at_least=0)
    fillings = []
    for j in range(leaders):
        led = [leads[i][j] for i in range(j + 1, n)]
        head = leads[j][j]
        builder.row([*led, head], [1] * len(led) + [1 - k], at_least=0)
        if conditions is None:
            builder.row([*led, head], [1] * len(led) + [2 - 2 * k], at_most=0)
        else:
            members = [(leads[i][j], [i]) for i in range(j, n)]
            fillings.append(conditions(builder, members, head))
        for i in range(j + 1, n):
            lead = leads[i][j]
            builder.row([head, lead], [1, -1], at_least=0)
            _agree(builder, lead, steps[i], steps[j], agreed[i, j].tolist())
    model = builder.build()

    def decode(values: IntArray) -> Solution:
        home: defaultdict[int, list[int]] = defaultdict(list)
        for i, row in enumerate(leads):
            home[next(j for j, lead in enumerate(row) if values[lead])].append(i)
        levels = tuple(
            tuple(sum(int(values[step]) for step in cell) for cell in steps[j])
            for j in sorted(home)
        )
        return GeneralizationSolution(
            tuple(tuple(home[j]) for j in sorted(home)), levels
        )

    def encode(solution: Solution) -> IntArray | None:
        if any(len(group) < k for group in solution.groups):
            return None
        groups: Sequence[Sequence[int]] = solution.groups
        if conditions is None:
            groups = split_groups(groups, k)
        best = solution_of_groups(instance, groups)
        entries: list[tuple[int, int]] = []
        for group, levels in zip(best.groups, best.levels, strict=True):
            for i in group:
                entries.append((leads[i][group[0]], 1))
                for cell, level in zip(steps[i], levels, strict=True):
                    entries += [(step, 1) for step in cell[:level]]
        return filled(point(model.columns, entries), fillings)

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
    firsts = np.unique(records.record_of, return_index=True)[1]
    agreed = agreement(instance, firsts.tolist())
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
    rows_of = np.split(records.rows, np.cumsum(records.copies)[:-1])
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
        if not isinstance(solution, GeneralizationSolution):
            solution = solution_of_groups(instance, solution.groups)
        levels = solution.levels[0]
        homes = classes_of(instance, levels)[firsts]
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


def _agree(
    builder: LinearModelBuilder,
    lead: int,
    row: Sequence[Sequence[int]],
    leader: Sequence[Sequence[int]],
    agreed: Sequence[int],
) -> None:
    """Give the cells of a row the levels of its leader's, where both are equal."""
    for own, other, least in zip(row, leader, agreed, strict=True):
        for level, (mine, its) in enumerate(zip(own, other, strict=True)):
            if level < least:
                builder.row([mine, lead], [1, -1], at_least=0)
                builder.row([its, lead], [1, -1], at_least=0)
            else:
                builder.row([mine, its, lead], [1, -1, -1], at_least=-1)
                builder.row([its, mine, lead], [1, -1, -1], at_least=-1)
