"""Rectangles: four points of weight k - 1 about one of k cannot be divided at all.

k = 3. Any rectangle with an arm and weight k or more has the centre as well, so two
rectangles of weight k would share it.
"""

from itertools import product

k = 3
weights = {(1, 1): k, (0, 1): k - 1, (2, 1): k - 1, (1, 0): k - 1, (1, 2): k - 1}
corners = list(product(range(3), repeat=2))
boxes = [
    frozenset(product(range(x, u + 1), range(y, v + 1)))
    for (x, y), (u, v) in product(corners, repeat=2)
    if x <= u and y <= v
]
heavy = [b for b in boxes if sum(weights.get(cell, 0) for cell in b) >= k]
disjoint = [(a, b) for a, b in product(heavy, repeat=2) if not a & b]
arms = [b for b in heavy if any(weights.get(c, 0) == k - 1 for c in b)]
whole = sum(weights.values())
print(f"k = {k}: no two disjoint rectangles hold k, so the optimum is {whole} = 5k - 4")
raise SystemExit(bool(disjoint) or whole != 5 * k - 4 or not arms)
