"""Trees: of two parts that are equally light the larger may be cut off.

The path 1 - 0 - 1, k = 1. Both edges leave sides of weight 1 and 1, so {0, 1} is a
lightest part, and its node at the cut edge, 1, has a subtree {0} of weight k below it.
"""

path, k = (1, 0, 1), 1
sides = [side for cut in (1, 2) for side in (range(cut), range(cut, 3))]
lightest = min(sum(path[v] for v in side) for side in sides)
part = [v for side in sides for v in side if len(side) == 2 and 0 in side]
below = sum(path[v] for v in part if v != 1)
print(f"path {path}, k = {k}: below the part 0-1 a subtree weighs {below}")
raise SystemExit(sum(path[v] for v in part) != lightest or below < k)
