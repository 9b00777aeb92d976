"""Suppressing all cells may cost more than m OPT: rows 0, 0, 0, 1 and k = 2, m = 1.

Here it costs twice that, and with n zeros (n + 1) / 2 times.
"""

from collections.abc import Iterator

rows, k, m = (0, 0, 0, 1), 2, 1


def partitions(items: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every partition of the items once."""
    if not items:
        yield []
        return
    first, *others = items
    for groups in partitions(tuple(others)):
        yield [(first,), *groups]
        for i, chosen in enumerate(groups):
            yield [*groups[:i], (first, *chosen), *groups[i + 1 :]]


optimum = min(
    sum(len(group) for group in groups if len(set(group)) > 1)
    for groups in partitions(rows)
    if min(map(len, groups)) >= k
)
print(f"rows {rows}, k = {k}: all cells are {len(rows) * m}, the optimum is {optimum}")
raise SystemExit(len(rows) * m <= m * optimum)
