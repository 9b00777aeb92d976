"""The least cost of bins by a dynamic program over all multisets of sizes.

``{"kind": "subsets"}``
    The bound is at most the least cost f(all items).

Let f(nothing) = 0, and let f(A) of a multiset A of sizes be the least cost(B) + f(A -
B), of ``max`` the greater of the two, over the bins B of sizes of A whose level is from
k to the cap of :mod:`atleastk.models.admissible.bin_covering`. No bin above it is
needed: of ``max``, too, both bins that it splits into cost less. So f(all items) is the
least cost. The order in which bins are taken does not matter: the program adds them one
after the other, each as often as it fits.

The work, multisets times bins, is limited.
"""

from __future__ import annotations

from math import prod
from typing import Final

import numpy as np

from atleastk.arrays import SAFE
from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import level_cap
from atleastk.models.covering import group_cost
from atleastk.models.in_time import look_up
from atleastk.models.kinds import Kinds

_MOST_SETS: Final = 2**20
"""The most multisets of sizes: eight megabytes."""

_MOST_WORK: Final = 50_000_000
"""The most pairs of a multiset and a bin: a second, without compiled loops ten."""

_TOO_MUCH: Final = "there are too many multisets of sizes to look at"


def cost_of_subsets(instance: BinCovering) -> int:
    """Return the least cost of an instance with items whose total reaches k."""
    kinds, k, total = Kinds.of(instance.sizes), instance.k, instance.total
    shape = tuple(copies + 1 for copies in kinds.demand)
    if prod(shape) > _MOST_SETS or total * total >= SAFE:
        raise NotApplicableError(_TOO_MUCH)
    levels = np.tensordot(np.array(kinds.values), np.indices(shape), 1)
    bins = np.argwhere((levels >= k) & (levels <= level_cap(instance)))
    if len(bins) * levels.size > _MOST_WORK:
        raise NotApplicableError(_TOO_MUCH)
    joined = np.maximum if instance.objective == "max" else np.add
    least = np.full(shape, SAFE, dtype=np.int64)
    least.flat[0] = 0
    counts = np.array(kinds.demand)
    repeats = [int(min(counts[taken > 0] // taken[taken > 0])) for taken in bins]
    if sum(repeats) * levels.size > _MOST_WORK:
        raise NotApplicableError(_TOO_MUCH)
    for taken, often in zip(bins.tolist(), repeats, strict=True):
        cost = group_cost(instance, int(levels[tuple(taken)]))
        look_up()
        with_it = least[tuple(slice(b, None) for b in taken)]
        without = least[
            tuple(slice(0, count - b) for count, b in zip(shape, taken, strict=True))
        ]
        for _ in range(often):
            np.minimum(with_it, joined(without, cost), out=with_it)
    return int(least.flat[-1])
