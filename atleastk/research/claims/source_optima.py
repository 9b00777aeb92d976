"""The least of one quantity of a suppression problem, for checking reductions.

Apart from the package's own methods: all partitions of up to nine rows, all sets of
columns that can stay, and otherwise all groups of k..2k-1 rows in CP-SAT. No limit is
looked at but the quantity itself, and whether whole columns are deleted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import numpy as np

import atleastk
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.suppression import Suppression
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.status import Status
from atleastk.research.claims.trials import partitions
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget

PARTITIONED_ROWS: Final = 9
"""Tables of more rows are solved by groups."""

Groups = list[list[int]]
Rows = Sequence[Sequence[str | int]]


def optimum(target: KAnonymity, quantity: str) -> tuple[int, Groups]:
    """Return the least of a quantity, without other limits, and the groups."""
    table = tuple(map(tuple, target.table))
    if not isinstance(target, Suppression):
        return _fewest_entries(target)
    if target.deletion:
        return _fewest_columns(table, target.k)
    if target.n <= PARTITIONED_ROWS:
        return best_partition(table, target.k, quantity)
    if quantity == "per_row":
        return least_per_row(table, target.k)
    return least_by_groups(table, target.k, quantity)


@cache
def _fewest_entries(target: KAnonymity) -> tuple[int, Groups]:
    """Return the optimum of a k-anonymity as the package proves it in HiGHS."""
    result = atleastk.solve(target, workers=1, seed=0, method="patterns")
    assert result.status is Status.OPTIMAL, "it runs without a time limit"
    assert result.cost is not None, "an optimum has a cost"
    assert result.solution is not None, "an optimum has a solution"
    return result.cost, [list(group) for group in result.solution.groups]


@cache
def best_partition(table: Rows, k: int, quantity: str) -> tuple[int, Groups]:
    """Return the least of a quantity over all partitions, and a best one."""
    best: tuple[int, Groups] | None = None
    for found in partitions(tuple(range(len(table))), k, len(table)):
        groups = [sorted(group) for group in found]
        lost = [_lost(table, group) for group in groups]
        cost = _total(groups, lost, len(table[0]), quantity)
        if best is None or cost < best[0]:
            best = cost, groups
    assert best is not None, "the table has k rows"
    return best


def _lost(table: Rows, group: Sequence[int]) -> list[int]:
    """Return the columns that a group does not agree on."""
    return [
        j
        for j in range(len(table[0]))
        if any(table[i][j] != table[group[0]][j] for i in group)
    ]


def _total(
    groups: Groups, lost: Sequence[Sequence[int]], columns: int, quantity: str
) -> int:
    if quantity == "per_row":
        return max(map(len, lost))
    if quantity == "entries":
        return sum(len(group) * len(js) for group, js in zip(groups, lost, strict=True))
    sums = [0] * columns
    for group, js in zip(groups, lost, strict=True):
        for j in js:
            sums[j] += len(group)
    return max(sums, default=0)


def column_sets(table: Rows, k: int) -> Iterator[tuple[int, ...]]:
    """Yield all sets of columns that can stay if the others are deleted.

    More columns tell more rows apart: what cannot stay cannot stay with others.
    """

    def beyond(kept: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if min(map(len, _classes(table, kept))) < k:
            return
        yield kept
        for j in range(max(kept, default=-1) + 1, len(table[0])):
            yield from beyond((*kept, j))

    return beyond(())


def _classes(table: Rows, kept: Sequence[int]) -> Groups:
    classes: dict[tuple[str | int, ...], list[int]] = {}
    for i, row in enumerate(table):
        classes.setdefault(tuple(row[j] for j in kept), []).append(i)
    return list(classes.values())


@cache
def _fewest_columns(table: Rows, k: int) -> tuple[int, Groups]:
    kept = max(column_sets(table, k), key=len)
    return len(table[0]) - len(kept), _classes(table, kept)


def groups_losing(
    table: Rows, k: int, most: int
) -> Iterator[tuple[list[int], list[int]]]:
    """Yield all groups of k..2k-1 rows that lose at most so many columns, and these.

    Splitting a larger group loses no more. Adding a row never loses fewer columns.
    """
    columns = zip(*table, strict=True)
    codes = np.array([np.unique(c, return_inverse=True)[1] for c in columns]).T
    same = codes[:, None, :] == codes[None, :, :]
    fewest = len(table[0]) - most

    def beyond(
        group: list[int], agreed: np.ndarray
    ) -> Iterator[tuple[list[int], list[int]]]:
        if agreed.sum() < fewest:
            return
        if len(group) >= k:
            yield group, np.flatnonzero(~agreed).tolist()
        if len(group) < 2 * k - 1:
            for i in range(group[-1] + 1, len(table)):
                yield from beyond([*group, i], agreed & same[group[0], i])

    for i in range(len(table)):
        yield from beyond([i], np.ones(len(table[0]), dtype=bool))


@cache
def least_by_groups(table: Rows, k: int, quantity: str) -> tuple[int, Groups]:
    """Return the least of entries or per column, and groups, by set partitioning.

    Rows in no group that keeps a column are one group that loses all.
    """
    n, m = len(table), len(table[0])
    keeping = list(groups_losing(table, k, m - 1))
    by_entries = quantity == "entries"
    model = LinearModelBuilder()
    for group, lost in keeping:
        model.variable(0, 1, len(group) * len(lost) if by_entries else 0)
    left = [model.variable(0, 1, m if by_entries else 0) for _ in range(n)]
    any_left = model.variable(0, 1)
    for i in range(n):
        holding = [x for x, (group, _) in enumerate(keeping) if i in group]
        model.equation([*holding, left[i]], 1, 1)
        model.row([left[i], any_left], [1, -1], at_most=0)
    model.row([*left, any_left], [*([1] * n), -k], at_least=0)
    if not by_entries:
        most = model.variable(0, n, 1)
        for j in range(m):
            losing = [(x, len(g)) for x, (g, lost) in enumerate(keeping) if j in lost]
            chosen = [*(x for x, _ in losing), *left, most]
            model.row(chosen, [*(s for _, s in losing), *([1] * n), -1], at_most=0)
    answer = CpSat().minimise(model.build(), Budget.of())
    assert answer.status is Status.OPTIMAL, "it runs without a time limit"
    assert answer.values is not None, "an optimum has a point"
    assert answer.cost is not None, "an optimum has a cost"
    groups = [group for x, (group, _) in enumerate(keeping) if answer.values[x]]
    alone = [i for i in range(n) if answer.values[left[i]]]
    return answer.cost, [*groups, alone] if alone else groups


@cache
def least_per_row(table: Rows, k: int) -> tuple[int, Groups]:
    """Return the least number of cells that every row can do with, and groups."""
    low, high = 0, len(table[0])
    best = partition_losing(table, k, high)
    assert best is not None, "the table has k rows"
    while low < high:
        middle = (low + high) // 2
        groups = partition_losing(table, k, middle)
        if groups is None:
            low = middle + 1
        else:
            high, best = middle, groups
    return high, best


def partition_losing(table: Rows, k: int, most: int) -> Groups | None:
    """Return a partition into groups that lose at most so many columns, if any."""
    if most == len(table[0]):
        return [list(range(len(table)))]
    cheap = [group for group, _ in groups_losing(table, k, most)]
    model = LinearModelBuilder()
    model.binaries(len(cheap))
    holders: list[list[int]] = [[] for _ in table]
    for x, group in enumerate(cheap):
        for i in group:
            holders[i].append(x)
    if not all(holders):
        return None
    for holding in holders:
        model.equation(holding, 1, 1)
    answer = CpSat().minimise(model.build(), Budget.of())
    if answer.status is Status.INFEASIBLE:
        return None
    assert answer.values is not None, "it runs without a time limit"
    return [group for x, group in enumerate(cheap) if answer.values[x]]
