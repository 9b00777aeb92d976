"""Bins: items of size k or more may need company. {10, 6, 6, 6}, k = 10."""

from collections.abc import Iterator

sizes, k = (10, 6, 6, 6), 10


def partitions(items: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Yield every partition of the items once."""
    if not items:
        yield []
        return
    first, *others = items
    for bins in partitions(tuple(others)):
        yield [(first,), *bins]
        for i, chosen in enumerate(bins):
            yield [*bins[:i], (first, *chosen), *bins[i + 1 :]]


feasible = [bins for bins in partitions(sizes) if min(map(sum, bins)) >= k]
optimum = min(max(map(sum, bins)) for bins in feasible)
own = min(max(map(sum, bins)) for bins in feasible if (10,) in bins)
print(f"{sizes}, k = {k}: {own} with own bins, {optimum} without")
raise SystemExit(own <= optimum)
