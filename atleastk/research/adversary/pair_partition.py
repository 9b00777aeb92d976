"""Pair partition: what the adversary makes instances of: points in the plane."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any, Final

from atleastk.research.adversary.grounds import Planting
from atleastk.research.adversary.planted import Fields, Item, of_pairs

_HIGH: Final = 60
"""The greatest coordinate of centres."""


def _fields(items: Sequence[Item]) -> Fields:
    return {"points": [list(item) for item in items]}


def _items(instance: Any) -> list[Item]:
    return [tuple(point) for point in instance.points or ()]


def _start(rng: Random, k: int, _fields: Fields) -> tuple[list[Item], list[int]]:
    """Draw three groups of k points about centres of their own."""
    homes = [home for home in range(3) for _ in range(k)]
    centres = [(rng.randint(0, _HIGH), rng.randint(0, _HIGH)) for _ in range(3)]
    return [_near(rng, centres[home], k) for home in homes], homes


def _near(rng: Random, item: Item, _k: int) -> Item:
    """Draw a neighbour of a point."""
    return tuple(max(0, place + rng.choice([-4, -1, 0, 1, 4])) for place in item)


_FIELDS: Final = ({"objective": "sum"}, {"objective": "squares"})
GROUND: Final = Planting(_fields, _items, _start, _near, fields=_FIELDS, cost=of_pairs)


def tiny() -> Iterator[tuple[str, Iterator[Fields]]]:
    """Yield all instances of a few points of a line, one more from stage to stage."""
    for n in range(2, 8):
        places = combinations_with_replacement(range(0, 9, 2), n)
        yield (
            f"{n} points up to 8",
            (
                {"points": [[x] for x in some], "k": k, "objective": objective}
                for some in places
                for k in range(2, n + 1)
                for objective in ("sum", "squares")
            ),
        )
