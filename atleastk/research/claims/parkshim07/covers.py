"""Greedy covers and frequent itemsets, as [ParkShim07] has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

from atleastk.research.claims.parkshim07.groups import Group, Rows, length_of


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
