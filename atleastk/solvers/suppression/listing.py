"""Listing the patterns of a suppression problem: closed ones, or all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.admitted_patterns import (
    FREE,
    Fixed,
    Kinds,
    admitted,
    is_ordered,
)
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.suppression_patterns import pattern_model
from atleastk.models.tables.patterns import MOST_COLUMNS, Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.suppression.frequent import frequent_patterns
from atleastk.solvers.tables.closed_patterns import closed_patterns

_MOST_ORDERED_COLUMNS: Final = 16
"""Columns with an importance order: all their subsets are listed."""


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """The row kinds of an instance, and patterns that suffice for it."""

    instance: Suppression
    kinds: Kinds
    patterns: Patterns

    @classmethod
    def of(
        cls, instance: Suppression, budget: Budget, most_pairs: int
    ) -> Listing | None:
        """List patterns; None if they match too many row kinds or the budget ends."""
        if refuses(instance) is not None:
            return None
        kinds = Kinds.of(instance)
        if is_ordered(instance):
            intact = sum(1 << column for column in set(instance.intact))
            patterns = frequent_patterns(
                kinds.records, instance.k, intact, budget, most_pairs
            )
        else:
            patterns = closed_patterns(kinds.records, instance.k, most_pairs, budget)
        if patterns is None:
            return None
        return cls(instance, kinds, admitted(instance, patterns, FREE))

    def encode(self, fixed: Fixed = FREE, padding: bool = False) -> SolutionEncoding:
        """Return the model, with some choices fixed; columns may be padded."""
        patterns = admitted(self.instance, self.patterns, fixed)
        return pattern_model(self.instance, self.kinds, patterns, fixed, padding)


def refuses(instance: Suppression) -> str | None:
    """Say why no patterns are listed; None if they are."""
    if instance.is_weighted:
        return "patterns count entries, whatever they cost"
    if instance.deletion:
        return "patterns do not say what a deletion leaves"
    most = _MOST_ORDERED_COLUMNS if is_ordered(instance) else MOST_COLUMNS
    if instance.m > most:
        ordered = "with an importance order " if is_ordered(instance) else ""
        return f"{ordered}patterns take at most {most} columns, not {instance.m}"
    return None
