"""Deciding a window: whether the items can be put into m bins with levels in it.

The solutions of a decider lie in the window; it answers UNKNOWN if its budget is spent
or it cannot take the instance. Over the greatest level at a fixed number of bins
feasibility is monotone; over the number of bins it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.encodings.bin_covering import (
    arc_flow,
    assignment_decision,
    patterns,
)
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.windows import Window
from atleastk.solvers.backends.backend import Backend
from atleastk.solvers.bin_covering.bin_completion import Bins, Completion, complete_bins
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision, decided_by

Decider = Callable[[BinCovering, Window, Budget], Decision[Bins]]

_MOST_PATTERNS = 150_000
"""Bins that one model chooses from: not tuned."""
_PATTERNS_A_SECOND = 50_000
"""More are not listed, and made a model, in a second."""


def by_completion(
    instance: BinCovering,
    window: Window,
    budget: Budget,
    most_nodes: int = 2**60,
    most_patterns: int = 20_000_000,
) -> Completion:
    """Decide by :mod:`~atleastk.solvers.bin_covering.bin_completion`."""
    return complete_bins(
        instance.sizes,
        window,
        budget,
        most_nodes=most_nodes,
        most_patterns=most_patterns,
    )


def by_patterns(backend: Backend, most_patterns: int = _MOST_PATTERNS) -> Decider:
    """Return a decider that chooses among all patterns of the window."""

    def decide(instance: BinCovering, window: Window, budget: Budget) -> Decision[Bins]:
        groups = BinGroups.decision(instance, window.parts, window.most)
        return cover_by_patterns(backend, groups, budget, most_patterns)

    return decide


def cover_by_patterns(
    backend: Backend, groups: BinGroups, budget: Budget, most: int = _MOST_PATTERNS
) -> Decision[Bins]:
    """Decide whether a partition into the groups of a decision form exists."""
    encode = partial(patterns_within, groups, budget, most)
    return _decided(backend, encode, budget)


def patterns_within(
    groups: BinGroups, budget: Budget, most_patterns: int = _MOST_PATTERNS
) -> Encoding | None:
    """Return the model over all patterns; None if they are too many for the budget."""
    most = int(min(most_patterns, _PATTERNS_A_SECOND * budget.remaining))
    return patterns(groups, most, lambda: budget.spent)


def by_arc_flow(backend: Backend) -> Decider:
    """Return a decider that sends a flow over the levels."""

    def decide(instance: BinCovering, window: Window, budget: Budget) -> Decision[Bins]:
        groups = BinGroups.decision(instance, window.parts, window.most)
        return _decided(backend, partial(arc_flow, groups), budget)

    return decide


def by_assignment(backend: Backend) -> Decider:
    """Return a decider that assigns items to bins."""

    def decide(instance: BinCovering, window: Window, budget: Budget) -> Decision[Bins]:
        wanted = window.parts, window.most
        encode = partial(assignment_decision, instance, *wanted)
        return _decided(backend, encode, budget)

    return decide


def _decided(
    backend: Backend, encode: Callable[[], Encoding | None], budget: Budget
) -> Decision[Bins]:
    """Decide by a model; UNKNOWN if it, or its numbers, are too large."""
    try:
        encoding = encode()
        if encoding is None:
            return Decision.unknown("there are too many bins to list them")
        return decided_by(backend, encoding.model, encoding.groups_at, budget)
    except NotApplicableError as error:
        return Decision.unknown(str(error))
