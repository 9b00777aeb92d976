"""Random instances of pair partition: costs, points, windows of every kind."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from atleastk.instances.generators.pair_partition import network, points, uniform
from atleastk.instances.pair_partition import Objective, PairPartition

MODERATE: Final = (1, 3, 9, 1000)
"""The most that a pair costs where every method can go to the end."""

HIGHS: Final = (*MODERATE, 2**40, 2**55)
"""The same, of any magnitude."""


def random_pairs(
    rng: random.Random, highs: Sequence[int] = HIGHS, most: int = 8
) -> PairPartition:
    """Draw a few items, mostly with a window or two."""
    return PairPartition(**_pair_fields(rng, rng.randint(0, most), highs))


def larger_pairs(rng: random.Random) -> PairPartition:
    """Draw an instance that nobody enumerates."""
    seed, n = rng.randrange(2**20), rng.randint(10, 16)
    match rng.randrange(4):
        case 0:
            return uniform(seed, n=n, high=rng.choice([3, 100]), k=rng.randint(2, 4))
        case 1:
            objective: Objective = rng.choice(["sum", "squares"])
            return points(seed, n=n, k=rng.randint(2, 4), objective=objective)
        case 2:
            return network(seed, n=n, density=rng.choice([20, 50]), parts=3)
    return PairPartition(**_pair_fields(rng, rng.randint(9, 13), HIGHS))


def _pair_fields(rng: random.Random, n: int, highs: Sequence[int]) -> dict[str, Any]:
    """Return the fields of an instance of n items."""
    fields: dict[str, Any] = {"k": rng.choice([1, 1, 2, 2, 2, 3, 3, 4])}
    high = rng.choice(highs)
    if rng.random() < 0.4:
        dimension = rng.randint(1, 3)
        reach = min(high, 10**6)
        fields["points"] = [
            [rng.randint(-reach, reach) for _ in range(dimension)] for _ in range(n)
        ]
    else:
        density = rng.choice([0.3, 0.7, 1.0])
        pairs = [pair for pair in combinations(range(n), 2) if rng.random() < density]
        low = rng.choice([0, 0, -1, -high])
        costs = [[i, j, rng.randint(low, high)] for i, j in pairs]
        fields |= {"items": n, "costs": costs, "connected": rng.random() < 0.4}
    if rng.random() < (0.5 if fields.get("connected") else 0.15):
        drawn = [pair for pair in combinations(range(n), 2) if rng.random() < 0.5]
        fields |= {"connected": True, "edges": drawn}
    fields["objective"] = rng.choice(["sum", "squares"])
    if rng.random() < 0.3:
        least = rng.randint(0, 3)
        fields["groups"] = [least, least + rng.randint(0, 2)]
    if rng.random() < 0.4:
        fields["require"] = [_required(rng, n) for _ in range(rng.randint(1, 2))]
    for name in ("together", "apart"):
        if n > 1 and rng.random() < 0.25:
            size = rng.randint(0, min(n, 3))
            fields[name] = [rng.sample(range(n), size)]
    return fields


def _required(rng: random.Random, n: int) -> dict[str, Any]:
    of = rng.choice(
        [
            "items",
            [rng.randint(0, 3) for _ in range(n)],
            [rng.choice("ab") for _ in range(n)],
            "somebody of a list",
            [rng.randint(-2, 2) for _ in range(n)],
        ]
    )
    if of == "somebody of a list":
        of = [rng.choice([0, 0, 1]) for _ in range(n)]
        if n:
            of[rng.randrange(n)] = -1
        return {"of": of, "at_least": 0}
    asked: dict[str, Any] = {"of": of, "at_most": rng.randint(2, 6)}
    if rng.random() < 0.5:
        asked["at_least"] = rng.randint(0, 2)
    return asked
