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
from functools import partial
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.models.deals import in_rows
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.leaders import Conditions, Leaders, split_groups
from atleastk.models.generalization import (
    GeneralizationSolution,
    classes_of,
    completed,
    solution_dropping_rest,
    solution_of_levels,
    with_levels,
)
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution


def agreement(instance: Generalization, rows: Sequence[int]) -> IntArray:
    """Return the least level at which two rows agree, [row, row, column]."""
    chosen = np.array(rows, dtype=np.int64)
    levels = np.zeros((len(chosen), len(chosen), instance.m), dtype=np.int64)
    for j, codes in enumerate(instance.codes):
        labels = codes.of(chosen)
        levels[:, :, j] = (labels[:, :, None] != labels[:, None, :]).sum(axis=0)
    return levels


def _steps(
    builder: LinearModelBuilder,
    heights: Sequence[int],
    weights: Sequence[int],
    *label: str | int,
) -> list[list[int]]:
    """Return by column the 0/1 variables of its steps, which do not increase."""
    steps = [
        [builder.variable(0, 1, weight, *label, j, i + 1) for i in range(height)]
        for j, (height, weight) in enumerate(zip(heights, weights, strict=True))
    ]
    for column in steps:
        for lower, higher in pairwise(column):
            builder.row([lower, higher], [1, -1], at_least=0)
    return steps


def steps_of(builder: LinearModelBuilder, instance: Generalization) -> list[list[int]]:
    """Return by column the steps of all rows, with their share of the loss as cost."""
    weights = [weight if instance.is_linear else 0 for weight in instance.weights]
    return _steps(builder, instance.heights, weights, "s")


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
        joined[pair] = builder.variable(0, 1, costs.get(pair, 0), "w", *pair)
        levels = zip(steps, agreed[pair].tolist(), strict=True)
        needed = [column[level - 1] for column, level in levels if level]
        for step in needed:
            builder.row([step, joined[pair]], [1, -1], at_least=0)
        signs = [1, *[-1] * len(needed)]
        builder.row([joined[pair], *needed], signs, at_least=1 - len(needed))
    return joined


def leader_model(
    instance: Generalization, conditions: Conditions | None = None
) -> Encoding:
    """Rows are led by the first row of their group, and cells have levels, on entries.

    Variables: l_i_j, row i is led by row j <= i; s_i_c_h, cell c of row i is at level h
    or higher. With w_c, what a level of column c costs:

    minimise    sum_{i,c,h} w_c s_i_c_h
    subject to  s_i_c_h >= s_i_c_{h+1},
                sum_j l_i_j = 1,   l_i_j <= l_j_j,
                (k - 1) l_j_j <= sum_{i>j} l_i_j <= (2k - 2) l_j_j,
                s_i_c_h >= l_i_j,  s_j_c_h >= l_i_j    up to the level where i and j
                                                       agree in c,
                |s_i_c_h - s_j_c_h| <= 1 - l_i_j       above it,
                sum_{c,h} w_c s_i_c_h >= sum_j loss_ij l_i_j   implied.

    Levels within limits fix the first and the last steps of a cell. If p rows may be
    dropped, d_i says that row i is: sum_j l_i_j + d_i = 1, and the sum
    of all d_i is at most p.

    With further conditions on classes, groups have any size, and variables v_.. count.
    """
    told, instance = instance, instance.written_out
    builder, k = LinearModelBuilder(), instance.k
    steps = [
        _steps(builder, instance.heights, [count * w for w in instance.weights], "s", i)
        for i, count in enumerate(instance.row_weights or (1,) * instance.n)
    ]
    limits = instance.least_levels, instance.greatest_levels
    for row in steps:
        for cell, low, high in zip(row, *limits, strict=True):
            builder.row(cell[:low], at_least=low)
            builder.row(cell[high:], at_most=0)
    agreed = agreement(instance, range(instance.n))
    leaders = Leaders(
        builder, steps, agreed, instance.weights, k, conditions, instance.most_dropped
    )
    model = builder.build()

    def decode(values: IntArray) -> Solution:
        groups = leaders.groups(values)
        levels = tuple(
            tuple(sum(int(values[step]) for step in cell) for cell in steps[first])
            for first, *_ in groups
        )
        gone = tuple(i for i, own in enumerate(leaders.dropped) if values[own])
        return GeneralizationSolution(tuple(map(tuple, groups)), levels, gone)

    def encode(solution: Solution) -> IntArray | None:
        solution = in_rows(told, solution)
        if any(len(group) < k for group in solution.groups):
            return None
        groups: Sequence[Sequence[int]] = solution.groups
        if conditions is None:
            groups = split_groups(groups, k)
        best = solution_dropping_rest(instance, Solution(tuple(map(tuple, groups))))
        assert isinstance(best, GeneralizationSolution)  # rows are written out
        entries = list(leaders.entries(best.groups))
        for i in best.suppressed_rows:
            if not leaders.dropped:
                return None
            entries.append((leaders.dropped[i], 1))
        for group, levels in zip(best.groups, best.levels, strict=True):
            for i in group:
                for cell, level in zip(steps[i], levels, strict=True):
                    entries += [(step, 1) for step in cell[:level]]
        return point(model.columns, entries, leaders.fillings)

    return Encoding(model, decode, encode).turned(partial(completed, told))


