"""Rectangle tiling: start heuristics, without any search.

Strips across the plane, each cut into pieces of about the same weight, which takes few
sorts and is quick for any number of points.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isqrt
from typing import Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.models.rectangle_tiling import counting_bound
from atleastk.models.rectangles import RectanglesSolution
from atleastk.models.results.solution import Solution
from atleastk.solvers.rectangle_tiling.strips import Strips

_MANY: Final = 200_000
"""Points of which one number of strips is tried: a million take a second."""


def first_answers(instance: RectangleTiling) -> Iterator[tuple[str, Solution]]:
    """Yield solutions with their names; none if the points weigh too little."""
    if not instance.n:
        yield "no points", RectanglesSolution(())
    elif instance.total >= instance.k:
        root = isqrt(min(instance.n, instance.total // instance.k))
        numbers = range(max(1, root - 2), root + 3) if instance.n < _MANY else [root]
        low = counting_bound(instance)
        tries = [Strips(instance, number) for number in numbers]
        cut = [(strips, strips.least(low)) for strips in tries]
        strips, pieces = min(cut, key=lambda each: each[0].heaviest(each[1]))
        yield "strips", strips.tiling(pieces)
