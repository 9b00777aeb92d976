"""Min-max bin covering: families of instances.

The default k is 3/2 of the greatest size, so that a bin holds about three items:
neither trivial counting nor matching.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.family import Family, at_least, families, require


def uniform(
    seed: int, n: int = 30, low: int = 1, high: int = 100, k: int | None = None
) -> BinCovering:
    """Sizes uniform in low..high; k = 3/2 high unless given."""
    require(1 <= low <= high, f"low, high: need 1 <= low <= high, got {low}, {high}")
    rng = random.Random(seed)
    sizes = [rng.randint(low, high) for _ in range(n)]
    return BinCovering(sizes, _default_k(k, high))


def few_sizes(
    seed: int, n: int = 30, kinds: int = 5, high: int = 100, k: int | None = None
) -> BinCovering:
    """Sizes drawn from a few kinds; k = 3/2 high unless given."""
    require(1 <= kinds <= high, f"kinds: need 1..high = {high}, got {kinds}")
    rng = random.Random(seed)
    palette = rng.sample(range(1, high + 1), kinds)
    sizes = [rng.choice(palette) for _ in range(n)]
    return BinCovering(sizes, _default_k(k, high))


def three_partition_yes(seed: int, groups: int = 5, target: int = 1000) -> BinCovering:
    """Planted triples of total B = k, sizes strictly in (B/4, B/2): optimum k."""
    at_least(12, target=target)
    rng = random.Random(seed)
    low, high = target // 4 + 1, (target - 1) // 2
    sizes: list[int] = []
    for _ in range(groups):
        first = rng.randint(max(low, target - 2 * high), min(high, target - 2 * low))
        rest = target - first
        second = rng.randint(max(low, rest - high), min(high, rest - low))
        sizes += [first, second, rest - second]
    rng.shuffle(sizes)
    return BinCovering(sizes, target)


def three_partition_no(seed: int, groups: int = 5, target: int = 1000) -> BinCovering:
    """Sizes = 1 mod 5 strictly in (B/4, B/2), total groups * B, 5 divides B = k.

    Three of them never total B = 0 mod 5, so the optimum exceeds k. All 3 * groups
    sizes total 0 mod 5 only if 5 divides groups.
    """
    require(
        target % 5 == 0 and target >= 100,
        f"target: expected a multiple of 5, at least 100, got {target}",
    )
    require(
        groups % 5 == 0 and groups > 0,
        f"groups: expected a positive multiple of 5, got {groups}",
    )
    rng = random.Random(seed)
    values = [v for v in range(target // 4 + 1, (target + 1) // 2) if v % 5 == 1]
    sizes = [rng.choice(values) for _ in range(3 * groups)]
    while excess := sum(sizes) - groups * target:
        item = rng.randrange(len(sizes))
        moved = sizes[item] + (-5 if excess > 0 else 5)
        if values[0] <= moved <= values[-1]:
            sizes[item] = moved
    return BinCovering(sizes, target)


def heavy(
    seed: int, n: int = 30, heavy: int = 5, high: int = 100, k: int | None = None
) -> BinCovering:
    """Sizes uniform below k, some heavy ones in k..2k; k = 3/2 high unless given."""
    require(0 <= heavy <= n, f"heavy: need 0..n = {n}, got {heavy}")
    rng = random.Random(seed)
    level = _default_k(k, high)
    sizes = [rng.randint(level, 2 * level) for _ in range(heavy)]
    sizes += [rng.randint(1, min(high, level)) for _ in range(n - heavy)]
    rng.shuffle(sizes)
    return BinCovering(sizes, level)


def census_like(
    seed: int, n: int = 1000, top: int = 1000, k: int | None = None
) -> BinCovering:
    """Zipf counts: about top / rank, in decreasing order; k = 3/2 top unless given."""
    at_least(1, top=top)
    rng = random.Random(seed)
    expected = (top / rank for rank in range(1, n + 1))
    counts = (max(1, round(count * rng.uniform(0.8, 1.2))) for count in expected)
    sizes = sorted((min(top, count) for count in counts), reverse=True)
    return BinCovering(sizes, _default_k(k, top))


def tight_fold(_seed: int, k: int = 21, shuffled: int = 0) -> BinCovering:
    """Sizes k - 1 (k - 1 times), then as many ones, k odd: Fold 3k - 3, optimum k.

    If they are `shuffled` (1), a shuffle by seed 0 puts them in this order.
    """
    require(k % 2 == 1 and k >= 3, f"k: expected an odd number from 3, got {k}")
    sizes = [k - 1] * (k - 1) + [1] * (k - 1)
    return BinCovering(_placed(sizes, shuffled), k)


def tight_five_halves(_seed: int, k: int = 14) -> BinCovering:
    """{k - 1 x5, k / 2 x2, 1 x5}, k even: five-halves 5/2 k - 2, optimum k."""
    require(k % 2 == 0 and k >= 14, f"k: expected an even number from 14, got {k}")
    sizes = [k - 1] * 5 + [k // 2] * 2 + [1] * 5
    return BinCovering(sizes, k)


def tight_spread(_seed: int, k: int = 20) -> BinCovering:
    """{k - 1 x3, k / 2 x2, 1 x3}, k even: Spread 5/2 k - 1, optimum k."""
    require(k % 2 == 0 and k >= 8, f"k: expected an even number from 8, got {k}")
    sizes = [k - 1] * 3 + [k // 2] * 2 + [1] * 3
    return BinCovering(sizes, k)


def worst_spread(
    _seed: int, k: int = 120, order: str = "given", shuffled: int = 0
) -> BinCovering:
    """Sizes that Spread packs badly in an order; the optimum is k.

    - ``given``: its bins have 2k - 2 and k + 3. A leftover of k - 1 would raise the
      fuller one wherever it goes, so it goes to that, the first: 3k - 3.
    - ``decreasing``, k = 6t from 36 on: bins of 2k - 6, 9t + 12 and 9t - 3. Of what is
      left, 3t - 1 goes to the first in turn, three of t - 4 to all of them, and so do
      ones: 16t - 9, 8/3 in the limit.
    - ``emptiest``, k = 10t, if all leftovers go to the emptiest bin: bins have 16t + 2
      and 14t + 2, get 3t - 1 each, and the second both 2t - 1: 21t - 1.

    If they are `shuffled` (1), a shuffle by seed 0 puts them in this order.
    """
    known = {"given": (6, 1), "decreasing": (36, 6), "emptiest": (10, 10)}
    require(order in known, f"order: expected one of {', '.join(known)}, got {order!r}")
    least, unit = known[order]
    fits = k >= least and k % unit == 0
    require(fits, f"k: expected a multiple of {unit} from {least}, got {k}")
    t, half = k // unit, k // 2
    sizes = {
        "given": [k - 2, 1, k - 1, 1, half, 1, 1, k - half, k - 1],
        "decreasing": [
            *(k - 3, k - 3, 5 * t + 4, 4 * t + 8),
            *(3 * t - 1,) * 4,
            *(t - 4,) * 3,
            *(3, 3, 1, 1, 1, 1),
        ],
        "emptiest": 2 * [8 * t + 1, 7 * t + 1, 3 * t - 1, 2 * t - 1],
    }[order]
    return BinCovering(_placed(sizes, shuffled), k)


def worst_longest_first(_seed: int, k: int = 60) -> BinCovering:
    """{k / 2 x2, k / 3 x3}: longest first fails in two bins and makes one of 2k."""
    require(k % 6 == 0 and k >= 6, f"k: expected a multiple of 6, got {k}")
    sizes = [k // 2] * 2 + [k // 3] * 3
    return BinCovering(sizes, k)


def _placed(sizes: Sequence[int], shuffled: int) -> list[int]:
    """Return sizes, or an order of them that the shuffle by seed 0 takes to theirs."""
    require(shuffled in (0, 1), f"shuffled: expected 0 or 1, got {shuffled}")
    order = list(range(len(sizes)))
    if shuffled:
        random.Random(0).shuffle(order)
    return [size for _, size in sorted(zip(order, sizes, strict=True))]


FAMILIES: Sequence[Family[BinCovering]] = families(
    uniform,
    few_sizes,
    three_partition_yes,
    three_partition_no,
    heavy,
    census_like,
    tight_fold,
    tight_five_halves,
    tight_spread,
    worst_spread,
    worst_longest_first,
)


def _default_k(k: int | None, high: int) -> int:
    return max(1, 3 * high // 2) if k is None else k
