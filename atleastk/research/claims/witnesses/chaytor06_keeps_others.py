"""K_{3,3} has no triangle, but c' = |V| - 3 is enough for its table, k = 3.

Each side is a group, and keeps the three columns of the other side.
"""

from itertools import combinations

vertices = range(6)
near = {v: {v} | {u for u in vertices if (u < 3) != (v < 3)} for v in vertices}
table = [[0 if j in near[i] else f"row {i}" for j in vertices] for i in vertices]
groups = [(0, 1, 2), (3, 4, 5)]
lost = [
    sum(len(group) for group in groups if len({table[i][j] for i in group}) > 1)
    for j in vertices
]
triangles = [
    t
    for t in combinations(vertices, 3)
    if all(v in near[u] for u, v in combinations(t, 2))
]
print(f"K_3,3: {len(triangles)} triangles, columns lose {lost}, at most |V| - 3 = 3")
raise SystemExit(bool(triangles) or max(lost) > len(vertices) - 3)
