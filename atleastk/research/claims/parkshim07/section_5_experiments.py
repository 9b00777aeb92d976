"""[ParkShim07] Figures 12 and 13: what the algorithms suppress of real tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, NamedTuple

from atleastk.instances.datasets.adult import adult
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.parkshim07.groups import Rows, frequent_itemsets
from atleastk.runs import api


class _Costs(NamedTuple):
    """What a sample of Adult costs by the algorithms of Figures 12 and 13."""

    fq: int
    cf: int
    relaxed: int
    """By APPROX-CF-1.8."""
    dr: int
    trees: int
    bound: int
    """By OPT-LB."""


def _on_adult(wrong: Callable[[_Costs], bool], fewest: int = 3) -> Trial:
    """Return the trial of a finding on samples of Adult, k = 2, 4, 8, 16."""

    def attempt(rng: Random) -> str | None:
        m, k = rng.randint(fewest, 8), rng.choice([2, 4, 8, 16])
        rows = [tuple(row[:m]) for row in rng.sample(adult(2).table, 500)]
        instance = KAnonymity(rows, k)
        fq, cf, relaxed, dr, trees = (
            api.approximate(instance, f"approx-{name}").cost or 0
            for name in ("fq", "cf", "cf-1.8", "dr", "gr")
        )
        costs = _Costs(fq, cf, relaxed, dr, trees, _opt_lb(rows, k))
        return f"k = {k}, {m} columns: {costs}" if wrong(costs) else None

    family = f"samples of 500 rows of Adult, the first {fewest} to 8 columns"
    return Trial(family, attempt)


def _opt_lb(rows: Rows, k: int) -> int:
    """Return what OPT-LB suppresses: for every row the least of any frequent set."""
    m = len(rows[0])
    least = [m] * len(rows)
    for items, group in frequent_itemsets(rows, k).items():
        for row in group:
            least[row] = min(least[row], m - len(items))
    return sum(least)


def _cheaper_with_more(rng: Random) -> str | None:
    """Figure 13: look for a sample of Adult that costs less with a column more."""
    rows, k = rng.sample(adult(2).table, 500), 4
    for name in ("cf", "dr", "gr"):
        costs = [
            api.approximate(KAnonymity([r[:m] for r in rows], k), f"approx-{name}").cost
            for m in range(3, 9)
        ]
        if costs != sorted(cost or 0 for cost in costs):
            return f"{name}: {costs}"
    return None


TRIALS: Final[Mapping[str, Trial]] = {
    "Figures 12 and 13, worst": _on_adult(
        lambda of: of.trees <= max(of.fq, of.cf, of.relaxed, of.dr)
    ),
    "Figures 12 and 13, best": _on_adult(
        lambda of: of.dr > min(of.fq, of.cf), fewest=4
    ),
    "Figures 12 and 13, close": _on_adult(
        lambda of: 2 * max(of.fq, of.cf, of.dr) > 3 * of.bound
    ),
    "Figures 12 and 13, equal": _on_adult(
        lambda of: 10 * abs(of.fq - of.cf) > min(of.fq, of.cf)
    ),
    "Figures 12 and 13, beta": _on_adult(lambda of: 5 * of.relaxed > 9 * of.cf),
    "Figures 12 and 13, columns": Trial(
        "samples of 500 rows of Adult, k = 4", _cheaper_with_more
    ),
}
