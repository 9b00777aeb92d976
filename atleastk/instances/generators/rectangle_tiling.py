"""Rectangle tiling: families of generated points.

Random points take k itself or ``parts``: then k is the total weight divided by
that, rounded down, which leaves rectangles little room.

Where coordinates are all different, straight cuts nearly always reach the optimum;
where they are shared, as in ``lattice``, ``full-lattice`` and ``ring``, often not.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any, Final

from atleastk.instances.family import Family, Parameters, at_least, families, require
from atleastk.instances.rectangle_tiling import RectangleTiling

WeightedPoint = tuple[int, int, int]
Drawn = list[WeightedPoint]

_LIMITS: Final[Parameters] = {"cover": "plane", "guillotine": 0}
"""The parameters of all families; `guillotine` is 0 or 1."""


def uniform(seed: int, n: int = 25, w: int = 20) -> Drawn:
    """Draw two permutations: every row and every column holds one point."""
    at_least(1, n=n, w=w)
    rng = random.Random(seed)
    xs, ys = rng.sample(range(n), n), rng.sample(range(n), n)
    return [(x, y, rng.randint(1, w)) for x, y in zip(xs, ys, strict=True)]


def clustered(
    seed: int,
    n: int = 40,
    clusters: int = 5,
    spread: int = 3,
    side: int = 30,
    w: int = 20,
) -> Drawn:
    """Draw points normally about uniform centres, coordinates 0..side-1.

    `spread` is their standard deviation.
    """
    at_least(1, n=n, w=w)
    at_least(1, clusters=clusters)
    at_least(0, spread=spread)
    at_least(1, side=side)
    rng = random.Random(seed)
    middles = [(rng.randrange(side), rng.randrange(side)) for _ in range(clusters)]
    points = []
    for _ in range(n):
        x, y = (
            min(side - 1, max(0, round(rng.gauss(z, spread))))
            for z in rng.choice(middles)
        )
        points.append((x, y, rng.randint(1, w)))
    return points


def lattice(seed: int, n: int = 36, side: int = 9, w: int = 9) -> Drawn:
    """Draw n of the places of a square grid."""
    at_least(1, n=n, w=w)
    require(side * side >= n, f"side: {side} x {side} places are fewer than n = {n}")
    rng = random.Random(seed)
    places = sorted(rng.sample(range(side * side), n))
    return [(i // side, i % side, rng.randint(1, w)) for i in places]


def full_lattice(seed: int, rows: int = 7, columns: int = 7, w: int = 9) -> Drawn:
    """Take all places of a grid."""
    at_least(1, rows=rows, columns=columns)
    at_least(1, n=rows * columns, w=w)
    rng = random.Random(seed)
    places = product(range(columns), range(rows))
    return [(x, y, rng.randint(1, w)) for x, y in places]


def multiplicity(seed: int, n: int = 40, side: int = 6, w: int = 40) -> Drawn:
    """Draw places of a square grid, again and again; weights 0..w, few of them large.

    Some points are heavier than k, others weigh nothing.
    """
    at_least(1, n=n, w=w)
    at_least(1, side=side)
    rng = random.Random(seed)
    points = []
    for _ in range(n):
        x, y = rng.randrange(side), rng.randrange(side)
        points.append((x, y, rng.randint(0, rng.randint(0, w))))
    return points


def ring(
    _seed: int, centre: int = 4, cover: str = "plane", guillotine: int = 0
) -> RectangleTiling:
    """Put 16 unit points on the border of a 5 x 5 grid, and a weight at its centre.

    For k = 4 a pinwheel of four rectangles and its middle is best. With a centre of 4
    the optimum is 4, and 5 by straight cuts. Without, a centre of 0, it is 6; but 4 if
    only the points are covered.
    """
    at_least(0, centre=centre)
    places = product(range(5), repeat=2)
    points = [(x, y, 1) for x, y in places if not {x, y} <= {1, 2, 3}]
    points += [(2, 2, centre)] if centre else []
    return _tiling(points, 4, cover, guillotine)


_ARMS: Final = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""The directions of a cross: cuts across the axes take turns at them."""


