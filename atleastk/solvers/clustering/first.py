"""What r-gather and cellular clustering begin with: trivial cases, and first answers.

Instances of which all points may be outliers are done; those of too few points are
infeasible. The others have a cluster of all points, and the blocks of a tree
(:mod:`~atleastk.solvers.clustering.blocks`). Diameters take time: where centres are
anywhere, no large cluster is among these.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.clustering import Clustering
from atleastk.models.certificates.clustering import TOO_FEW, too_few
from atleastk.models.clustering import ClusteringSolution, solution_of
from atleastk.solvers.clustering.blocks import Cut, as_cut, centred, cut_up
from atleastk.solvers.search import Search

FEW: Final = 2_000
"""Up to this number of points, all distances are computed in a moment."""


def is_open(search: Search[Any], source: str = "outliers only") -> bool:
    """Report what is trivial; return whether anything else is left to do."""
    instance = search.instance
    if instance.least_clustered == 0:
        search.offer(solution_of((), (), range(instance.n)), source)
        search.raise_bound(0, source)
    elif too_few(instance):
        search.close_infeasible("count", TOO_FEW)
    return not search.closed


def first_clusters(
    instance: Clustering,
) -> Generator[tuple[str, ClusteringSolution], None, tuple[Cut, IntArray] | None]:
    """Yield named solutions, some of which may join points that are too far apart.

    Return the blocks and their centres, None if there are none.
    """
    n = instance.n
    if instance.least_clustered == 0:
        yield "outliers only", solution_of((), (), range(n))
        return None
    if too_few(instance):
        return None
    if not instance.any_centre or n <= FEW:
        whole = np.arange(n, dtype=np.int64), np.array([0, n], dtype=np.int64)
        yield "one cluster", as_cut(instance, whole, centred(instance, whole)[0])
    if is_wide(instance):
        return None
    cut, centres = cut_up(instance)
    yield "blocks", as_cut(instance, cut, centres)
    return cut, centres


def is_wide(instance: Clustering) -> bool:
    """Tell whether centres are anywhere, and blocks too large to be measured."""
    return instance.any_centre and -(-instance.n // instance.most_clusters) > FEW
