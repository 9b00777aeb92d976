"""k-anonymity by explicit groups: branch and price on sets of rows.

The engine of set partitioning (:mod:`atleastk.solvers.engine.set_partition`) with the
groups of closed patterns (:mod:`atleastk.solvers.tables.root_lp`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import is_checkable
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.encodings.leaders import split_groups
from atleastk.models.results.solution import Solution
from atleastk.models.tables.patterns import Patterns
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.set_partition.closing import Closing
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import Prices
from atleastk.solvers.search import Search
from atleastk.solvers.tables.listed_table import ListedTable
from atleastk.solvers.tables.multipliers import prove, reduced_costs
from atleastk.solvers.tables.root_lp import PatternOracle
from atleastk.solvers.tables.weights import certificate_of


def minimise_groups(
    search: Search[KAnonymity], patterns: Patterns, source: str
) -> None:
    """Solve by explicit groups; the search has a solution, the patterns are all.

    The model of patterns finds good solutions, over the pairs of a pattern and a record
    that these may have or the best one has; and the optimum, where groups are too many
    to be listed.
    """
    instance, budget = search.instance, search.budget
    if budget.spent:
        return
    records, k = instance.records, instance.k
    table = ListedTable(patterns, records, k)
    oracle = PatternOracle(table, table.scale)

    def certificate(prices: Prices, bound: int) -> Mapping[str, Any] | None:
        if not is_checkable(records):
            return None
        weights = prove(table, prices.weights, prices.scale)
        return certificate_of(table, weights, bound)

    def solution(groups: Groups) -> Solution:
        return Solution.labelled(records.row_groups(*groups.entries))

    above = records.n * records.m + 1
    closing = Closing(search, oracle, above, source, solution, certificate)
    closing.master.add(_known(search))
    if not closing.bound():
        return

    def minimise(limit: int, budget: Budget) -> None:
        proof = closing.master.proof
        proved = prove(table, proof.prices.weights, table.scale)
        pairs = reduced_costs(table, proved) <= proof.spare(limit)
        assert search.solution is not None
        known = pattern_model(records, k, patterns).encode(search.solution)
        if known is not None:
            pairs |= known[: len(pairs)] > 0
        minimise_encoded(
            search,
            pattern_model(records, k, patterns.only(pairs)),
            Highs(),
            source,
            budget,
            below=limit,
            start=search.solution,
        )

    assert search.cost is not None
    bound = closing.master.proof.bound
    # Solutions near the bound, within 3 % of it, have half of the time.
    minimise(min(search.cost, bound + 2 + bound // 32), budget.share(0.5))
    closing.enumerate()
    if not search.done:
        minimise(search.cost, budget)


def _known(search: Search[KAnonymity]) -> Groups:
    """Return the groups of the best solution, split into those of k to 2k-1 rows."""
    records = search.instance.records
    assert search.solution is not None
    parts = split_groups(search.solution.groups, search.instance.k)
    items = [records.record_of[part] for part in parts]
    codes = [records.codes[part] for part in items]
    stars = [int((part != part[0]).any(axis=0).sum()) for part in codes]
    costs = [len(part) * each for part, each in zip(parts, stars, strict=True)]
    return Groups.listed(records.distinct, [part.tolist() for part in items], costs)
