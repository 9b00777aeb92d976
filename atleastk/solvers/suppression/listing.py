"""Listing the patterns of a suppression problem: closed ones, or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models.encodings.admitted_patterns import (
    FREE,
    Fixed,
    Kinds,
    admitted,
    is_ordered,
)
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.encodings.suppression_patterns import pattern_model
from atleastk.models.tables.patterns import MOST_COLUMNS, Patterns
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.truncated_patterns import joined, with_stars

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
            patterns = frequent_patterns(
                kinds.records, instance.k, instance.intact, budget, most_pairs
            )
        else:
            patterns = closed_patterns(kinds.records, instance.k, most_pairs, budget)
        if patterns is None:
            return None
        return cls(instance, kinds, admitted(instance, patterns, FREE))

    def encode(self, fixed: Fixed = FREE, padding: bool = False) -> Encoding:
        """Return the model, with some choices fixed; columns may be padded."""
        patterns = admitted(self.instance, self.patterns, fixed)
        return pattern_model(self.instance, self.kinds, patterns, fixed, padding)


def frequent_patterns(
    records: Records, k: int, intact: Sequence[int], budget: Budget, most_pairs: int
) -> Patterns | None:
    """Return all patterns of support at least k, closed or not, by increasing stars.

    None if they have more than `most_pairs` pairs with matching records, or if the
    budget ends first. Intact columns have no star. In O(2^m m D log D) time for D
    records over m columns.
    """
    free = [j for j in range(records.m) if j not in intact]
    found: list[Patterns] = []
    for stars in range(len(free) + 1):
        for hidden in combinations(free, stars):
            if budget.spent:
                return None
            found.append(with_stars(records, k, hidden, closed=False))
            most_pairs -= found[-1].pairs
            if most_pairs < 0:
                return None
    return joined(found, reach=records.m)


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
