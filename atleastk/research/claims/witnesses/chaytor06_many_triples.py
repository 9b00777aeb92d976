"""There may be more than B times as many triples as a packing has: 012, 034, 135, 245.

Each element is in two of them, and any two of them meet.
"""

from itertools import combinations

triples = [{0, 1, 2}, {0, 3, 4}, {1, 3, 5}, {2, 4, 5}]
often = max(sum(i in t for t in triples) for i in range(6))
packing = max(
    size
    for size in range(len(triples) + 1)
    for chosen in combinations(triples, size)
    if all(a.isdisjoint(b) for a, b in combinations(chosen, 2))
)
print(f"{len(triples)} triples, B = {often}, {packing} disjoint triple")
raise SystemExit(len(triples) <= often * packing)
