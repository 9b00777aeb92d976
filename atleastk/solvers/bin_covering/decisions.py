"""Deciding a level: whether the items can be put into m bins, none above K.

Every decider answers FOUND with the bins, REFUTED, or STOPPED when its budget is spent
or the instance is not for it. Over K at a fixed m feasibility is monotone; over m it is
not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import window
from atleastk.models.encodings.bin_covering import (
    arc_flow,
    assignment_decision,
    patterns,
)
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.status import Status
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.bin_covering.completion import Answer, Outcome, complete_bins
from atleastk.solvers.budget import Budget

__all__ = [
    "Decider",
    "by_arc_flow",
    "by_assignment",
    "by_completion",
    "by_patterns",
    "cover_by_patterns",
    "patterns_within",
]

Decider = Callable[[BinCovering, int, int, Budget], Answer]

_MOST_PATTERNS = 150_000
_PATTERNS_A_SECOND = 50_000
"""More are not listed, and made a model, in a second."""


def by_completion(
    instance: BinCovering,
    bins: int,
    cost: int,
    budget: Budget,
    most_nodes: int = 2**60,
    most_patterns: int = 20_000_000,
) -> Answer:
    """Decide by :mod:`~atleastk.solvers.bin_covering.completion`."""
    levels = window(instance, bins, cost)
    return complete_bins(
        instance.sizes,
        bins,
        *levels,
        budget,
        most_nodes=most_nodes,
        most_patterns=most_patterns,
    )


def by_patterns(backend: Backend, most_patterns: int = _MOST_PATTERNS) -> Decider:
    """Return a decider that chooses among all patterns of the window."""

    def encode(
        instance: BinCovering, bins: int, cost: int, budget: Budget
    ) -> Encoding | None:
        groups = BinGroups.decision(instance, bins, cost)
        return patterns_within(groups, most_patterns, budget)

    return _decider(backend, encode)


def cover_by_patterns(
    backend: Backend, groups: BinGroups, budget: Budget, most_patterns: int
) -> Answer:
    """Decide whether a partition into the groups of a decision form exists."""
    encode = partial(patterns_within, groups, most_patterns, budget)
    return _decide(backend, encode, budget)


def patterns_within(
    groups: BinGroups, most_patterns: int, budget: Budget
) -> Encoding | None:
    """Return the model over all patterns; None if they are too many for the budget."""
    most = int(min(most_patterns, _PATTERNS_A_SECOND * budget.remaining))
    return patterns(groups, most, lambda: budget.spent)


def by_arc_flow(backend: Backend) -> Decider:
    """Return a decider that sends a flow over the levels."""

    def encode(
        instance: BinCovering, bins: int, cost: int, _budget: Budget
    ) -> Encoding | None:
        return arc_flow(BinGroups.decision(instance, bins, cost))

    return _decider(backend, encode)


def by_assignment(backend: Backend, *, merged: bool = False) -> Decider:
    """Return a decider that assigns items (merged: counts of equal items) to bins."""

    def encode(
        instance: BinCovering, bins: int, cost: int, _budget: Budget
    ) -> Encoding | None:
        return assignment_decision(instance, bins, cost, merged=merged)

    return _decider(backend, encode)


def _decider(
    backend: Backend,
    encode: Callable[[BinCovering, int, int, Budget], Encoding | None],
) -> Decider:
    def decide(instance: BinCovering, bins: int, cost: int, budget: Budget) -> Answer:
        if window(instance, bins, cost).empty or bins > instance.n:
            return Answer(Outcome.REFUTED)
        return _decide(backend, partial(encode, instance, bins, cost, budget), budget)

    return decide


def _decide(
    backend: Backend, encode: Callable[[], Encoding | None], budget: Budget
) -> Answer:
    try:
        encoding = encode()
        if encoding is None:
            return Answer(Outcome.STOPPED, why="there are too many bins to list them")
        answer = backend.minimise(encoding.model, budget)
    except NotApplicableError as error:
        return Answer(Outcome.STOPPED, why=str(error))
    if answer.values is not None:
        groups = encoding.decode(answer.values)
        return Answer(Outcome.FOUND, tuple(map(tuple, groups)))
    if answer.status is Status.INFEASIBLE:
        return Answer(Outcome.REFUTED)
    return Answer(Outcome.STOPPED, why=f"{answer.backend} ended without an answer")
