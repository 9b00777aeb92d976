"""Random instances of pair partition for its tests."""

import random
from itertools import combinations

from atleastk.instances.pair_partition import PairPartition


def drawn(seed, most=8, highs=(3, 9, 1000)):
    """Return an instance of a few items with random costs and windows."""
    rng = random.Random(seed)
    high, density = rng.choice(highs), rng.choice([0.4, 0.7, 1.0])
    n, fields = rng.randint(1, most), {"k": rng.randint(1, 3)}
    if rng.random() < 0.4:
        fields["points"] = [[rng.randint(0, 9) for _ in range(2)] for _ in range(n)]
    else:
        pairs = [p for p in combinations(range(n), 2) if rng.random() < density]
        low = rng.choice([0, 0, -high])
        fields |= {
            "items": n,
            "costs": [(i, j, rng.randint(low, high)) for i, j in pairs],
        }
        fields["connected"] = rng.random() < 0.4
    fields["objective"] = rng.choice(["sum", "squares"])
    if rng.random() < 0.3:
        least = rng.randint(1, 3)
        fields["groups"] = (least, least + rng.randint(0, 2))
    if rng.random() < 0.4:
        of = rng.choice(
            [
                "items",
                [rng.randint(0, 3) for _ in range(n)],
                [rng.choice("ab") for _ in range(n)],
            ]
        )
        asked = {"of": of, "at_most": rng.randint(3, 6), "at_least": rng.randint(0, 2)}
        fields["require"] = [asked]
    for name in ("together", "apart"):
        if n > 1 and rng.random() < 0.3:
            fields[name] = [rng.sample(range(n), 2)]
    return PairPartition(**fields)
