"""Trees: two nodes may have all edges oriented inwards, if ties are broken so.

The path 1 - 0 - 1, k = 2, which no edge splits: each edge has sides of weight 1.
"""

from itertools import product

path, k = (1, 0, 1), 2
edges = [(0, 1), (1, 2)]
splits = [min(sum(path[: v + 1]), sum(path[v + 1 :])) >= k for v, _ in edges]
most = 0
for heads in product(*edges):
    heavier = all(
        sum(path[: u + 1]) >= sum(path[v:])
        if head == u
        else sum(path[v:]) >= sum(path[: u + 1])
        for (u, v), head in zip(edges, heads, strict=True)
    )
    sinks = [
        v
        for v in range(len(path))
        if all(h == v for e, h in zip(edges, heads, strict=True) if v in e)
    ]
    most = max(most, len(sinks) * heavier)
print(f"path {path}, k = {k}: {most} nodes have all edges oriented inwards")
raise SystemExit(any(splits) or most <= 1)
