"""Generalisation on entries: closed patterns of levels, each at its price.

The patterns of the table whose pseudo-columns stand there once are those of the table
in which they are repeated; only their costs differ. So they are mined there, and get
the cost of the repeated ones as their stars. Methods that use nothing of a pattern but
its cost and its records work without change.
"""

from __future__ import annotations

from atleastk.instances.generalization import Generalization
from atleastk.instances.records import Records
from atleastk.models.encodings.encoding import SolutionEncoding
from atleastk.models.encodings.k_anonymity import pattern_model
from atleastk.models.generalization import solution_dropping_rest
from atleastk.models.tables.patterns import Patterns
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.tables.closed_patterns import closed_patterns, is_listable


def priced_patterns(
    instance: Generalization, most_pairs: int
) -> tuple[Records, Patterns] | None:
    """Return the records, a column for every level, and their closed patterns.

    None if there are too many pairs, levels or units of cost.
    """
    records, k = records_of_levels(instance), instance.k
    patterns = None
    if is_listable(records, k):
        patterns = closed_patterns(records, k, most_pairs)
    return None if patterns is None else (records, patterns)


def priced_pattern_model(
    instance: Generalization, most_pairs: int
) -> SolutionEncoding | None:
    """Return the model that gives a pattern to every copy of every record, or None."""
    mined = priced_patterns(instance, most_pairs)
    if mined is None:
        return None
    records, patterns = mined
    inner = pattern_model(records, instance.k, patterns, instance.most_dropped)
    return SolutionEncoding(
        inner.model,
        lambda values: solution_dropping_rest(instance, inner.decode(values)),
        lambda solution: inner.encode(solution.groups),
    )