def pair_model(
    instance: Generalization, conditions: Conditions | None = None
) -> Encoding:
    """Columns have levels, and distinct records are joined or not, on attributes.

    Variables: s_c_h, column c is at level h or higher; w_t_u, records t < u are joined;
    f_u, record u is the first of its class; one = 1, a constant. With n_t copies of t:

    minimise    sum of what levels lose, or
                sum_t n_t^2 one + sum_{t<u} 2 n_t n_u w_t_u    discernibility, or
                n one - sum_u f_u                              average class size
    subject to  s_c_h >= s_c_{h+1},
                w_t_u <= s_c_h                         at every level that they need,
                w_t_u >= 1 - sum (1 - s_c_h)           over these levels,
                sum_u n_u w_t_u >= k - n_t             for every record t,
                f_u + w_t_u <= 1                       for t < u.

    Further conditions hold for the records joined to one, with variables v_..
    """
    records, k, loss = instance.records, instance.k, instance.loss
    copies = records.copies.tolist()
    agreed = agreement(instance, records.firsts.tolist())
    builder = LinearModelBuilder()
    steps = steps_of(builder, instance)
    both = combinations(range(records.distinct if loss == "discernibility" else 0), 2)
    products = {(t, u): 2 * copies[t] * copies[u] for t, u in both}
    joined = joined_pairs(builder, steps, agreed, products)
    always = builder.variable(1, 1, _constant(instance, copies), "one")
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
            opened[u] = builder.variable(0, 1, -1, "f", u)
            for t in range(u):
                builder.row([opened[u], joined[t, u]], 1, at_most=1)
    model = builder.build()

    def decode(values: IntArray) -> Solution:
        return solution_of_levels(
            instance, [sum(int(values[step]) for step in column) for column in steps]
        )

    def encode(solution: Solution) -> IntArray | None:
        levels = with_levels(instance, solution).levels[0]
        homes = classes_of(instance, levels)[records.firsts]
        ones = [step for c, x in zip(steps, levels, strict=True) for step in c[:x]]
        ones += [v for (t, u), v in joined.items() if homes[t] == homes[u]]
        first = set(np.unique(homes, return_index=True)[1].tolist())
        ones += [variable for u, variable in opened.items() if u in first]
        entries = [(one, 1) for one in (*ones, always)]
        return point(model.columns, entries, fillings)

    return Encoding(model, decode, encode)


def _constant(instance: Generalization, copies: Sequence[int]) -> int:
    if instance.loss == "discernibility":
        return sum(count * count for count in copies)
    return instance.n if instance.loss == "average-class-size" else 0


def entries_only(instance: Generalization) -> str | None:
    """Refuse generalisation on attributes."""
    on_entries = instance.on == "entries"
    return None if on_entries else "leaders are of generalisation on entries"


def attributes_only(instance: Generalization) -> str | None:
    """Refuse generalisation on entries."""
    on_entries = instance.on == "entries"
    return "pairs are of generalisation on attributes" if on_entries else None


def _keeps_rows(instance: Generalization) -> str | None:
    if instance.suppress_rows:
        return "rows may be suppressed: pairs-and-rows has that"
    return attributes_only(instance)


FORMULATIONS: Final = (
    Formulation("leaders", leader_model, entries_only),
    Formulation("pairs", pair_model, _keeps_rows),
)
