"""Encodings of l-diversity and t-closeness as linear models over bounded integers.

The conditions on a class are linear in its members, so they are added to models of
generalisation: of *leaders* on entries, of *pairs* on attributes, and of *patterns*,
which assign row kinds: equal records with equal sensitive values.

Closed patterns suffice: a group S is assigned to the pattern of the columns on which it
is constant, which is closed, matches S, and costs as much. Groups of the same pattern
and class are joined, and the union of admissible groups is admissible.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.encodings import generalization, k_anonymity
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.encodings.suppressed_rows import suppressing_pair_model
from atleastk.models.generalization import completed
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns

Terms = dict[int, int]
"""A sum of variables times integers."""


def leader_model(instance: Diversity) -> Encoding:
    """Rows are led by the first row of their group, on entries; classes are diverse.

    Variables and rows of the leaders of generalisation, without the greatest size of a
    group, and variables v_.. of conditions. Of s rows of a class, c with a sensitive
    value that p of all n rows have:

    distinct    v <= c,   v <= l_j_j,   sum_values v >= l l_j_j      for every class,
    frequency   l c <= s                                             for every value,
    closeness   v >= n c - p s,   v >= 0,   sum_values v <= t n s.
    """
    conditions = partial(add_conditions, instance.written_out)
    return generalization.leader_model(instance, conditions)


def pair_model(instance: Diversity) -> Encoding:
    """Columns have levels and records are joined, on attributes; classes are diverse.

    Variables and rows of the pairs of generalisation (s_c_h, w_t_u, f_u, one), with
    suppressed rows if there may be any (g_i, a_i, some, p_i_j, d_i_j, h_i), and v_.. of
    conditions. Of s rows of a class, c with a sensitive value that p of n rows have:

    distinct    v <= c,   sum_values v >= l                          for every class,
    frequency   l c <= s                                             for every value,
    closeness   v >= n c - p s,   v >= 0,   sum_values v <= t n s.
    """
    conditions = partial(add_conditions, instance)
    if instance.suppress_rows:
        return suppressing_pair_model(instance, conditions)
    return generalization.pair_model(instance, conditions)


def pattern_model(
    instance: Diversity, kinds: Records, k: int, patterns: Patterns
) -> Encoding:
    """Return the model that assigns a pattern to every row, on entries.

    `kinds` are the records of the expanded table, distinguished by sensitive values,
    `k` the least size of a class, `patterns` all closed patterns of the kinds.
    """
    inner = k_anonymity.pattern_model(kinds, k, patterns)
    builder = LinearModelBuilder.of(inner.model)
    firsts, single = kinds.firsts.tolist(), np.ones(len(kinds.home), dtype=np.int64)
    fillings = []
    for p in range(patterns.count):
        start, end = patterns.starts[p : p + 2].tolist()
        listed = patterns.records[start:end].tolist()
        members = [(start + x, [firsts[kind]]) for x, kind in enumerate(listed)]
        opened = patterns.pairs + p
        fillings.append(add_conditions(instance, builder, members, opened, single))
    model = builder.build()

    def encode(solution: Solution) -> IntArray | None:
        values = inner.encode(solution)
        if values is None:
            return None
        found = np.zeros(model.columns, dtype=np.int64)
        found[: len(values)] = values
        for fill in fillings:
            fill(found)
        return found

    return Encoding(model, inner.decode, encode).turned(partial(completed, instance))


def add_conditions(
    instance: Diversity,
    builder: LinearModelBuilder,
    members: Sequence[tuple[int, Sequence[int]]],
    opened: int,
    repeats: IntArray | None = None,
) -> Callable[[IntArray], None]:
    """Add the conditions on a class; see `leaders.Conditions`, and `leader_model`.

    `repeats` is how many rows each row of a member counts, by default all copies.
    """
    fillings = []
    repeats = instance.repeats if repeats is None else repeats
    size = {variable: int(repeats[list(rows)].sum()) for variable, rows in members}
    for column, totals in zip(instance.values.T, instance.totals, strict=True):
        counts: defaultdict[int, Terms] = defaultdict(dict)
        for variable, rows in members:
            for row in rows:
                held = counts[int(column[row])]
                held[variable] = held.get(variable, 0) + int(repeats[row])
        if instance.l > 1 and instance.reading == "distinct":
            seen = {}
            for value, terms in counts.items():
                seen[value] = builder.variable(0, 1)
                _add(builder, terms, {seen[value]: -1}, at_least=0)
                # Implied for integers; it strengthens the linear relaxation a lot.
                builder.row((seen[value], opened), (1, -1), at_most=0)
            needed = min(instance.l, instance.n + 1)
            ones = dict.fromkeys(seen.values(), 1)
            _add(builder, ones, {opened: -needed}, at_least=0)
            fillings += [partial(_see, counts[v], x) for v, x in seen.items()]
        elif instance.l > 1:
            for terms in counts.values():
                times_l = _times(min(instance.l, instance.n + 1), terms)
                _add(builder, times_l, _times(-1, size), at_most=0)
        if instance.t is not None:
            sums: Terms = {}
            for value, terms in counts.items():
                most = instance.n * int(totals[value])
                above = builder.variable(0, most)
                over = _sum(
                    _times(instance.n, terms), _times(-int(totals[value]), size)
                )
                _add(builder, over, {above: -1}, at_most=0)
                sums[above] = instance.t.denominator
                fillings.append(partial(_exceed, over, above))
            reach = instance.t.numerator * instance.n
            _add(builder, sums, _times(-reach, size), at_most=0)

    def fill(values: IntArray) -> None:
        for filling in fillings:
            filling(values)

    return fill


def _see(terms: Terms, seen: int, values: IntArray) -> None:
    values[seen] = any(values[variable] for variable in terms)


def _exceed(terms: Terms, above: int, values: IntArray) -> None:
    values[above] = max(0, sum(factor * int(values[x]) for x, factor in terms.items()))


def _times(factor: int, terms: Terms) -> Terms:
    return {variable: factor * times for variable, times in terms.items()}


def _sum(left: Terms, right: Terms) -> Terms:
    return {x: left.get(x, 0) + right.get(x, 0) for x in {**left, **right}}


def _add(builder: LinearModelBuilder, left: Terms, right: Terms, **bounds: int) -> None:
    terms = _sum(left, right)
    builder.row(terms.keys(), terms.values(), **bounds)


FORMULATIONS: Final = (
    Formulation("leaders", leader_model, generalization.entries_only),
    Formulation("pairs", pair_model, generalization.attributes_only),
)
