"""Cellular clustering: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.cellular_clustering.auto`; "columns"
is its main part. The other methods solve one model each, and share nothing with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.spaces.metric_spaces import FAR
from atleastk.models.encodings.cellular_clustering import (
    ball_entries,
    ball_model,
    group_model,
    groups_in_all,
    representative_model,
)
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.cellular_clustering.auto import generate_columns, solve
from atleastk.solvers.cellular_clustering.first import begin
from atleastk.solvers.cellular_clustering.local_search import PRICED, beginning
from atleastk.solvers.clustering.subset_dp import priced
from atleastk.solvers.engine.modelled import Methods, at_most
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]

_MOST_GROUPS: Final = 800_000
"""Beyond, it takes seconds to write a model down, and gigabytes to solve it."""
_GREATEST: Final = 2**28
"""CP-SAT loses solutions of models with large factors, from about 2^31."""


def _begin_anyhow(search: Search[CellularClustering], source: str) -> bool:
    """Find a start solution, without any bound."""
    if search.solution is None:
        budget = search.budget
        found = beginning(search.instance, budget.seed, budget)
        if found is not None:
            search.offer(found, source)
    return not search.done


def _refuses_balls(most: int, instance: CellularClustering) -> str | None:
    if instance.n <= PRICED and ball_entries(instance, most) > most:
        return f"balls about points have too many points in all; it takes {most}"
    return at_most(PRICED, "points")(instance)


def _refuses_groups(instance: CellularClustering) -> str | None:
    if instance.n > PRICED or groups_in_all(instance) > _MOST_GROUPS:
        return f"{instance.n} points have too many groups of the sizes in question"
    return None


def _refuses_representatives(instance: CellularClustering) -> str | None:
    reason = at_most(150, "points")(instance)
    if reason is not None:
        return reason
    distances = instance.space.matrix
    greatest = int(distances[distances < FAR].max(initial=0))
    if greatest > _GREATEST:
        return f"distances up to {greatest} are too long; it takes {_GREATEST}"
    return None


_SOLVER: Final = Methods(begin)
_MODEL: Final = Methods(_begin_anyhow)
_BALLS: Final = "centres, radii and members"

METHODS: Sequence[Method[CellularClustering]] = (
    _SOLVER.one(
        "columns",
        "clusters by column generation, then all that may be needed, in HiGHS",
        Highs.family,
        lambda search, _: generate_columns(search),
        at_most(PRICED, "points"),
    ),
    *_MODEL.modelled(
        _BALLS,
        ball_model,
        {"compact": CpSat(), "compact-highs": Highs()},
        partial(_refuses_balls, 1_500_000),
    ),
    *_MODEL.modelled(
        "all clusters of few points", group_model, {"groups": Highs()}, _refuses_groups
    ),
    *_MODEL.modelled(
        "clusters by their first points",
        representative_model,
        {"seats": CpSat()},
        _refuses_representatives,
    ),
    *_MODEL.modelled(
        _BALLS, ball_model, {"sat": Sat()}, partial(_refuses_balls, 10_000)
    ),
    by_subsets("a dynamic program over all subsets of points", begin, cheapest(priced)),
)
