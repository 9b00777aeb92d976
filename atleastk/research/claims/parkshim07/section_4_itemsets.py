"""[ParkShim07] sections 4.3 to 4.5: frequent itemsets, closed ones, OPT-LB."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Final

from atleastk.instances.datasets.adult import adult
from atleastk.instances.generators.k_anonymity import FIGURE_1
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.parkshim07.groups import (
    TABLES,
    Case,
    Group,
    Rows,
    containing,
    cost_of,
    diameter_of,
    frequent_groups,
    frequent_itemsets,
    greedy_cover,
    length_of,
    new_ratio,
    small_groups,
    small_instance,
    small_partitions,
    small_table,
    total_of,
)
from atleastk.research.claims.trials import cases, example, least_cost, promise
from atleastk.runs import api


def _unequal_ratios(rng: Random) -> str | None:
    """Lemma 4.9: look for a choice whose part has another ratio."""
    rows, k = small_table(rng)
    for chosen, part, left in greedy_cover(rows, k, rng):
        ratios = [new_ratio(rows, s, left, 2 * k - 1) for s in (chosen, part)]
        if ratios[0] != ratios[1]:
            return f"{rows}, k = {k}: {sorted(chosen)} and {sorted(part)}, {ratios}"
    return None


def _not_of_gen_cover(rng: Random) -> str | None:
    """Lemma 4.10: look for a part that GEN-COVER would not choose."""
    rows, k = small_table(rng)
    subsets = small_groups(rows, k)
    for _chosen, part, left in greedy_cover(rows, k, rng):
        ratio = new_ratio(rows, part, left, 2 * k - 1)
        for other in subsets:
            if other & left and new_ratio(rows, other, left, 2 * k - 1) < ratio:
                return f"{rows}, k = {k}: {sorted(other)} is better than {sorted(part)}"
    return None


def _above_optimum(case: Case) -> str | None:
    """Lemma 4.16: compare OPT-LB, the least length of every row, with the optimum."""
    rows, k = case
    sets = frequent_groups(rows, k)
    bound = sum(
        min(length_of(rows, s) for s in sets if row in s) for row in range(len(rows))
    )
    optimum = least_cost(KAnonymity(rows, k))
    return f"OPT-LB {bound}, the optimum {optimum}" if bound > optimum else None


def _is_feasible(instance: KAnonymity) -> str | None:
    made = api.approximate(instance, "approx-dr")
    return None if made.cost is not None else "APPROX-DR finds no solution"


def _not_in_family(case: Case) -> str | None:
    """Compare F_FQ by frequent itemsets with the T_S of all groups S."""
    rows, k = case
    by_items = {*frequent_itemsets(rows, k).values(), frozenset(range(len(rows)))}
    missing = set(frequent_groups(rows, k)) - by_items
    return f"{sorted(map(sorted, missing))} are of no itemset" if missing else None


def _mostly_closed(rng: Random) -> str | None:
    """Look for a sample of Adult with more than four closed itemsets of five."""
    rows = [tuple(row) for row in rng.sample(adult(2).table, 300)]
    k = rng.choice([2, 4, 8])
    frequent = frequent_itemsets(rows, k)
    closed = len(set(frequent.values()))
    counts = f"{closed} of {len(frequent)} are closed"
    return counts if 5 * closed > 4 * len(frequent) else None


def _unlike_closure(case: Case) -> str | None:
    """Look for an itemset whose rows agree on more than all that has its rows."""
    rows, k = case
    for items, group in frequent_itemsets(rows, k).items():
        if containing(rows, group) != group:
            return f"{sorted(items)}: the closure has other rows than {sorted(group)}"
    return None


def _beyond_diameters(rows: Rows, k: int) -> str | None:
    """Section 4.5: compare best partitions by diameters with (2k - 1)^2 / 2k OPT."""
    every = small_partitions(rows, k)
    optimum = min(cost_of(rows, groups) for groups in every)
    totals = [total_of(diameter_of, rows, groups) for groups in every]
    for groups, total in zip(every, totals, strict=True):
        cost = cost_of(rows, groups)
        if total == min(totals) and 2 * k * cost > (2 * k - 1) ** 2 * optimum:
            return f"{rows}, k = {k}: {groups} cost {cost}, the optimum is {optimum}"
    return None


def _by_diameters(rng: Random) -> str | None:
    """Draw a table, or one of two groups of 2k - 1 rows of equal distances, k = 2."""
    if rng.random() < 0.7:
        return _beyond_diameters(*small_table(rng))
    copies, apart = rng.randint(1, 4), rng.randint(1, 4)
    units = [tuple(int(i == j) for j in range(3)) * copies for i in range(3)]
    return _beyond_diameters([u + (side,) * apart for side in (0, 1) for u in units], 2)


def _example_4_15() -> object:
    """Return the ratios of Figure 10's sets: at first, and when t1, t3 are covered."""
    sets = [frozenset(s) for s in ({0, 2}, {1, 3}, {1, 2, 3}, {0, 1, 2, 3})]
    at_first = [new_ratio(FIGURE_1, s, range(4), 3) for s in sets]
    return at_first, [new_ratio(FIGURE_1, s, {1, 3}, 3) for s in sets[1:]]


def _example_4_8() -> object:
    def cells_left(group: Group) -> int:
        return len(FIGURE_1[0]) - length_of(FIGURE_1, group)

    pairs = [frozenset(pair) for pair in combinations(range(4), 2)]
    return [(cells_left(pair), sorted(containing(FIGURE_1, pair))) for pair in pairs]


def _example_4_13() -> object:
    """Count the frequent itemsets of Figure 1, k = 2, and size the closed ones."""
    rows_of = frequent_itemsets(FIGURE_1, 2)
    closed = [
        items
        for items, rows in rows_of.items()
        if not any(items < other and rows == rows_of[other] for other in rows_of)
    ]
    return len(rows_of), sorted(map(len, closed))


TRIALS: Final[Mapping[str, Trial]] = {
    "Example 4.8": example(
        _example_4_8,
        [
            (0, [0, 1, 2, 3]),
            (3, [0, 2]),
            (0, [0, 1, 2, 3]),
            (1, [1, 2, 3]),
            (2, [1, 3]),
            (1, [1, 2, 3]),
        ],
    ),
    "section 4.3, F_FQ": cases(TABLES, small_table, _not_in_family),
    "Lemma 4.9": Trial(TABLES, _unequal_ratios),
    "Lemma 4.10": Trial(TABLES, _not_of_gen_cover),
    "Example 4.13": example(_example_4_13, (10, [1, 2, 3])),
    "section 4.4, closed itemsets": Trial(
        "samples of 300 rows of Adult, k = 2, 4, 8", _mostly_closed
    ),
    "Example 4.15": example(
        _example_4_15,
        (
            [Fraction(1, 2), Fraction(1), Fraction(1), Fraction(4, 3)],
            [Fraction(1), Fraction(3, 2), Fraction(2)],
        ),
    ),
    "Theorem 4.14, proof": cases(TABLES, small_table, _unlike_closure),
    "section 4.4, beta": promise(TABLES, small_instance, "approx-cf-1.8"),
    "section 4.5, diameters": Trial(
        TABLES + ", and two groups of three rows of equal distances, k = 2",
        _by_diameters,
    ),
    "Lemma 4.16": cases(TABLES, small_table, _above_optimum),
    "section 4.5, APPROX-DR": cases(TABLES, small_instance, _is_feasible),
}
