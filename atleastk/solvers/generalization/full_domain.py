"""Generalisation on entries: groups of a large table from one node of the lattice.

Descents of all columns alike, with some rows left over, end at a node of which most
classes have k rows. These are groups; what is left over is grouped by hiding few
columns, as first groups are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import check, classes_of_records
from atleastk.solvers.generalization.descent import Descent
from atleastk.solvers.search import Search
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.first_groups import peeled
from atleastk.solvers.tables.steps import Run

_SOURCE: Final = "full domain"

_LEFT: Final = 0.1
"""The share of the rows that may be left over: not tuned."""

_SHARE: Final = 0.2
"""The share of the time left that descents have: not tuned."""


def offer_full_domain(run: Run) -> None:
    """Offer groups of a table whose rows may all be grouped."""
    search, records, k = run.search, run.records, run.k
    whole = _on_attributes(search.instance)
    descent = Descent(Search(whole, check, search.budget.share(_SHARE)), _SOURCE)
    descent.look_around()
    if descent.best is None:
        return
    class_of = classes_of_records(search.instance, descent.best)[1]
    sizes = np.bincount(class_of, records.copies)
    left = sizes < k
    if 0 < sizes[left].sum() < k:
        left[sizes.argmax()] = True
    over = left[class_of]
    rest, kept = np.flatnonzero(over), np.flatnonzero(~over)
    more = peeled(records.apart(rest, records.copies[rest]), k) if len(rest) else None
    parts = [(class_of[kept], kept, records.copies[kept])]
    if more is not None:
        parts.append((len(sizes) + more.group, rest[more.record], more.copies))
    entries = (np.concatenate(part) for part in zip(*parts, strict=True))
    run.offer_assignment(Assignment.of(*entries), _SOURCE)


def _on_attributes(instance: Generalization) -> Generalization:
    """Return the same table on attributes, where some rows may be suppressed."""
    allowed = int(_LEFT * instance.n)
    made = replace(instance, on="attributes", row_weights=None, suppress_rows=allowed)
    for name in ("records", "codes", "labels", "columns_of_records"):
        vars(made)[name] = getattr(instance, name)
    return made
