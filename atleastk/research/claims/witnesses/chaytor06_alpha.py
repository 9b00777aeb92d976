"""MIN-c-DEL may exceed (B - 1) times the packing: triples 012, 013, 234, which meet.

The table has 0 where an element is in a triple, and else 1; k = 3.
"""

from itertools import combinations

triples, elements, k = [{0, 1, 2}, {0, 1, 3}, {2, 3, 4}], 6, 3
table = [[int(i not in t) for t in triples] for i in range(elements)]
often = max(sum(i in t for t in triples) for i in range(elements))


def anonymous(deleted: tuple[int, ...]) -> bool:
    """Tell whether the rows are k-anonymous without these columns."""
    left = [tuple(v for c, v in enumerate(row) if c not in deleted) for row in table]
    return min(map(left.count, left)) >= k


columns = range(len(triples))
least = next(s for s in range(4) if any(map(anonymous, combinations(columns, s))))
packing = max(
    size
    for size in range(4)
    for chosen in combinations(triples, size)
    if all(a.isdisjoint(b) for a, b in combinations(chosen, 2))
)
print(f"012, 013, 234: MIN-c-DEL {least}, B = {often}, {packing} disjoint triple")
raise SystemExit(least <= (often - 1) * packing)
