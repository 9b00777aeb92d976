"""Cases: the families of bin covering instances that the scripts time solvers on.

The k of a family is the generator's own, 3/2 of the greatest possible size (of the
greatest frequency for names), unless it is told here. Families whose parameter is n
grow; those whose parameter is k ask the same sizes for other levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.datasets.census_names import census_counts, census_names
from atleastk.instances.generators import bin_covering as draw
from scripts.benchmarks.cases import Case


@dataclass(frozen=True, slots=True)
class Series:
    """A family of instances that grows with one parameter."""

    name: str
    parameter: str
    make: Callable[[int, int], BinCovering]
    """Draws the instance of a value of the parameter and a seed."""

    def case(self, value: int, seed: int) -> Case:
        """Return one of the instances with its place in the family."""
        size = f"{self.parameter}={value}"
        return Case(self.name, size, seed, self.make(value, seed))


def _last_names(n: int, _seed: int) -> BinCovering:
    """Return the n most frequent surnames; k is 3/2 of the greatest frequency."""
    return BinCovering(census_counts("last")[:n], 1509, name=f"LAST-1990 top {n}")


SERIES: Mapping[str, Series] = {
    series.name: series
    for series in (
        Series("uniform-1e2", "n", lambda n, seed: draw.uniform(seed, n, high=100)),
        Series("uniform-1e4", "n", lambda n, seed: draw.uniform(seed, n, high=10**4)),
        Series(
            "uniform-1e6",
            "n",
            lambda n, seed: draw.uniform(seed, n, high=10**6, k=5 * 10**6),
        ),
        Series(
            "uniform-1e12",
            "k",
            lambda k, seed: draw.uniform(seed, 20, high=10**12, k=k),
        ),
        Series(
            "three-partition-yes",
            "n",
            lambda n, seed: draw.three_partition_yes(seed, n // 3),
        ),
        Series(
            "three-partition-yes-100",
            "n",
            lambda n, seed: draw.three_partition_yes(seed, n // 3, target=100),
        ),
        Series(
            "three-partition-no",
            "n",
            lambda n, seed: draw.three_partition_no(seed, n // 3),
        ),
        Series("five-sizes", "n", lambda n, seed: draw.few_sizes(seed, n, kinds=5)),
        Series("heavy", "n", lambda n, seed: draw.heavy(seed, n, heavy=n // 6)),
        Series("census-last", "n", _last_names),
        Series("census-female", "k", lambda k, _seed: census_names("female", k)),
    )
}
"""Every family by its name."""


def cases(sizes: Mapping[str, Sequence[int]], seeds: int) -> Iterator[Case]:
    """Yield the cases of the families at these sizes, every instance once.

    Families without randomness give one instance per size, whatever the seeds.
    """
    seen = set()
    for name, values in sizes.items():
        for value in values:
            for seed in range(seeds):
                case = SERIES[name].case(value, seed)
                if case.instance.sha256 not in seen:
                    seen.add(case.instance.sha256)
                    yield case
