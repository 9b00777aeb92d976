"""Generalisation on entries where levels of different columns have different prices.

The patterns of the table whose pseudo-columns stand there once are those of the table
in which they are repeated; only their costs differ. So they are mined there, and get
the cost of the repeated ones as their stars. Methods that use nothing of a pattern but
its cost and its records work without change: the multipliers, the moves of the local
search, and the pattern model.
"""

from __future__ import annotations

from dataclasses import dataclass

from atleastk.instances.generalization import Generalization
from atleastk.instances.records import Records
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.generalization import solution_of_groups
from atleastk.models.tables.patterns import Patterns
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.budget import Budget
from atleastk.solvers.tables.closed_patterns import closed_patterns, is_listable
from atleastk.solvers.tables.dual_ascent import improve
from atleastk.solvers.tables.multipliers import Multipliers


@dataclass(frozen=True, eq=False)
class PricedPatterns:
    """The closed patterns of an instance on entries, at their prices.

    Attributes
    ----------
    records
        The records, a column for every level.
    patterns
        Its closed patterns; their stars are what a row pays.
    """

    instance: Generalization
    records: Records
    patterns: Patterns

    @classmethod
    def of(cls, instance: Generalization, most_pairs: int) -> PricedPatterns | None:
        """Mine the patterns; None if there are too many pairs, columns or units."""
        records = records_of_levels(instance)
        if not is_listable(records, instance.k):
            return None
        mined = closed_patterns(records, instance.k, most_pairs)
        return None if mined is None else cls(instance, records, mined)

    def multipliers(self, budget: Budget, enough: int | None = None) -> Multipliers:
        """Return the best weights of the records that time allows."""
        return improve(
            self.patterns, self.records, self.instance.k, budget, enough=enough
        )


def priced_pattern_model(priced: PricedPatterns) -> SolutionEncoding:
    """Return the model that gives a pattern to every copy of every record."""
    inner = pattern_model(priced.records, priced.instance.k, priced.patterns)
    return SolutionEncoding(
        inner.model,
        lambda values: solution_of_groups(priced.instance, inner.decode(values)),
        lambda solution: inner.encode(solution.groups),
    )
