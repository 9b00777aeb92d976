"""[Aggarwal10] section 1, its worked examples: Figures 1 to 3."""

from __future__ import annotations

from typing import Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.k_anonymity import check
from atleastk.models.results.solution import Solution
from atleastk.research.claims.claim import Kind, claim
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


CLAIMS: Final = (
    claim(
        "Figure 1",
        "The five rows, r = 2: 2-gather has radius 3, 2-cellular clustering cost 11.",
        reading="Centres anywhere, so the package gives the diameter and twice the "
        "cost: 36 = (2 * 3)^2, and 22.",
        trial=example(_figure_1, (36, 22)),
    ),
    claim(
        "Figure 1, 2-anonymity",
        "Part (b) is a 2-anonymization of the five rows.",
        kind=Kind.EXAMPLE,
        reading="By five stars, which is the least.",
        trial=example(_figure_1b, (5, 5)),
    ),
    claim(
        "Figure 2",
        "Clusters of 50, 20 and 8 points of radius 10, 5 and 3 cost 624.",
        trial=example(lambda: 50 * 10 + 20 * 5 + 8 * 3, 624),
    ),
    claim(
        "Figure 3",
        "5-anonymity hides all 20 entries; a 5-cellular clustering costs 5, and moves "
        "4 values.",
        trial=example(_figure_3, (20, 5, 4)),
    ),
)
