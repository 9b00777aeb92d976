"""Generalisation on entries where columns have a least and a greatest level.

The rows of a group have equal labels at the greatest levels. So the classes of these
are tables of their own, *blocks*, with the hierarchies cut to the levels between: the
cost is the sum over all blocks, and what the least levels cost. Each is minimised by
itself; bounds are sums as well, and so are certificates: the weights of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from atleastk.arrays import IntArray, by_label
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import Hierarchy
from atleastk.models.deals import (
    DealtSolution,
    Entries,
    deals_of,
    solution_of_entries,
)
from atleastk.models.generalization import (
    check,
    classes_of_records,
    completed,
    price_of_levels,
)
from atleastk.models.results.result import Event
from atleastk.models.results.solution import Solution
from atleastk.solvers.generalization.first import first_answers
from atleastk.solvers.search import Proof, Search
from atleastk.solvers.tables.assignment import Assignment, in_turn

_SOURCE = "blocks"

Certificate = Mapping[str, Any]


class Block(NamedTuple):
    """Records that may be in groups together, as a table of their own."""

    records: IntArray  # their numbers in the whole table; its rows are these
    instance: Generalization  # with hierarchies that are cut to the allowed levels
    bound: int  # no groups cost less above the least levels
    certificate: Certificate | None  # weights that prove that, if there are any


def blocks_of(instance: Generalization) -> Iterator[tuple[IntArray, Generalization]]:
    """Yield the records of every block, and their table."""
    home = classes_of_records(instance, instance.greatest_levels)[1]
    for some in by_label(home):
        yield some, _cut(instance, some)


def _cut(instance: Generalization, some: IntArray) -> Generalization:
    """Return the table of some records between the least and the greatest levels."""
    limits = zip(instance.least_levels, instance.greatest_levels, strict=True)
    records, columns, hierarchies = instance.records, [], []
    rows = records.firsts[some].tolist()
    for j, (low, high) in enumerate(limits):
        chain_of = instance.hierarchies[j].chain_of
        chains = [chain_of[instance.table[row][j]][low : high + 1] for row in rows]
        columns.append([chain[0] for chain in chains])
        hierarchies.append(Hierarchy(list(dict.fromkeys(map(tuple, chains)))))
    return Generalization(
        table=list(zip(*columns, strict=True)),
        k=instance.k,
        hierarchies=hierarchies,
        column_weights=[max(1, weight) for weight in instance.weights],
        row_weights=None if records.weights is None else records.worth[some].tolist(),
        copies=records.copies[some].tolist(),
    )


def minimise_blocks(
    search: Search[Generalization], minimise: Callable[[Search[Generalization]], None]
) -> None:
    """Minimise block by block; the search has a solution.

    `minimise` is for a table without limits of levels.
    """
    instance, tables = search.instance, list(blocks_of(search.instance))
    inner: list[Search[Generalization]] = []

    def report(_: Event | None = None) -> None:
        """Report what all blocks come to, once all have a solution."""
        if len(inner) < len(tables):
            return
        cost = _whole(instance, [each.cost or 0 for each in inner])
        if search.cost is None or cost < search.cost:
            known = [each.solution for each in inner if each.solution]
            search.offer(_joined(instance, tables, known), _SOURCE)
        blocks = [
            Block(*table, each.bound or 0, each.certificate)
            for table, each in zip(tables, inner, strict=True)
        ]
        bound = _whole(instance, [block.bound for block in blocks])
        search.raise_bound(bound, _SOURCE, certificate_of(instance, blocks))

    assert search.solution is not None
    start = Assignment.of_solution(instance.records, search.solution)
    block = np.empty(instance.records.distinct, dtype=np.int64)
    for b, (some, _) in enumerate(tables):
        block[some] = b
    parts = by_label(block[start.record])
    for (some, table), own in zip(tables, parts, strict=True):
        inner.append(Search(table, check, search.budget, report))
        row = np.searchsorted(some, start.record[own])
        known = DealtSolution.dealt(row, start.group[own], start.copies[own])
        inner[-1].offer(known, _SOURCE)
    for each, part in in_turn(inner, lambda s: s.instance.n, lambda: search.budget):
        if search.done:
            return
        each.budget = part
        minimise(each)
        report()


def _joined(
    instance: Generalization,
    tables: Sequence[tuple[IntArray, Generalization]],
    known: Sequence[Solution],
) -> Solution:
    """Return the groups of all blocks, which are deals."""
    parts: list[Entries] = []
    base = 0
    for (some, table), solution in zip(tables, known, strict=True):
        row, group, copies = deals_of(table, solution)
        parts.append(Entries(base + group, some[row], copies))
        base += int(group.max(initial=-1)) + 1
    entries = Entries(*map(np.concatenate, zip(*parts, strict=True)))
    return completed(instance, solution_of_entries(instance.records, entries))


def _whole(instance: Generalization, parts: Iterable[int]) -> int:
    """Return the sum of what all blocks cost, and what the least levels cost."""
    base = price_of_levels(instance, instance.least_levels)
    return instance.persons * base + sum(parts)


def certificate_of(instance: Generalization, blocks: list[Block]) -> Certificate | None:
    """Return the weights of all blocks at a common scale; None if one has none.

    A row pays what the least levels cost, besides.
    """
    known = [block.certificate for block in blocks]
    proofs = [one for one in known if one is not None and one["kind"] == "weights"]
    if len(proofs) < len(blocks):
        return None
    scale = lcm(*(proof["scale"] for proof in proofs))
    base = price_of_levels(instance, instance.least_levels)
    records = instance.records
    weights = [scale * base * worth for worth in records.worth.tolist()]
    for block, proof in zip(blocks, proofs, strict=True):
        homes = block.instance.records.home.tolist()
        for record, of_block in zip(block.records.tolist(), homes, strict=True):
            weights[record] += proof["weights"][of_block] * (scale // proof["scale"])
    return {"kind": "weights", "scale": scale, "weights": weights}


def proof_of_blocks(
    instance: Generalization,
    bound: int,
    prove: Callable[[Generalization, int], Proof | None],
) -> Proof | None:
    """Return weights that prove this bound, or less, from those of the blocks."""
    blocks = []
    for some, table in blocks_of(instance):
        known = (check(table, one).cost for _, one in first_answers(table))
        least = min((cost for cost in known if cost is not None), default=bound)
        found = prove(table, min(bound, least))
        if found is None or found.bound is None:
            return None
        blocks.append(Block(some, table, found.bound, found.certificate))
    proof = certificate_of(instance, blocks)
    if proof is None:
        return None
    proved = _whole(instance, [block.bound for block in blocks])
    return Proof(min(bound, proved), proof)
