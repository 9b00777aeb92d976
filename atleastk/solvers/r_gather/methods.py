"""r-gather: the exact methods.

The automatic choice is in :mod:`atleastk.solvers.r_gather.auto`. The methods here solve
one model with a general solver, and share nothing with it: neither bounds nor dominated
balls.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from atleastk.instances.r_gather import RGather
from atleastk.models.encodings.r_gather import level_model, levels, threshold_model
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.clustering.first import is_open
from atleastk.solvers.clustering.subset_dp import priced
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.levels import Walk, among
from atleastk.solvers.engine.modelled import Methods, Stated, at_most
from atleastk.solvers.engine.subsets import by_subsets, cheapest
from atleastk.solvers.method import Method
from atleastk.solvers.r_gather.auto import solve
from atleastk.solvers.search import Search

__all__ = ["METHODS", "solve"]

_MOST_POINTS: Final = 400
"""Points of models that have a variable for every pair ..."""

_MOST_POINTS_ANYWHERE: Final = 150
"""... of those where centres are anywhere ..."""


def _by_distances(search: Search[RGather]) -> Stated:
    """State a model for every distance."""
    instance = search.instance
    return among(levels(instance).tolist()), partial(threshold_model, instance)


def minimise_levels(search: Search[RGather], backend: Backend, source: str) -> None:
    """Minimise the model of all distances."""
    encoding, steps = level_model(search.instance), levels(search.instance).tolist()
    minimise_encoded(search, encoding, backend, source, cost_of=steps.__getitem__)


def _refuses(instance: RGather) -> str | None:
    most = _MOST_POINTS_ANYWHERE if instance.any_centre else _MOST_POINTS
    return at_most(most, "points")(instance)


_EXACT: Final = Methods(is_open)
_HEADS: Final = "points to the heads of clusters"

METHODS: Sequence[Method[RGather]] = (
    *_EXACT.decided(
        _HEADS,
        _by_distances,
        {"assignment": CpSat(), "assignment-highs": Highs(), "assignment-sat": Sat()},
        _refuses,
        lambda search: Walk(step=search.instance.n),
    ),
    *_EXACT.each(
        f"{_HEADS}, all distances in one model",
        minimise_levels,
        {"levels": CpSat()},
        at_most(40, "points"),
    ),
    by_subsets(
        "a dynamic program over all subsets of points", is_open, cheapest(priced)
    ),
)
