"""Counter-examples to claims of [Du09], by the standard library alone.

    python -I du09.py NAME

Each prints what it found, and returns whether that refutes the claim: exit code 0.
"""

import sys
from fractions import Fraction
from functools import cache
from itertools import product

Cells = frozenset[tuple[int, int]]


def equally_light() -> bool:
    """Trees: of two parts that are equally light the larger may be cut off.

    The path 1 - 0 - 1, k = 1. Both edges leave sides of weight 1 and 1, so {0, 1} is a
    lightest part, and its node at the cut edge, 1, has a subtree {0} of weight k below
    it.
    """
    path, k = (1, 0, 1), 1
    sides = [side for cut in (1, 2) for side in (range(cut), range(cut, 3))]
    lightest = min(sum(path[v] for v in side) for side in sides)
    part = [v for side in sides for v in side if len(side) == 2 and 0 in side]
    below = sum(path[v] for v in part if v != 1)
    print(f"path {path}, k = {k}: below the part 0-1 a subtree weighs {below}")
    return sum(path[v] for v in part) == lightest and below >= k


def four_arms() -> bool:
    """Rectangles: four points of weight k - 1 about one of k cannot be divided at all.

    k = 3. Any rectangle with an arm and weight k or more has the centre as well, so two
    rectangles of weight k would share it.
    """
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
    said = f"no two disjoint rectangles hold k, so the optimum is {whole} = 5k - 4"
    print(f"k = {k}: {said}")
    return not disjoint and whole == 5 * k - 4 and bool(arms)


def greedy_intervals() -> bool:
    """Closing an interval as soon as it holds k is not optimal: (2, 1, 3), k = 2."""
    sizes, k = (2, 1, 3), 2

    greedy: list[list[int]] = [[]]
    for size in sizes:
        if sum(greedy[-1]) >= k:
            greedy.append([])
        greedy[-1].append(size)
    if sum(greedy[-1]) < k:
        last = greedy.pop()
        greedy[-1] += last
    costs = []
    for cuts in product((False, True), repeat=len(sizes) - 1):
        row: list[list[int]] = [[sizes[0]]]
        for size, cut in zip(sizes[1:], cuts, strict=True):
            if cut:
                row.append([])
            row[-1].append(size)
        if min(map(sum, row)) >= k:
            costs.append(max(map(sum, row)))
    cost, optimum = max(map(sum, greedy)), min(costs)
    print(f"{sizes}, k = {k}: the greedy costs {cost}, the optimum is {optimum}")
    return cost > optimum


def light_map() -> bool:
    """Maps: a connected map that weighs less than k has no feasible partition."""
    weight, k = 1, 2
    print(f"one node of weight {weight}, k = {k}: its only part weighs {weight}")
    return weight < k


def more_bins() -> bool:
    """There may be more than n / (1 - 2e) bins' worth: one item of size 3k, e = 1/4."""
    sizes, e = (3,), Fraction(1, 4)  # in units of k
    b, said = sum(sizes) / (1 - 2 * e), len(sizes) / (1 - 2 * e)
    print(f"sizes {sizes} k, e = {e}: b is {b}, more than {said}")
    return b > said


def oversize() -> bool:
    """Items above k, less what the least of them exceeds k by, may stay above 2k."""
    sizes, k = (1, 100), 1
    least = min(size for size in sizes if size >= k)
    reduced = [size - (least - k) for size in sizes]
    print(f"{sizes}, k = {k}: reduced to {reduced}, and {max(reduced)} > 2k")
    return max(reduced) > 2 * k


def own_bins() -> bool:
    """Bins: items of size k or more may need company. {10, 6, 6, 6}, k = 10."""
    sizes, k = (10, 6, 6, 6), 10
    divided = (
        [[x for x, h in zip(sizes, homes, strict=True) if h == b] for b in {*homes}]
        for homes in product(range(len(sizes)), repeat=len(sizes))
    )
    feasible = [bins for bins in divided if min(map(sum, bins)) >= k]
    optimum = min(max(map(sum, bins)) for bins in feasible)
    own = min(max(map(sum, bins)) for bins in feasible if [10] in bins)
    print(f"{sizes}, k = {k}: {own} with own bins, {optimum} without")
    return own > optimum


