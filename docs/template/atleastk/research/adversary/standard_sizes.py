"""Standard sizes: what the adversary makes instances of.

`atleastk adversary` looks for instances on which an algorithm is far from the optimum:
first all tiny ones, then by walks from drawn ones with planted groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import Any, Final

from atleastk.research.adversary.grounds import Planting
from atleastk.research.adversary.planted import Fields, Item


def _fields(items: Sequence[Item]) -> Fields:
    return {"lengths": [length for (length,) in items]}


def _items(instance: Any) -> list[Item]:
    return [(length,) for length in instance.lengths]


def _start(rng: Random, k: int, _fields: Fields) -> tuple[list[Item], list[int]]:
    """Draw three groups of k pieces."""
    homes = [home for home in range(3) for _ in range(k)]
    return [(rng.randint(1, 20),) for _ in homes], homes


def _changed(rng: Random, item: Item, _k: int) -> Item:
    """Draw a neighbour of a piece: a little longer or shorter."""
    return (max(1, item[0] + rng.choice([-5, -1, 1, 5])),)


GROUND: Final = Planting(_fields, _items, _start, _changed)


def tiny() -> Iterator[tuple[str, Iterator[Fields]]]:
    """Yield all instances of a few pieces, one more from stage to stage."""
    for n in range(2, 8):
        lengths = combinations_with_replacement(range(1, 5), n)
        yield (
            f"{n} lengths up to 4",
            ({"lengths": some, "k": k} for some in lengths for k in range(2, n + 1)),
        )
