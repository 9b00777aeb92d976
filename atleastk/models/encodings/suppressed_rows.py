"""Full-domain generalisation with suppressed rows, as a linear model.

Every row is a record of its own. Levels and pairs are those of
:mod:`~atleastk.models.encodings.generalization`. A row looks suppressed that is
published at the top by its levels alone, and counts as such if there are suppressed
rows: both kinds together are k at least. Further conditions hold for the rows joined to
a row that is neither, and for those of both kinds.

The model states the definition: it does not use which rows are best at a node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Final

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.models.encodings import generalization
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.generalization import (
    agreement,
    attributes_only,
    joined_pairs,
    steps_of,
)
from atleastk.models.encodings.leaders import Conditions
from atleastk.models.generalization import (
    classes_of,
    looks_suppressed,
    solution_at,
    solution_of_levels,
    with_levels,
)
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution

Pair = tuple[int, int]
"""Two rows."""


def suppressing_pair_model(
    instance: Generalization, conditions: Conditions | None = None
) -> Encoding:
    """Columns have levels, pairs of rows are joined, and some rows are suppressed.

    Variables: s_c_h, column c is at level h or higher; w_i_j, rows i < j are joined by
    these levels; g_i, row i is suppressed; a_i, it is not, but looks so; some, there
    are suppressed rows; p_i_j, rows i and j are joined and neither g nor a; d_i_j, row
    j counts for row i; f_i, row i is the first of its class; h_i, row i is neither g
    nor a; one = 1, a constant.

    minimise    sum of what levels lose, or
                n one + sum_i (n - 1) g_i + sum_{i,j} d_i_j    discernibility, or
                n one - sum_i f_i                              average class size
    subject to  w_i_j as for pairs,
                sum_i g_i <= suppress_rows,   g_i <= some,
                sum_i (g_i + a_i) >= k some,
                a_i = 1 iff some = 1, g_i = 0, and the levels of columns hide i,
                p_i_j = 1 iff w_i_j = 1 and g_i = a_i = g_j = a_j = 0,
                sum_j p_i_j + (k - 1) (g_i + a_i) >= k - 1     for every row i,
                d_i_j >= w_i_j - g_i,
                f_j + w_i_j <= 1 + g_i                         for i < j.
    """
    whole, n, k, loss = instance.written_out, instance.n, instance.k, instance.loss
    rows = range(n)
    builder = LinearModelBuilder()
    steps = steps_of(builder, instance)
    joined = joined_pairs(builder, steps, agreement(whole, rows), {})
    squares = loss == "discernibility"
    gone = [builder.variable(0, 1, n - 1 if squares else 0, "g", i) for i in rows]
    alike = builder.binaries(n, "a")
    some = builder.variable(0, 1, 0, "some")
    builder.row(gone, 1, at_most=min(n, instance.suppress_rows))
    builder.row([*gone, *alike, some], [*[1] * 2 * n, -k], at_least=0)
    published = {pair: builder.variable(0, 1, 0, "p", *pair) for pair in joined}
    for pair, both in published.items():
        builder.row([joined[pair], both], [1, -1], at_least=0)
        away = [place[row] for row in pair for place in (gone, alike)]
        builder.row([joined[pair], both, *away], [1, *[-1] * 5], at_most=0)
        for row in pair:
            builder.row([gone[row], alike[row], both], 1, at_most=1)
    fillings, heres = [], []
    columns = zip(whole.top_from, whole.codes, strict=True)
    top_from = [tops[column.numbers].tolist() for tops, column in columns]
    for i in rows:
        builder.row([gone[i], some], [1, -1], at_most=0)
        builder.row([alike[i], some], [1, -1], at_most=0)
        builder.row([alike[i], gone[i]], 1, at_most=1)
        levels = zip(steps, top_from, strict=True)
        needed = [column[level[i] - 1] for column, level in levels if level[i]]
        for step in needed:
            builder.row([alike[i], step], [1, -1], at_most=0)
        signs = [1, 1, -1, *[-1] * len(needed)]
        builder.row([alike[i], gone[i], some, *needed], signs, at_least=-len(needed))
        others = [published[min(i, j), max(i, j)] for j in rows if j != i]
        weights = [*[1] * len(others), k - 1, k - 1]
        builder.row([*others, gone[i], alike[i]], weights, at_least=k - 1)
        if conditions is not None:
            here = builder.variable(0, 1, 0, "h", i)
            builder.equation([here, gone[i], alike[i]], 1, 1)
            rest = [j for j in rows if j != i]
            members = [(here, [i]), *zip(others, ([j] for j in rest), strict=True)]
            fillings.append(conditions(builder, members, here))
            heres.append(here)
    if conditions is not None:
        members = [(x, [i]) for place in (gone, alike) for i, x in enumerate(place)]
        fillings.append(conditions(builder, members, some))
    seen = _seen(builder, joined, gone) if squares else {}
    opened = _opened(builder, joined, gone) if loss == "average-class-size" else []
    constant = builder.variable(1, 1, n if squares or opened else 0, "one")
    model = builder.build()

    def decode(values: IntArray) -> Solution:
        levels = [sum(int(values[step]) for step in column) for column in steps]
        if instance.nodes_alone:
            return solution_of_levels(instance, levels)
        return solution_at(instance, levels, [i for i in rows if values[gone[i]]])

    def encode(solution: Solution) -> IntArray | None:
        solution = with_levels(instance, solution)
        levels = solution.levels[0]
        if instance.nodes_alone:
            solution = solution_of_levels(whole, levels)
        homes = classes_of(whole, levels).tolist()
        hidden = set(solution.suppressed_rows)
        looks = looks_suppressed(whole, levels)[whole.records.record_of]
        away = hidden | {i for i in rows if hidden and looks[i]}
        first = {homes[i]: i for i in reversed(rows) if i not in hidden}
        ones = [step for c, x in zip(steps, levels, strict=True) for step in c[:x]]
        both = [pair for pair in joined if homes[pair[0]] == homes[pair[1]]]
        ones += [joined[pair] for pair in both]
        ones += [published[pair] for pair in both if away.isdisjoint(pair)]
        turned = [(j, i) for i, j in both]
        ones += [seen[i, j] for i, j in both + turned if seen and i not in hidden]
        ones += [opened[i] for i in first.values() if opened]
        ones += [gone[i] for i in hidden]
        if hidden:
            ones += [some, *(alike[i] for i in away - hidden)]
        ones += [here for i, here in enumerate(heres) if i not in away]
        entries = [(one, 1) for one in (*ones, constant)]
        return point(model.columns, entries, fillings)

    return Encoding(model, decode, encode)


def _seen(
    builder: LinearModelBuilder, joined: Mapping[Pair, int], gone: Sequence[int]
) -> dict[Pair, int]:
    """Return the variables of discernibility: rows equal to one not suppressed."""
    seen = {}
    for i, j in permutations(range(len(gone)), 2):
        seen[i, j] = builder.variable(0, 1, 1, "d", i, j)
        same = joined[min(i, j), max(i, j)]
        builder.row([seen[i, j], gone[i], same], [1, 1, -1], at_least=0)
    return seen


def _opened(
    builder: LinearModelBuilder, joined: Mapping[Pair, int], gone: Sequence[int]
) -> list[int]:
    """Return the variables of the first published row of every class, each worth 1."""
    opened = [builder.variable(0, 1, -1, "f", i) for i, _ in enumerate(gone)]
    for (i, j), same in joined.items():
        builder.row([opened[j], same, gone[i]], [1, 1, -1], at_most=1)
    for row, away in zip(opened, gone, strict=True):
        builder.row([row, away], 1, at_most=1)
    return opened


def _rows_may_go(instance: Generalization) -> str | None:
    if not instance.suppress_rows:
        return "no row may be suppressed: pairs has that"
    return attributes_only(instance)


FORMULATIONS: Final = (
    *generalization.FORMULATIONS,
    Formulation("pairs-and-rows", suppressing_pair_model, _rows_may_go),
)
