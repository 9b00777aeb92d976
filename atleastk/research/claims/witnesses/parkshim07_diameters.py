"""A best partition by diameters may cost more than k times the optimum: k = 2.

Six rows: three unit vectors, each value five times, followed by seven 0s or seven
1s. Two groups of three have diameters of 10 each, and three pairs 7 each.
"""

from collections.abc import Iterator
from itertools import combinations
from math import inf

k, copies, apart = 2, 5, 7
units = [[int(i == j) for j in range(3) for _ in range(copies)] for i in range(3)]
rows = [unit + [side] * apart for side in (0, 1) for unit in units]


def partitions(items: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every partition into groups of k to 2k - 1 items once."""
    if not items:
        yield []
        return
    first, *others = items
    for size in range(k, 2 * k):
        for more in combinations(others, size - 1):
            left = tuple(item for item in others if item not in more)
            for groups in partitions(left):
                yield [(first, *more), *groups]


def differing(group: tuple[int, ...]) -> int:
    """Return in how many columns some rows differ."""
    columns = zip(*(rows[i] for i in group), strict=True)
    return sum(len(set(column)) > 1 for column in columns)


least, costs, optimum = inf, [0], inf
for groups in partitions(tuple(range(len(rows)))):
    total = sum(max(map(differing, combinations(group, 2))) for group in groups)
    cost = sum(len(group) * differing(group) for group in groups)
    optimum = min(optimum, cost)
    if total < least:
        least, costs = total, []
    if total == least:
        costs.append(cost)
print(f"six rows, k = {k}: by diameters {min(costs)} cells, the optimum {optimum}")
raise SystemExit(min(costs) <= k * optimum)
