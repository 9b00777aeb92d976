"""Diversity on entries: kinds of rows, and the patterns that they match.

A kind is a record with its sensitive values; the rows of a kind are interchangeable.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from atleastk.arrays import SAFE, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.records import Records
from atleastk.models.encodings.diversity import pattern_model
from atleastk.models.encodings.encoding import Encoding
from atleastk.models.tables.patterns import Patterns
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.engine.modelled import refusing
from atleastk.solvers.generalization.refusals import refuses_attributes
from atleastk.solvers.tables.closed_patterns import listed_patterns
from atleastk.solvers.tables.conditions import Sensitive

MOST_PAIRS: Final = 200_000
"""Pairs of a pattern and a kind of rows that a model takes: a minute of writing."""


def kinds_of(instance: Diversity, plain: Records) -> tuple[Records, IntArray]:
    """Return the kinds of the rows, and the record of each.

    Kinds of one record follow one another.
    """
    apart = instance.kinds
    record = apart.codes[:, 0].astype(np.int64)
    kinds = Records(
        np.ascontiguousarray(plain.codes[record]),
        apart.copies,
        apart.home,
        None if plain.weights is None else plain.weights[record],
        plain.prices,
        apart.given,
    )
    return kinds, record


def sensitive_of(instance: Diversity) -> Sensitive | None:
    """Return what groups of kinds have to keep: nothing by l = 1 alone."""
    if not instance.totals or (instance.l == 1 and instance.t is None):
        return None
    n = instance.n
    l = min(instance.l, n + 1)  # noqa: E741 - as in the papers
    reach = np.arange(n + 1, dtype=np.int64) * n
    if instance.t is not None and instance.t.numerator * n * n < SAFE:
        reach = reach * instance.t.numerator // instance.t.denominator
    elif instance.t is not None:
        reach = np.array([instance.reach(s) for s in range(n + 1)], dtype=np.int64)
    return Sensitive(
        np.ascontiguousarray(instance.kinds.codes[:, 1:]),
        instance.totals,
        max(l, instance.least_values),
        l if instance.reading == "frequency" else 1,
        instance.t is not None,
        reach,
    )


def _listed(instance: Diversity) -> tuple[Records, Patterns]:
    """Return the kinds of rows and the patterns of enough different values."""
    kinds, _ = kinds_of(instance, records_of_levels(instance))
    asked = sensitive_of(instance)
    patterns = listed_patterns(kinds, instance.least_rows, MOST_PAIRS)
    return kinds, patterns if asked is None else asked.diverse(patterns)


def assignment_model(instance: Diversity) -> Encoding:
    """Return the model that assigns rows to patterns."""
    kinds, patterns = _listed(instance)
    return pattern_model(instance, kinds, instance.least_rows, patterns)


def refuses_patterns(instance: Diversity) -> str | None:
    """Say that there are too many patterns."""
    return refuses_attributes(instance) or refusing(_listed)(instance)
