"""[ParkShim07] sections 1 to 3: partitions, and their sums of diameters."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from random import Random
from typing import Final

from atleastk.instances.generators.k_anonymity import FIGURE_1, FIGURE_2
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.parkshim07.groups import (
    TABLES,
    Case,
    Rows,
    beyond_ratio,
    cost_of,
    diameter_of,
    length_of,
    no_partition,
    out_of_bounds,
    small_partitions,
    small_table,
    total_of,
)
from atleastk.research.claims.trials import cases, example, optimum_of, partitions

_BITS: Rows = tuple(map(tuple, ("1010", "1110", "0110")))


def _transformed(case: Case) -> str | None:
    """Compare the least cost over all partitions with that over groups to 2k - 1."""
    rows, k = case
    every = partitions(tuple(range(len(rows))), k, len(rows))
    least = min(cost_of(rows, groups) for groups in every)
    small = min(cost_of(rows, groups) for groups in small_partitions(rows, k))
    return None if least == small else f"{least} with larger groups, {small} without"


def _no_metric(rng: Random) -> str | None:
    """Definition 3.4: look for three rows that break the triangle inequality."""
    m = rng.randint(1, 6)
    rows = [tuple(rng.randrange(3) for _ in range(m)) for _ in range(3)]
    (p, q, r) = (diameter_of(rows, pair) for pair in combinations(range(3), 2))
    triangle = p <= q + r and q <= p + r and r <= p + q
    same = (rows[0] == rows[1]) == (p == 0)
    return None if triangle and same else f"{rows}: distances {p}, {q}, {r}"


def _example_1() -> object:
    groups = [frozenset({0, 2}), frozenset({1, 3})]
    return cost_of(FIGURE_1, groups), optimum_of(KAnonymity(FIGURE_1, 2))


def _example_3_9() -> object:
    every = small_partitions(FIGURE_2, 4)
    least = min(total_of(diameter_of, FIGURE_2, groups) for groups in every)
    of_least = {
        cost_of(FIGURE_2, g)
        for g in every
        if total_of(diameter_of, FIGURE_2, g) == least
    }
    return min(cost_of(FIGURE_2, g) for g in every), least, of_least


TRIALS: Final[Mapping[str, Trial]] = {
    "Figure 1": example(_example_1, (6, 6)),
    "Definition 3.4": Trial("three rows of 1 to 6 columns of 3 values", _no_metric),
    "Examples 3.2 and 4.2": example(
        lambda: (length_of(_BITS, range(3)), cost_of(_BITS, [frozenset(range(3))])),
        (2, 6),
    ),
    "section 3.2, group sizes": cases(TABLES, small_table, _transformed),
    "Lemma 3.7": no_partition(diameter_of, out_of_bounds(lambda k: 3 * k * k)),
    "Corollary 3.8": no_partition(diameter_of, beyond_ratio(lambda k: 3 * k)),
    "Example 3.9": example(_example_3_9, (24, 4, {32})),
    "Figure 2": example(lambda: optimum_of(KAnonymity(FIGURE_2, 4)), 24),
}