def tight_kd(
    _seed: int, k: int = 10, cover: str = "plane", guillotine: int = 0, cut: str = "any"
) -> RectangleTiling:
    """Return a cross whose optimum is k, while cuts may leave a rectangle of 5k - 4.

    Around a point of weight k are, on each of four arms and ever farther out, points of
    k - 1, 1 and k. It completes the example of [Du09, Theorem 4], which has the first
    five points only; they cannot be divided at all. If every arm is cut behind its
    first point, these five are what remains.

    Rules make all these cuts if there is more of it:

    - ``balanced``: 32, 16, 8 and 4 points of k end the arms, so in turn each cut behind
      a first point halves what is left best, by k at most; across the axes in turn too.
    - ``random``: fifty such crosses, of which the cuts by seed 0 spoil one.
    - ``smallest-side``: an arm has, from its end, k, 1, k - 1, 2, ..., 2, k - 1. Cuts
      of k leave k - 1 on it, and the optimum is k + 1.
    """
    at_least(2, k=k)
    known = ("any", "balanced", "random", "smallest-side")
    require(cut in known, f"cut: expected one of {', '.join(known)}, got {cut!r}")
    lengths = (8, 16, 32, 4) if cut == "balanced" else (1, 1, 1, 1)
    points = []
    for place in range(50 if cut == "random" else 1):
        points.append((10 * place, 10 * place, k))
        for (x, y), length in zip(_ARMS, lengths, strict=True):
            arm = [k - 1, 1] + [k] * length
            if cut == "smallest-side":
                arm = [size for j in range(1, k) for size in (k - j, j + 1)]
            points += [
                (10 * place + x * at, 10 * place + y * at, weight)
                for at, weight in enumerate(arm, start=1)
            ]
    return _tiling(points, k, cover, guillotine)


def worst_guillotine(
    _seed: int, k: int = 10, cover: str = "plane", guillotine: int = 0
) -> RectangleTiling:
    """Return a pinwheel of points whose optimum is k; straight cuts pay 2k - 5."""
    at_least(6, k=k)
    rows = ((k - 4, 4, 1), (k - 1, 1, k - 1), (0, k - 1), (1, 0, 1), (0, k - 1))
    points = [
        (x, y, weight)
        for x, row in enumerate(rows)
        for y, weight in enumerate(row)
        if weight
    ]
    return _tiling(points, k, cover, guillotine)


def _tiling(
    points: Sequence[WeightedPoint], k: int, cover: str, guillotine: int
) -> RectangleTiling:
    require(guillotine in (0, 1), f"guillotine: expected 0 or 1, got {guillotine}")
    straight = bool(guillotine)
    return RectangleTiling(points, k, cover=cover, guillotine=straight)


def _divided(
    _seed: int, points: Drawn, parts: int, k: int | None, **limits: Any
) -> RectangleTiling:
    """Return a tiling for k, or for the weight divided by the number of parts."""
    total = sum(weight for _, _, weight in points)
    if k is None:
        good = 1 <= parts <= total
        require(good, f"parts: expected 1..{total}, the weight, got {parts}")
        k = total // parts
    else:
        good = isinstance(k, int) and 1 <= k <= total
        require(good, f"k: expected 1..{total}, the weight, got {k!r}")
    return _tiling(points, k, **limits)


FAMILIES: Sequence[Family[RectangleTiling]] = (
    *(
        Family.made_of(draw, _divided, {"parts": parts, "k": None, **_LIMITS})
        for draw, parts in (
            (uniform, 6),
            (clustered, 8),
            (lattice, 9),
            (full_lattice, 10),
            (multiplicity, 12),
        )
    ),
    *families(ring, tight_kd, worst_guillotine),
)
