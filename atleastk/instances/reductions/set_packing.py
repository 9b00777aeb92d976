"""Maximum 3-Set Packing (MAX 3SP), and the minimisations made of it.

Definition
----------
Given m triples of n = 3q elements, no triple twice, no element in more than B of them,
find the most disjoint triples; p is their number. MAX SNP-hard for B = 3 [Kann91].

The metric equations of [Chaytor06, Lemma 5.1.2]
------------------------------------------------
The tables are those of `exact_cover`, whose docstring proves: in the table of symbols
rows lose m - 1 cells in a group that is a triple, and m in others. Rows outside a
packing are a multiple of 3, so none or enough for a group.

1. *Printed: p = MIN-e / (3 (m - 1)).* Right for p = q only; otherwise wrong, and for
   m = 1 it divides by 0. **MIN-e = n m - 3p, so p = (n m - MIN-e) / 3**, always.
2. *Printed: p = n MIN-r' / (3 (m - 1)).* Right for p = q only, m > 1. MIN-r' is m - 1
   if p = q and m otherwise: no formula can read p off it. See below.
3. *Printed: p = m - MIN-c-DEL.* Right, always: the columns that can stay are the
   packings.
4. *Printed: p = 1 - 3m + MIN-c' / 3*, for the table of the graph that
   `triangle_partition` makes of the triples. Right for p = q only: that graph is clear
   and has 3q + 9m vertices, so MIN-c' >= 3q + 9m - 3. **With the cyclic copies of
   `exact_cover`, p = (n m - MIN-c') / 3.** A copy loses n m - 3p cells or more, so all
   m copies lose m (n m - 3p) or more, and some column n m - 3p or more. The same
   packing in every copy keeps three cells of a column in p of the copies.

MIN-r', repaired
----------------
For t = 1, ..., q let X_t be the elements with fillers 1, ..., 2 (n - 3t), and C_t the
triples with all {i, 2f - 1, 2f}, i an element, f = 1, ..., n - 3t. Only the last n - 3t
triples for each f hold filler 2f, so a cover of X_t by C_t takes one of them for each
f, and t disjoint triples beside them: *there is a cover iff p >= t*.

Put the tables of symbols of all (X_t, C_t) below each other, with symbols of their own.
With m_t = m + n (n - 3t) triples in C_t,

- repeat every column q times;
- add q (m_1 - m_t) + q - t columns on which all rows differ;
- fill up with constant columns, to q m_1 + q - 1 in all.

A row of block t loses q (m_1 - 1) + q - t cells in a group that is a triple of C_t, q
more in any other group of its block, and as many at least with rows of other blocks. As
1 <= t <= q, any row outside a triple loses more than all rows inside of some, and the
more the smaller t is. If p < q the
blocks p + 1, ..., q have no cover, and block p + 1 costs the most of them: MIN-r' =
q m_1 + q - p - 1. If p = q all rows are in triples and block 1 costs the most, which is
the same formula: **p = q (m_1 + 1) - 1 - MIN-r'**. And block p has a cover in every
best solution.

The L-reduction to MIN-c-DEL [Chaytor06, Lemma 5.1.3]
-----------------------------------------------------
*Printed: MIN-c-DEL <= (B - 1) p, beta = 1.* The first uses m <= B p, which holds for
p = q. `MEETING`, three triples that meet in pairs, has p = 1, B = 2, MIN-c-DEL = 2.
**MIN-c-DEL <= 3 (B - 1) p**: every triple is in a greatest packing or meets one there,
in one of 3p elements that are in B - 1 others each; so m - p <= 3 (B - 1) p. That is
attained for B = 2 by `FOUR_MEETING` and for B = 3 by the `FANO` plane, and shows
MIN-c-DEL MAX SNP-hard just as well. The second holds with equality for all solutions
of MIN-c-DEL: p - (columns that stay) = deleted - MIN-c-DEL.

References
----------
[Chaytor06] section 5.1.3.
[Kann91] V. Kann, "Maximum Bounded 3-Dimensional Matching is MAX SNP-Complete", 1991.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import ClassVar, Final

from atleastk.instances.reductions.exact_cover import (
    Cells,
    CellTable,
    ExactCover,
    binary_table,
    cyclic_table,
    kept_triples,
    symbol_table,
)
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.triangle_partition import (
    graph_of_triples,
    kept_triangles,
    packing_of_triangles,
    to_least_per_column,
)
from atleastk.instances.suppression import Suppression


@dataclass(frozen=True)
class SetPacking(ExactCover):
    """An instance of MAX 3SP: what an instance of X3C is made of."""

    problem: ClassVar[str] = "set-packing"


MEETING: Final = SetPacking(6, [(0, 1, 2), (0, 3, 4), (1, 3, 5)])
"""A smallest instance that alpha = B - 1 is wrong about: 2 > (2 - 1) * 1."""

FOUR_MEETING: Final = SetPacking(6, [(0, 1, 2), (0, 3, 4), (1, 3, 5), (2, 4, 5)])
"""The edges at each vertex of K_4: alpha = 3 (B - 1) is attained for B = 2."""

FANO: Final = SetPacking(9, [tuple((i + d) % 7 for d in (0, 1, 3)) for i in range(7)])
"""The lines of the projective plane of order 2: attained for B = 3."""


def _least(
    variant: str, table_of: Callable[[ExactCover], CellTable]
) -> Callable[[ExactCover], Suppression]:
    """Return the map to the minimisation of this name on a table, with k = 3."""
    return lambda problem: Suppression.named(variant, table_of(problem), 3)


to_entries = _least("MIN-e-SUP", symbol_table)
to_column_deletion = _least("MIN-c-DEL", binary_table)
to_per_column = _least("MIN-c'-SUP", cyclic_table)


def layered_table(problem: ExactCover) -> CellTable:
    """Return one block per t = 1, ..., q, which has a cover iff p >= t."""
    q, least = problem.triples, len(_layer(problem, 1).sets)
    table: CellTable = []
    for t in range(1, q + 1):
        layer = _layer(problem, t)
        alone = q * (least - len(layer.sets)) + q - t
        for i, row in enumerate(symbol_table(layer, f"{t}.")):
            repeated = [cell for cell in row for _ in range(q)]
            table.append([*repeated, *[f"{t}.{i}."] * alone, *[""] * (t - 1)])
    return table


to_per_row_in_layers = _least("MIN-r'-SUP", layered_table)


def _layer(problem: ExactCover, t: int) -> ExactCover:
    """Return the instance of X3C that has a cover iff there are t disjoint triples."""
    n = problem.elements
    fillers = [(n + 2 * f, n + 2 * f + 1) for f in range(n - 3 * t)]
    return ExactCover(
        n + 2 * len(fillers),
        [*problem.sets, *((i, *pair) for pair in fillers for i in range(n))],
    )


def _largest_kept(
    problem: ExactCover, suppressed: Cells, tables: list[tuple[ExactCover, list[int]]]
) -> tuple[int, ...]:
    """Return the most triples that are kept in one of the tables of a stacked table.

    Each table is given as its instance, whose first triples are those of the problem,
    and one column per triple; the rows of the tables follow each other.
    """
    best: tuple[int, ...] = ()
    top = 0
    for layer, columns in tables:
        place = {column: j for j, column in enumerate(columns)}
        end = top + layer.elements
        own = [
            (i - top, place[column])
            for i, column in suppressed
            if top <= i < end and column in place
        ]
        chosen = kept_triples(layer, own)
        best = max(best, tuple(j for j in chosen if j < len(problem.sets)), key=len)
        top = end
    return best


def _copies_back(problem: ExactCover, suppressed: Cells) -> tuple[int, ...]:
    m = len(problem.sets)
    copies = [(problem, [(j + s) % m for j in range(m)]) for s in range(m)]
    return _largest_kept(problem, suppressed, copies)


def _graph_back(problem: ExactCover, suppressed: Cells) -> tuple[int, ...]:
    found = kept_triangles(graph_of_triples(problem), suppressed)
    return packing_of_triangles(problem, found)


def _layers_back(problem: ExactCover, suppressed: Cells) -> tuple[int, ...]:
    q = problem.triples
    layers = [_layer(problem, t) for t in range(1, q + 1)]
    columns = [[q * j for j in range(len(layer.sets))] for layer in layers]
    return _largest_kept(problem, suppressed, list(zip(layers, columns, strict=True)))


def _by_cells(problem: ExactCover, cost: int) -> Fraction:
    return Fraction(problem.elements * len(problem.sets) - cost, 3)


def _by_columns(problem: ExactCover, cost: int) -> int:
    return len(problem.sets) - cost


_packing = partial(Reduction, "MAX 3SP-B")
_divided = partial(
    _packing,
    hypotheses="two sets or more, else it divides by 0",
    applies=lambda problem: len(problem.sets) > 1,
)

REDUCTIONS: Final = (
    _divided(
        "MIN-e-SUP",
        "metric",
        "[Chaytor06] Lemma 5.1.2 (1)",
        to_entries,
        kept_triples,
        claim="MAX 3SP-B = MIN-e-SUP / (3 (m - 1))",
        cost=lambda p, cost: Fraction(cost, 3 * (len(p.sets) - 1)),
    ),
    _packing(
        "MIN-e-SUP",
        "metric",
        "instead of [Chaytor06] Lemma 5.1.2 (1)",
        to_entries,
        kept_triples,
        claim="MAX 3SP-B = (n m - MIN-e-SUP) / 3",
        cost=_by_cells,
        repaired=True,
    ),
    _divided(
        "MIN-r'-SUP",
        "metric",
        "[Chaytor06] Lemma 5.1.2 (2)",
        _least("MIN-r'-SUP", symbol_table),
        kept_triples,
        claim="MAX 3SP-B = n MIN-r'-SUP / (3 (m - 1))",
        cost=lambda p, cost: Fraction(p.elements * cost, 3 * (len(p.sets) - 1)),
    ),
    _packing(
        "MIN-r'-SUP",
        "metric",
        "instead of [Chaytor06] Lemma 5.1.2 (2)",
        to_per_row_in_layers,
        _layers_back,
        claim="MAX 3SP-B = q (m + n (n - 3) + 1) - 1 - MIN-r'-SUP, n = 3q",
        cost=lambda p, cost: p.triples * (len(_layer(p, 1).sets) + 1) - 1 - cost,
        repaired=True,
    ),
    _packing(
        "MIN-c-DEL",
        "metric",
        "[Chaytor06] Lemma 5.1.2 (3)",
        to_column_deletion,
        kept_triples,
        claim="MAX 3SP-B = m - MIN-c-DEL",
        cost=_by_columns,
    ),
    _packing(
        "MIN-c'-SUP",
        "metric",
        "[Chaytor06] Lemma 5.1.2 (4)",
        lambda problem: to_least_per_column(graph_of_triples(problem)),
        _graph_back,
        claim="MAX 3SP-B = 1 - 3 m + MIN-c'-SUP / 3",
        cost=lambda p, cost: 1 - 3 * len(p.sets) + Fraction(cost, 3),
    ),
    _packing(
        "MIN-c'-SUP",
        "metric",
        "instead of [Chaytor06] Lemma 5.1.2 (4)",
        to_per_column,
        _copies_back,
        claim="MAX 3SP-B = (n m - MIN-c'-SUP) / 3",
        cost=_by_cells,
        repaired=True,
    ),
    _packing(
        "MIN-c-DEL",
        "L",
        "[Chaytor06] Lemma 5.1.3",
        to_column_deletion,
        kept_triples,
        claim="MIN-c-DEL <= (B - 1) MAX 3SP-B, beta = 1",
        cost=_by_columns,
        alpha=lambda problem, _packing: Fraction(problem.bound - 1),
    ),
    _packing(
        "MIN-c-DEL",
        "L",
        "instead of [Chaytor06] Lemma 5.1.3",
        to_column_deletion,
        kept_triples,
        claim="MIN-c-DEL <= 3 (B - 1) MAX 3SP-B, beta = 1",
        cost=_by_columns,
        repaired=True,
        alpha=lambda problem, _packing: Fraction(3 * (problem.bound - 1)),
    ),
)
"""As printed, and our repairs of those that are wrong."""
