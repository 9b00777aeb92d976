"""Min-max bin covering: the exact methods.

For ``max`` and ``excess`` every method decides pairs (m, K), "m bins, none above K",
within the window of levels that counting leaves; for ``excess`` K is the greatest level
that m bins of at least k can have, and the first m that succeeds, from above, is
optimal. ``quadratic`` is minimised directly.

The automatic choice is in :mod:`atleastk.solvers.bin_covering.auto`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import counting_cost, most_bins, window
from atleastk.models.encodings.bin_covering import (
    whole_arc_flow,
    whole_assignment,
    whole_patterns,
)
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.results.status import Status
from atleastk.models.windows import Window
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.maxsat import MaxSat
from atleastk.solvers.backends.milp import Milp
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.bin_covering.auto import solve
from atleastk.solvers.bin_covering.bin_completion import MOST_ITEMS, Bins
from atleastk.solvers.bin_covering.decisions import (
    Decider,
    by_arc_flow,
    by_assignment,
    by_completion,
    by_patterns,
)
from atleastk.solvers.bin_covering.first import begin, part_counts
from atleastk.solvers.bin_covering.subset_dp import best_partition
from atleastk.solvers.bin_covering.subset_dp import refuses as refuses_subsets
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.encoded import minimise_encoded
from atleastk.solvers.engine.levels import minimise_by_levels, remark
from atleastk.solvers.engine.modelled import Methods
from atleastk.solvers.engine.subsets import by_subsets
from atleastk.solvers.method import Method
from atleastk.solvers.search import Search

__all__ = ["METHODS", "begin", "minimise_levels", "solve"]

_MOST_PATTERNS = 300_000
"""Bins that one model chooses from: not tuned."""


def minimise_levels(search: Search[BinCovering], decide: Decider, source: str) -> None:
    """Solve the objectives ``max`` and ``excess`` by a decider alone."""
    if search.instance.objective == "excess":
        _most_bins_by(search, decide, source)
        return
    counts = part_counts(search)

    def within(window: Window) -> Decision[Bins]:
        return decide(search.instance, window, search.budget)

    minimise_by_levels(search, counts.levels, partial(counts.decide, within), source)


def _most_bins_by(search: Search[BinCovering], decide: Decider, source: str) -> None:
    instance = search.instance
    search.raise_bound(counting_cost(instance) or 0, source)
    for bins in range(most_bins(instance), 0, -1):
        highest = instance.total - (bins - 1) * instance.k
        decision = decide(instance, window(instance, bins, highest), search.budget)
        if decision.found is not None:
            search.offer(decision.found, source)
        if decision.status is not Status.INFEASIBLE:
            remark(search, source, highest, decision)
            return
        search.raise_bound(highest, source)


def _refuses_completion(instance: BinCovering) -> str | None:
    if instance.n > MOST_ITEMS:
        return f"it takes {MOST_ITEMS} items at most, not {instance.n}"
    if instance.objective == "quadratic":
        return "it decides levels, which the objective quadratic has none of"
    return None


def _decided(
    decider: Callable[[Backend], Decider], encode: Callable[[BinCovering], Encoding]
) -> Callable[[Search[BinCovering], Backend, str], None]:
    """Decide levels; but minimise a model for the objective ``quadratic``."""

    def minimise(search: Search[BinCovering], backend: Backend, source: str) -> None:
        if search.instance.objective == "quadratic":
            minimise_encoded(search, encode(search.instance), backend, source)
        else:
            minimise_levels(search, decider(backend), source)

    return minimise


_EXACT: Final = Methods(begin)

METHODS: Sequence[Method[BinCovering]] = (
    *_EXACT.modelled(
        "the textbook assignment model", whole_assignment, {"cp-sat": CpSat()}
    ),
    *_EXACT.each(
        "exact cover by all patterns of the window",
        _decided(partial(by_patterns, most_patterns=_MOST_PATTERNS), whole_patterns),
        {"patterns-cp-sat": CpSat(), "patterns": Highs()},
    ),
    *_EXACT.each(
        "a flow over the levels",
        _decided(by_arc_flow, whole_arc_flow),
        {"arc-flow": Milp()},
    ),
    *_EXACT.each(
        "the assignment to bins of a level",
        _decided(by_assignment, whole_assignment),
        {"sat": Sat()},
    ),
    *_EXACT.modelled(
        "the textbook assignment model", whole_assignment, {"maxsat": MaxSat()}
    ),
    _EXACT.one(
        "completion",
        "depth-first completion of bins, with bounds on the waste",
        "combinatorial",
        lambda search, source: minimise_levels(search, by_completion, source),
        _refuses_completion,
    ),
    by_subsets(
        "a dynamic program over all subsets", begin, best_partition, refuses_subsets
    ),
)
