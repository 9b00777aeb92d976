"""Two algorithms on the same instances, and how sure their means are.

An instance counts once: of several seeds the mean ratio. Intervals are those of
Student's t at 95 %, cut at 1 for ratios, which are no less. They suppose that means are
normal: with few instances of a skewed family they are too short.

Of two algorithms the instances are pairs. The sign test asks whether one is better as
often as the other, Wilcoxon's test whether differences are about 0 [Wilcoxon45]; both
leave out instances without a difference, and are two-sided. Where all algorithms are
compared with the best one, p-values are adjusted as by [Holm79].

References
----------
[Holm79] S. Holm, "A simple sequentially rejective multiple test procedure",
Scandinavian Journal of Statistics 6, 1979.
[Wilcoxon45] F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics
Bulletin 1, 1945.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from atleastk.instances.fields.html_table import notebook
from atleastk.packages import statistics

HEADS: Final = (
    *("compared with the best", "instances>", "better>", "equal>", "worse>"),
    *("mean difference>", "from>", "to>", "sign p>", "Wilcoxon p>"),
)
"""The columns of a table of comparisons."""

_SURE: Final = 0.95
"""How often an interval should hold the mean."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How an algorithm compares with another one on the instances of both."""

    first: str
    second: str
    better: int
    equal: int
    worse: int
    """`better`, `equal`, `worse`: the instances on which the first one is so."""
    difference: float
    """The mean ratio of the first minus that of the second."""
    interval: tuple[float, float] | None
    """Of that difference; None with fewer than two instances."""
    sign: float
    wilcoxon: float
    """`sign`, `wilcoxon`: the p-values of these tests."""

    @property
    def instances(self) -> int:
        """How many instances both have a ratio of."""
        return self.better + self.equal + self.worse

    def __str__(self) -> str:
        return (
            f"{self.first} against {self.second}: better on {self.better}, equal on "
            f"{self.equal}, worse on {self.worse}; mean difference "
            f"{self.difference:+.4f}, sign p {self.sign:.2g}, "
            f"Wilcoxon p {self.wilcoxon:.2g}"
        )

    def _repr_html_(self) -> str:
        return notebook("", ("two algorithms", *HEADS[1:]), [*comparison_cells([self])])


def interval_of(
    values: Sequence[float], least: float = float("-inf")
) -> tuple[float, float] | None:
    """Return the interval of the mean of values that are no less than `least`.

    None with fewer than two values.
    """
    if len(values) < 2:
        return None
    mean = fmean(values)
    reach = float(statistics.t.ppf((1 + _SURE) / 2, len(values) - 1))
    reach *= stdev(values) / sqrt(len(values))
    return max(least, mean - reach), mean + reach


def compared(
    first: str, second: str, ratios: Mapping[str, float], others: Mapping[str, float]
) -> Comparison | None:
    """Compare the ratios of two algorithms by instance; None without any of both."""
    differences = [ratios[each] - others[each] for each in ratios if each in others]
    if not differences:
        return None
    better = sum(difference < 0 for difference in differences)
    worse = sum(difference > 0 for difference in differences)
    unequal = better + worse
    sign = statistics.binomtest(better, unequal).pvalue if unequal else 1.0
    rank = statistics.wilcoxon(differences).pvalue if unequal else 1.0
    return Comparison(
        first,
        second,
        better,
        len(differences) - unequal,
        worse,
        fmean(differences),
        interval_of(differences),
        float(sign),
        float(rank),
    )


def with_the_best(ratios: Mapping[str, Mapping[str, float]]) -> Sequence[Comparison]:
    """Compare all algorithms with the one of the least mean, p-values adjusted."""
    rated = {name: found for name, found in ratios.items() if found}
    if len(rated) < 2:
        return ()
    best = min(rated, key=lambda name: fmean(rated[name].values()))
    pairs = (
        compared(name, best, found, rated[best])
        for name, found in rated.items()
        if name != best
    )
    found = [pair for pair in pairs if pair is not None]
    signs = _adjusted([pair.sign for pair in found])
    ranks = _adjusted([pair.wilcoxon for pair in found])
    return [
        replace(pair, sign=sign, wilcoxon=rank)
        for pair, sign, rank in zip(found, signs, ranks, strict=True)
    ]


def comparison_cells(pairs: Iterable[Comparison]) -> Iterator[list[object]]:
    """Yield the rows of the table of `HEADS`."""
    for pair in pairs:
        yield [
            f"{pair.first} - {pair.second}",
            *(pair.instances, pair.better, pair.equal, pair.worse),
            f"{pair.difference:+.4f}",
            *(map("{:+.4f}".format, pair.interval) if pair.interval else ("", "")),
            f"{pair.sign:.2g}",
            f"{pair.wilcoxon:.2g}",
        ]


def _adjusted(values: Sequence[float]) -> list[float]:
    """Return p-values as [Holm79] adjusts them."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found, least = [0.0] * len(values), 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[i]))
        found[i] = least
    return found
