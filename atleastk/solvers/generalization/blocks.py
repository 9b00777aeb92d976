"""Generalisation on entries where columns have a least and a greatest level.

The rows of a group have equal labels at the greatest levels. So the classes of these
are tables of their own, *blocks*, with the hierarchies cut to the levels between: the
cost is the sum over all blocks, and what the least levels cost. Each is minimised by
itself; bounds are sums as well, and so are certificates: the weights of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any

from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import Hierarchy
from atleastk.models.generalization import (
    check,
    classes_of,
    price_of_levels,
    solution_of_groups,
)
from atleastk.models.results.result import Event
from atleastk.models.results.solution import labels_of
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization.first import first_answers
from atleastk.solvers.search import Proof, Search
from atleastk.solvers.tables.assignment import by_label, in_turn

_SOURCE = "blocks"

Certificate = Mapping[str, Any]


@dataclass(eq=False)
class Block:
    """Rows that may be in groups together, as a table of their own."""

    rows: list[int]  # their numbers in the whole table
    instance: Generalization  # with hierarchies that are cut to the allowed levels
    groups: list[list[int]]  # the best known ones, by numbers of this table
    cost: int  # what these cost above the least levels
    bound: int = 0  # no groups cost less
    certificate: Certificate | None = None  # weights that prove that, if there are any


def blocks_of(instance: Generalization) -> Iterator[tuple[list[int], Generalization]]:
    """Yield the rows of every block, and their table."""
    instance = instance.written_out
    home = classes_of(instance, instance.greatest_levels)
    for rows in (part.tolist() for part in by_label(home)):
        yield rows, _cut(instance, rows)


def _cut(instance: Generalization, rows: list[int]) -> Generalization:
    """Return the table of some rows between the least and the greatest levels."""
    limits = zip(instance.least_levels, instance.greatest_levels, strict=True)
    columns, hierarchies = [], []
    for j, (low, high) in enumerate(limits):
        chain_of = instance.hierarchies[j].chain_of
        chains = [chain_of[instance.table[row][j]][low : high + 1] for row in rows]
        columns.append([chain[0] for chain in chains])
        hierarchies.append(Hierarchy(list(dict.fromkeys(map(tuple, chains)))))
    weights = instance.row_weights
    return Generalization(
        table=list(zip(*columns, strict=True)),
        k=instance.k,
        hierarchies=hierarchies,
        column_weights=[max(1, weight) for weight in instance.weights],
        row_weights=None if weights is None else [weights[row] for row in rows],
    )


def minimise_blocks(
    search: Search[Generalization], minimise: Callable[[Search[Generalization]], None]
) -> None:
    """Minimise block by block; the search has a solution.

    `minimise` is for a table without limits of levels.
    """
    instance = search.instance
    assert search.solution is not None
    home = labels_of(search.solution.groups, instance.n)
    blocks = []
    for rows, table in blocks_of(instance):
        groups = [part.tolist() for part in by_label(home[rows])]
        cost = check(table, solution_of_groups(table, groups)).cost or 0
        blocks.append(Block(rows, table, groups, cost))
    turns = in_turn(blocks, lambda block: len(block.rows), lambda: search.budget)
    for block, part in turns:
        if search.done:
            return
        _minimise(search, blocks, block, part, minimise)


def _minimise(
    search: Search[Generalization],
    blocks: list[Block],
    block: Block,
    part: Budget,
    minimise: Callable[[Search[Generalization]], None],
) -> None:
    """Minimise one of the blocks, and report what all of them come to."""

    def hear(_: Event) -> None:
        found = inner.solution
        if inner.cost is not None and found is not None and inner.cost < block.cost:
            block.cost = inner.cost
            block.groups = [list(group) for group in found.groups]
            search.offer(_joined(search.instance, blocks), _SOURCE)
        block.bound = max(block.bound, inner.bound or 0)
        block.certificate = inner.certificate
        _prove(search, blocks)

    inner = Search(block.instance, check, part, hear)
    inner.offer(solution_of_groups(block.instance, block.groups), _SOURCE)
    minimise(inner)
    hear(Event(0.0, inner.cost, inner.bound))


def _joined(instance: Generalization, blocks: list[Block]) -> Any:
    """Return the best groups of all blocks."""
    groups = [[b.rows[i] for i in group] for b in blocks for group in b.groups]
    return solution_of_groups(instance, groups)


def _prove(search: Search[Generalization], blocks: list[Block]) -> None:
    """Report the sum of all bounds, with weights if all blocks have some."""
    instance = search.instance
    bound, proof = _summed(instance, blocks), certificate_of(instance, blocks)
    search.raise_bound(bound, _SOURCE, proof)


def _summed(instance: Generalization, blocks: list[Block]) -> int:
    """Return the sum of all bounds, and what the least levels cost."""
    persons = sum(instance.row_weights or (1,) * instance.n)
    base = persons * price_of_levels(instance, instance.least_levels)
    return base + sum(block.bound for block in blocks)


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
        own, first = block.instance.records, dict[int, int]()
        for place, row in enumerate(block.rows):
            first.setdefault(int(records.record_of[row]), int(own.record_of[place]))
        for record, of_block in first.items():
            weights[record] += proof["weights"][of_block] * (scale // proof["scale"])
    return {"kind": "weights", "scale": scale, "weights": weights}


def proof_of_blocks(
    instance: Generalization,
    bound: int,
    prove: Callable[[Generalization, int], Proof | None],
) -> Proof | None:
    """Return weights that prove this bound, or less, from those of the blocks."""
    blocks = []
    for rows, table in blocks_of(instance):
        known = (check(table, one).cost for _, one in first_answers(table))
        least = min((cost for cost in known if cost is not None), default=bound)
        found = prove(table, min(bound, least))
        if found is None or found.bound is None:
            return None
        blocks.append(Block(rows, table, [], 0, found.bound, found.certificate))
    proof = certificate_of(instance, blocks)
    if proof is None:
        return None
    return Proof(min(bound, _summed(instance, blocks)), proof)
