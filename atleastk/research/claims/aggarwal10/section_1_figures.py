"""[Aggarwal10] section 1, its worked examples: Figures 1 to 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.k_anonymity import check
from atleastk.models.results.solution import Solution
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.trials import example, optimum_of
from atleastk.runs import api


def _figure_1() -> object:
    problems = "r-gather", "cellular-clustering"
    return tuple(optimum_of(api.generate(each, "figure-1")) for each in problems)


def _figure_1b() -> object:
    table: list[tuple[int | str, ...]] = [
        (0, "b"),
        (2, "b"),
        ("d", 3),
        ("d", 0),
        ("d", -3),
    ]
    groups = Solution.of([[0, 1], [2, 3, 4]])
    instance = KAnonymity(table, 2)
    return check(instance, groups).cost, optimum_of(instance)


def _figure_3() -> object:
    table = [(1, 1, 1, 1), (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)]
    cellular = optimum_of(api.generate("cellular-clustering", "figure-3"))
    moved = sum(sum(value != 1 for value in row) for row in table)
    return optimum_of(KAnonymity(table, 5)), cellular, moved


TRIALS: Final[Mapping[str, Trial]] = {
    "Figure 1": example(_figure_1, (36, 22)),
    "Figure 1, 2-anonymity": example(_figure_1b, (5, 5)),
    "Figure 2": example(lambda: 50 * 10 + 20 * 5 + 8 * 3, 624),
    "Figure 3": example(_figure_3, (20, 5, 4)),
}
