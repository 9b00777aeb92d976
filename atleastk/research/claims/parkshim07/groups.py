"""Tables, groups, covers and frequent itemsets, as [ParkShim07] has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.trials import cases, partitions

Row = tuple[Any, ...]
Rows = Sequence[Row]
Group = frozenset[int]
"""Rows by their numbers."""


TABLES: Final = "tables of k to 8 rows, 1 to 4 columns of 3 values, k up to 4"
"""What is drawn of tables, in words."""


def length_of(rows: Rows, group: Iterable[int]) -> int:
    """Return a(S): in how many columns the rows of a group differ."""
    return sum(
        len(set(column)) > 1 for column in zip(*(rows[i] for i in group), strict=True)
    )


def diameter_of(rows: Rows, group: Iterable[int]) -> int:
    """Return d(S): in how many columns two rows of a group differ at most."""
    pairs = combinations([rows[i] for i in group], 2)
    return max(
        (sum(a != b for a, b in zip(u, v, strict=True)) for u, v in pairs), default=0
    )


def small_partitions(rows: Rows, k: int) -> list[list[Group]]:
    """Return all (k, 2k - 1)-partitions."""
    return list(partitions(tuple(range(len(rows))), k, 2 * k - 1))


def cost_of(rows: Rows, groups: Iterable[Group]) -> int:
    """Return how many cells a partition suppresses."""
    return sum(len(group) * length_of(rows, group) for group in groups)


def total_of(
    measure: Callable[[Rows, Group], int], rows: Rows, groups: Iterable[Group]
) -> int:
    """Return the sum of a measure over all groups."""
    return sum(measure(rows, group) for group in groups)


Case = tuple[Rows, int]
"""A table and k, with k rows at least."""


def small_table(rng: Random) -> Case:
    """Draw one of the tables of `TABLES`."""
    k = rng.choice([1, 2, 2, 3, 3, 4])
    n, m = rng.randint(k, 8), rng.randint(1, 4)
    rows = tuple(tuple(rng.randrange(3) for _ in range(m)) for _ in range(n))
    return rows, k


def small_instance(rng: Random) -> KAnonymity:
    """Draw the instance of such a table."""
    rows, k = small_table(rng)
    return KAnonymity(rows, k)


class _Judged(NamedTuple):
    """A (k, 2k - 1)-partition, what it costs, and its total of a measure."""

    k: int
    cost: int
    total: int
    optimum: int
    least: int
    """The least total of any such partition."""


def no_partition(
    measure: Callable[[Rows, Group], int], breaks: Callable[[_Judged], bool]
) -> Trial:
    """Return the trial that no (k, 2k - 1)-partition of a table breaks a rule."""

    def wrong(case: Case) -> str | None:
        rows, k = case
        every = small_partitions(rows, k)
        optimum = min(cost_of(rows, groups) for groups in every)
        least = min(total_of(measure, rows, groups) for groups in every)
        for groups in every:
            cost, total = cost_of(rows, groups), total_of(measure, rows, groups)
            judged = _Judged(k, cost, total, optimum, least)
            if breaks(judged):
                return f"{groups}: {judged}"
        return None

    return cases(TABLES, small_table, wrong)


def out_of_bounds(factor: Callable[[int], int]) -> Callable[[_Judged], bool]:
    """Return whether a best one is not k least <= k total <= OPT <= factor total."""

    def breaks(of: _Judged) -> bool:
        low, high = of.k * of.total, factor(of.k) * of.total
        bounded = of.k * of.least <= low <= of.optimum <= high
        return of.cost == of.optimum and not bounded

    return breaks


def beyond_ratio(factor: Callable[[int], int]) -> Callable[[_Judged], bool]:
    """Return whether a partition costs more than factor total / least times OPT."""
    return lambda of: of.cost * of.least > factor(of.k) * of.total * of.optimum


def small_groups(rows: Rows, k: int) -> list[Group]:
    """Return all groups of k to 2k - 1 rows."""
    return [
        frozenset(chosen)
        for size in range(k, min(2 * k - 1, len(rows)) + 1)
        for chosen in combinations(range(len(rows)), size)
    ]


def frequent_groups(rows: Rows, k: int) -> list[Group]:
    """Return F_FQ: the rows of every frequent itemset, and all rows."""
    closures = {containing(rows, group) for group in small_groups(rows, k)}
    return [*closures, frozenset(range(len(rows)))]


def containing(rows: Rows, group: Group) -> Group:
    """Return T_S: the rows that agree with a group wherever it agrees."""
    first = rows[min(group)]
    shared = [c for c in range(len(first)) if len({rows[i][c] for i in group}) == 1]
    return frozenset(
        i for i, row in enumerate(rows) if all(row[c] == first[c] for c in shared)
    )


def greedy_cover(
    rows: Rows, k: int, rng: Random
) -> Iterator[tuple[Group, Group, Group]]:
    """Run GEN-COVER-FQ, free choices drawn; yield S, its part S^R, and what is new."""
    left = set(range(len(rows)))
    sets = frequent_groups(rows, k)
    while left:
        ratios = {s: new_ratio(rows, s, left, 2 * k - 1) for s in sets if s & left}
        least = min(ratios.values())
        chosen = rng.choice(
            sorted((s for s in ratios if ratios[s] == least), key=sorted)
        )
        new = sorted(chosen & left)
        rng.shuffle(new)
        if len(chosen) <= 2 * k - 1:
            part = chosen
        elif len(new) > 2 * k - 1:
            part = frozenset(new[: 2 * k - 1])
        else:
            old = sorted(chosen - left)
            rng.shuffle(old)
            part = frozenset(new + old[: max(0, k - len(new))])
        yield chosen, part, frozenset(left)
        left -= part


def new_ratio(rows: Rows, group: Group, left: Iterable[int], most: int) -> Fraction:
    """Return how many columns a group loses for each row that is new."""
    return Fraction(length_of(rows, group), min(len(group.intersection(left)), most))


def frequent_itemsets(rows: Rows, k: int) -> dict[frozenset[tuple[int, Any]], Group]:
    """Return the frequent itemsets, of one item at least, with the rows of each."""
    columns = range(len(rows[0]))
    found: dict[frozenset[tuple[int, Any]], set[int]] = {}
    for chosen in (c for size in columns for c in combinations(columns, size + 1)):
        for place, row in enumerate(rows):
            found.setdefault(frozenset((c, row[c]) for c in chosen), set()).add(place)
    return {items: frozenset(g) for items, g in found.items() if len(g) >= k}
