"""MIN-e may exceed 63 VC: K_{3,3}, whose least cover has three vertices.

Every solution of its table costs 27 r + 2 e + 14 at least: the base costs of its rows.
"""

from itertools import combinations

edges = [(u, v) for u in range(3) for v in range(3, 6)]
vertices = 6
cover = next(
    size
    for size in range(vertices + 1)
    for chosen in combinations(range(vertices), size)
    if all(u in chosen or v in chosen for u, v in edges)
)
least = 27 * vertices + 2 * len(edges) + 14
print(f"K_3,3: MIN-e is {least} or more, and 63 VC = {63 * cover}")
raise SystemExit(least <= 63 * cover)
