"""Standard sizes: solutions that need no search; every run begins with them."""

from __future__ import annotations

from collections.abc import Iterator

from atleastk.instances.standard_sizes import StandardSizes
from atleastk.models.results.solution import Solution
from atleastk.models.standard_sizes import by_length, is_feasible


def first_answers(instance: StandardSizes) -> Iterator[tuple[str, Solution]]:
    """Give names and solutions; none if nothing is feasible."""
    if is_feasible(instance):
        yield "longest first", Solution.of(longest_first(instance))


def longest_first(instance: StandardSizes) -> list[list[int]]:
    """Return runs of k pieces from the longest on; the first takes the remainder."""
    n, k = instance.n, instance.k
    order = by_length(instance)[::-1]
    first = min(n, k + n % k)
    runs = [order[:first], *(order[i : i + k] for i in range(first, n, k))]
    return [run for run in runs if run]
