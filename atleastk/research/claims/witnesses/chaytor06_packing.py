"""Two formulas are no packing: triples 012 and 013 of six elements, k = 3.

They are MIN-e / (3 (m - 1)) and n MIN-r' / (3 (m - 1)). All partitions of the table's
rows into groups of three and more are tried.
"""

from collections.abc import Iterator
from fractions import Fraction

triples, elements, k = [{0, 1, 2}, {0, 1, 3}], 6, 3
table = [[0 if i in t else f"row {i}" for t in triples] for i in range(elements)]


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


def stars(group: tuple[int, ...]) -> int:
    """Return how many cells each row of a group loses."""
    columns = zip(*(table[i] for i in group), strict=True)
    return sum(len(set(column)) > 1 for column in columns)


feasible = [
    groups
    for groups in partitions(tuple(range(elements)))
    if min(map(len, groups)) >= k
]
entries = min(sum(len(group) * stars(group) for group in groups) for groups in feasible)
per_row = min(max(map(stars, groups)) for groups in feasible)
packing = 2 if triples[0].isdisjoint(triples[1]) else 1
parts = 3 * (len(triples) - 1)
claimed = Fraction(entries, parts), Fraction(elements * per_row, parts)
said = " and ".join(map(str, claimed))
print(f"012, 013 of six: {packing} disjoint triple, and the formulas say {said}")
raise SystemExit(packing in claimed)
