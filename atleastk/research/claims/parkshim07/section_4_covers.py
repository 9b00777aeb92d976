"""[ParkShim07] sections 4.1 and 4.2: suppression lengths, and greedy covers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import log
from random import Random
from typing import Final

from atleastk.instances.generators.k_anonymity import FIGURE_2
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.parkshim07.groups import (
    TABLES,
    Case,
    beyond_ratio,
    cost_of,
    greedy_cover,
    length_of,
    new_ratio,
    no_partition,
    out_of_bounds,
    small_groups,
    small_instance,
    small_partitions,
    small_table,
    total_of,
)
from atleastk.research.claims.trials import cases, example, promise


def _cover_too_long(rng: Random) -> str | None:
    """Look for a greedy cover above 1 + ln 2k times the least length sum."""
    rows, k = small_table(rng)
    cover = [part for _chosen, part, _left in greedy_cover(rows, k, rng)]
    total = total_of(length_of, rows, cover)
    least = min(
        total_of(length_of, rows, groups) for groups in small_partitions(rows, k)
    )
    if total <= (1 + log(2 * k)) * least:
        return None
    return f"{rows}, k = {k}: the cover has {total}, the best partition {least}"


def _ill_converted(rng: Random) -> str | None:
    """Look for a cover that CONVERT makes dearer, or no (k, 2k - 1)-partition of."""
    rows, k = small_table(rng)
    subsets = small_groups(rows, k)
    cover: list[set[int]] = []
    while len(set().union(*cover)) < len(rows):
        cover.append(set(rng.choice(subsets)))
    before = sum(length_of(rows, group) for group in cover)
    for row in range(len(rows)):
        while len(holding := [group for group in cover if row in group]) > 1:
            one, other = holding[:2]
            if max(len(one), len(other)) > k:
                max(one, other, key=len).remove(row)
            else:
                cover = [g for g in cover if g is not one and g is not other]
                cover.append(one | other)
    sizes = [len(group) for group in cover]
    after = sum(length_of(rows, group) for group in cover)
    if k <= min(sizes) and max(sizes) <= 2 * k - 1 and after <= before:
        return None
    return f"{rows}, k = {k}: sizes {sizes}, {after} stars a group, {before} before"


def _longer_union(case: Case) -> str | None:
    """Look for two groups that share a row, and lose more columns as one."""
    rows, _k = case
    groups = [
        frozenset(chosen)
        for size in range(1, len(rows) + 1)
        for chosen in combinations(range(len(rows)), size)
    ]
    for one, other in combinations(groups, 2):
        apart = length_of(rows, one) + length_of(rows, other)
        if one & other and length_of(rows, one | other) > apart:
            return f"{sorted(one)} and {sorted(other)}"
    return None


def _example_4_5() -> object:
    every = small_partitions(FIGURE_2, 4)
    best = [frozenset(range(4)), frozenset(range(4, 8))]
    least = min(total_of(length_of, FIGURE_2, groups) for groups in every)
    return least, total_of(length_of, FIGURE_2, best), cost_of(FIGURE_2, best)


def _example_4_6() -> object:
    least = {
        size: min(length_of(FIGURE_2, s) for s in combinations(range(8), size))
        for size in (4, 5, 6, 7)
    }
    best = min(Fraction(length, size) for size, length in least.items())
    left = {6, 7}
    second = {
        size: min(
            new_ratio(FIGURE_2, frozenset(s), left, 7)
            for s in combinations(range(8), size)
            if left & set(s)
        )
        for size in (4, 5, 6, 7)
    }
    last_four = new_ratio(FIGURE_2, frozenset(range(4, 8)), left, 7)
    others = min(ratio for size, ratio in second.items() if size > 4)
    return least, best, last_four == second[4], others > last_four


TRIALS: Final[Mapping[str, Trial]] = {
    "Lemma 4.3": no_partition(length_of, out_of_bounds(lambda k: 2 * k - 1)),
    "Corollary 4.4": no_partition(length_of, beyond_ratio(lambda _k: 2)),
    "Example 4.5": example(_example_4_5, (6, 6, 24)),
    "section 4.2, GEN-COVER": Trial(TABLES, _cover_too_long),
    "Example 4.6": example(
        _example_4_6, ({4: 3, 5: 4, 6: 4, 7: 5}, Fraction(4, 6), True, True)
    ),
    "section 4.2, unions": cases(TABLES, small_table, _longer_union),
    "section 4.2, CONVERT": Trial(TABLES, _ill_converted),
    **{
        number: promise(TABLES, small_instance, name)
        for number, name in (
            ("Theorem 4.7", "approx-naive"),
            ("Theorem 4.11", "approx-fq"),
            ("Theorem 4.14", "approx-cf"),
        )
    },
}