def plane_or_points() -> bool:
    """Rectangles: covering the plane may cost more than covering the points.

    Sixteen points of weight 1 on the border of a 5 x 5 grid, k = 4. All partitions of
    the grid into boxes of weight 4 or more are tried, and all sets of disjoint boxes
    that cover the points.
    """
    side, k = 5, 4
    points = {
        (x, y) for x, y in product(range(side), repeat=2) if {x, y} & {0, side - 1}
    }

    plane = frozenset(product(range(side), repeat=2))
    every = [
        frozenset(product(range(x, u), range(y, v)))
        for x, y in sorted(plane)
        for u, v in product(range(x + 1, side + 1), range(y + 1, side + 1))
    ]

    @cache
    def coverable(left: Cells, free: Cells, cost: int) -> bool:
        """Tell whether disjoint boxes of k to this cost cover what is left."""
        return not left or any(
            coverable(left - box, free - box, cost)
            for box in every
            if k <= len(box & points) <= cost and min(left) in box and box <= free
        )

    tiled, few = (
        next(c for c in range(k, len(points) + 1) if coverable(wanted, plane, c))
        for wanted in (plane, frozenset(points))
    )
    print(f"the border of a {side} x {side} grid, k = {k}: plane {tiled}, points {few}")
    return tiled > few


def fill(sizes: list[int], k: int) -> tuple[list[int], list[int]]:
    """Fill bins in order up to level k; return the levels, and what is left over."""
    levels = [0]
    for place, size in enumerate(sizes):
        if levels[-1] >= k:
            if sum(sizes[place:]) < k:
                return levels, sizes[place:]
            levels.append(0)
        levels[-1] += size
    return levels, []


def spread_out(levels: list[int], left: list[int]) -> list[int]:
    """Add what is left over one by one to the emptiest bin, then round robin.

    To the emptiest while that raises no bin above the fullest.
    """
    levels, left = list(levels), list(left)
    while left and min(levels) + left[0] <= max(levels):
        levels[levels.index(min(levels))] += left.pop(0)
    for turn, size in enumerate(left):
        levels[turn % len(levels)] += size
    return levels


def spread() -> bool:
    """Bins: Spread may cost more than 5/2 OPT. Six 1s, then six 6s, k = 7."""
    k, sizes = 7, [1] * 6 + [6] * 6
    cost = max(spread_out(*fill(sizes, k)))
    pairs = max(one + six for one, six in zip(sizes[:6], sizes[6:], strict=True))
    print(f"six 1s, then six 6s, k = {k}: Spread costs {cost}, pairs {pairs}")
    return 2 * cost > 5 * pairs


def spread_or_fold() -> bool:
    """Bins: Spread may cost more than Fold. Sizes 5, 10, 1, 10, 10 and k = 11.

    Fold adds what is left over to the last bin, or to the emptiest.
    """
    k, sizes = 11, [5, 10, 1, 10, 10]
    levels, left = fill(sizes, k)
    folds = []
    for home in (len(levels) - 1, levels.index(min(levels))):
        folded = list(levels)
        folded[home] += sum(left)
        folds.append(max(folded))
    cost = max(spread_out(levels, left))
    print(f"sizes {sizes}, k = {k}: Spread costs {cost}, Fold {max(folds)}")
    return cost > max(folds)


def two_sinks() -> bool:
    """Trees: two nodes may have all edges oriented inwards, if ties are broken so.

    The path 1 - 0 - 1, k = 2, which no edge splits: each edge has sides of weight 1.
    """
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
    return not any(splits) and most > 1


if __name__ == "__main__":
    found = globals().get(sys.argv[-1])
    if not callable(found):
        sys.exit(f"{sys.argv[-1]}: no function of this file; the errata name them")
    raise SystemExit(not found())
