"""Encodings of k-ambiguity as linear models over bounded integers.

- *Cells*: 0/1 variables z_ij (cell j of row i is suppressed) and w_ab for pairs of
  different rows that may match. For few rows of however many columns.
- *Star sets*: integers x_tP, the copies of record t that suppress the columns P. For
  few columns, and for any list of pairs (t, P) that solutions are restricted to.

Both are exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.encodings.encoding import Encoding, point
from atleastk.models.encodings.formulation import Formulation
from atleastk.models.k_ambiguity import (
    Looks,
    differences,
    looks_of,
    mask_of,
    needs,
    solution_of,
    useful_columns,
)
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution


@dataclass(frozen=True, slots=True, eq=False)
class StarSets:
    """Pairs of a distinct record and a set of columns, as bits, that it may suppress.

    Bit i stands for the i-th column that is not constant. Every pair is listed once.
    """

    record: IntArray
    hidden: IntArray

    def __len__(self) -> int:
        return len(self.record)


def all_star_sets(instance: KAmbiguity) -> StarSets:
    """Return every record with every set of columns that are not constant."""
    sets = np.zeros(1, dtype=np.int64)
    for column in range(len(useful_columns(instance))):
        sets = np.concatenate((sets, sets | np.int64(1) << column))
    distinct = instance.records.distinct
    return StarSets(
        np.repeat(np.arange(distinct, dtype=np.int64), len(sets) - 1),
        np.tile(sets[1:], distinct),
    )


def cell_model(instance: KAmbiguity) -> Encoding:
    """Cells are suppressed, and pairs of rows may match.

    Variables: z_i_c, cell c of row i is suppressed; w_a_b, the different rows a and b
    match.

    minimise    sum_{i,c} z_i_c
    subject to  w_a_b <= z_a_c + z_b_c                 where a and b differ in c,
                sum_b w_a_b >= k - (rows equal to a)   for every row a that lacks some.
    """
    n, columns = instance.n, useful_columns(instance)
    codes = instance.records.of_rows[:, columns]
    builder = LinearModelBuilder()
    every = product(range(n), columns.tolist())
    named = [builder.variable(0, 1, 1, "z", *cell) for cell in every]
    cells = np.array(named, dtype=np.int64).reshape(codes.shape)
    lacking = needs(instance)[instance.records.record_of]
    partners: list[list[int]] = [[] for _ in range(n)]
    pairs: list[tuple[int, int, int]] = []
    for a, b in combinations(range(n), 2):
        apart = codes[a] != codes[b]
        if not apart.any() or not (lacking[a] or lacking[b]):
            continue
        pair = builder.variable(0, 1, 0, "w", a, b)
        pairs.append((a, b, pair))
        partners[a].append(pair)
        partners[b].append(pair)
        for both in cells[[a, b]][:, apart].T.tolist():
            builder.row([*both, pair], [1, 1, -1], at_least=0)
    for row in range(n):
        if lacking[row]:
            builder.row(partners[row], at_least=int(lacking[row]))
    model = builder.build()

    def decode(values: IntArray) -> Solution:
        hidden = np.zeros((n, instance.m), dtype=np.bool_)
        hidden[:, columns] = values[cells]
        return solution_of(instance, Looks.of_rows(instance.records, hidden))

    def encode(solution: Solution) -> IntArray | None:
        hidden = mask_of(instance, solution)[:, columns]
        entries = [*zip(named, map(int, hidden.ravel()), strict=True)]
        met = (codes[:, None] == codes[None]) | hidden[:, None] | hidden[None]
        alike = met.all(axis=2)
        entries += [(pair, int(alike[a, b])) for a, b, pair in pairs]
        return point(model.columns, entries)

    return Encoding(model, decode, encode)


def star_model(
    instance: KAmbiguity, sets: StarSets, most: int | None = None
) -> Encoding:
    """Return the model of star sets, of cost at most `most` if that is given.

    minimise  sum |P| x_tP   subject to

    - sum over P of x_tP <= copies of t;
    - a record that needs d matches beside its copies has d suppressed rows of others
      whose stars hide all that differs, unless all of its copies are suppressed;
    - if x_tP > 0 and fewer than k rows agree with t outside of P then the others that
      it needs are suppressed where they still differ.
    """
    records, columns = instance.records, useful_columns(instance)
    builder = LinearModelBuilder()
    copies = records.copies[sets.record]
    stars = [int(hidden).bit_count() for hidden in sets.hidden]
    x = [builder.variable(0, int(c), s) for c, s in zip(copies, stars, strict=True)]
    of_record: dict[int, list[int]] = {}
    for q, record in enumerate(sets.record.tolist()):
        of_record.setdefault(record, []).append(q)
    apart = {record: differences(instance, record) for record in of_record}
    if most is not None:
        builder.row(x, stars, at_most=most)
    for record, own in of_record.items():
        if len(own) > 1:
            limit = int(records.copies[record])
            builder.row([x[q] for q in own], at_most=limit)
    gone = _cover(builder, instance, sets, apart, of_record, x)
    opened = _support(builder, instance, sets, apart, x)
    model = builder.build()
    place = {pair: q for q, pair in enumerate(zip(*_plain(sets), strict=True))}

    def decode(values: IntArray) -> Solution:
        used = values[: len(sets)].nonzero()[0]
        hidden = np.zeros((len(used), instance.m), dtype=np.bool_)
        hidden[:, columns] = sets.hidden[used, None] >> np.arange(len(columns)) & 1
        starred = Looks(sets.record[used], values[used], hidden)
        return solution_of(instance, starred.beside(starred.others(records)))

    def encode(solution: Solution) -> IntArray | None:
        looks = looks_of(instance, solution)
        hidden = looks.hidden
        values = np.zeros(model.columns, dtype=np.int64)
        for i in np.flatnonzero(hidden.any(axis=1)):
            if hidden[i].sum() != hidden[i, columns].sum():
                return None
            used = np.flatnonzero(hidden[i, columns])
            bits = sum(1 << int(j) for j in used)
            q = place.get((int(looks.record[i]), bits))
            if q is None:
                return None
            values[q] += looks.copies[i]
        for q, variable in opened.items():
            values[variable] = int(values[q] > 0)
        for record, variable in gone.items():
            hidden_copies = values[of_record[record]].sum()
            values[variable] = int(hidden_copies == records.copies[record])
        return values

    return Encoding(model, decode, encode)


def _cover(
    builder: LinearModelBuilder,
    instance: KAmbiguity,
    sets: StarSets,
    apart: Mapping[int, IntArray],
    of_record: Mapping[int, list[int]],
    x: list[int],
) -> dict[int, int]:
    """Let suppressed rows match records that are not suppressed themselves.

    Returns the variables of records all of whose copies are suppressed.
    """
    records, lacking = instance.records, needs(instance)
    covering: dict[int, list[int]] = {int(t): [] for t in lacking.nonzero()[0]}
    for q, (record, hidden) in enumerate(zip(*_plain(sets), strict=True)):
        covered = np.logical_and(apart[record] & ~hidden == 0, lacking > 0)
        for t in covered.nonzero()[0].tolist():
            if t != record:
                covering[t].append(x[q])
    gone: dict[int, int] = {}
    for t, rows in covering.items():
        need, copies = int(lacking[t]), int(records.copies[t])
        own = [x[q] for q in of_record.get(t, [])]
        if own and copies > 1:
            gone[t] = builder.variable(0, 1)
            builder.row([*own, gone[t]], [1] * len(own) + [-copies], at_least=0)
            own = [gone[t]]
        factors = [1] * len(rows) + [need] * len(own)
        builder.row([*rows, *own], factors, at_least=need)
    return gone


def _support(
    builder: LinearModelBuilder,
    instance: KAmbiguity,
    sets: StarSets,
    apart: Mapping[int, IntArray],
    x: list[int],
) -> dict[int, int]:
    """Let suppressed rows that match too few others match suppressed ones as well.

    Returns the variables of star sets of several copies that are in use.
    """
    records, k = instance.records, instance.k
    opened: dict[int, int] = {}
    for q, (record, hidden) in enumerate(zip(*_plain(sets), strict=True)):
        alike = apart[record] & ~hidden == 0
        support = int(records.copies[alike].sum())
        if support >= k:
            continue
        left = (apart[record] & ~hidden)[sets.record]
        helping = ((left != 0) & (left & ~sets.hidden == 0)).nonzero()[0]
        used, copies = x[q], int(records.copies[record])
        if copies > 1:
            used = opened[q] = builder.variable(0, 1)
            builder.row([used, x[q]], [copies, -1], at_least=0)
        factors = [1] * len(helping) + [support - k]
        builder.row([*(x[other] for other in helping), used], factors, at_least=0)
    return opened


def _plain(sets: StarSets) -> tuple[list[int], list[int]]:
    return sets.record.tolist(), sets.hidden.tolist()


FORMULATIONS: Final = (Formulation("cells", cell_model),)
