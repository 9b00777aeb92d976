"""Bounds of large lattices by few columns at a time, as of Incognito [LeFevre05].

Classes over all columns are parts of those over some. So a node that is refused with
all but two or three of its columns at the top is refused, and is counted in a fraction
of the time: of a million different rows in hundredths of a second. The cheapest node
that is not refused so far is a bound; it is asked of every two and three of its columns
until none refuses it.

References
----------
[LeFevre05] K. LeFevre, D. J. DeWitt, R. Ramakrishnan, "Incognito: Efficient Full-Domain
K-Anonymity", SIGMOD 2005.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Final

import numpy as np

from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.models.certificates.generalization import losses_of_nodes
from atleastk.solvers.generalization.boxes import Levels
from atleastk.solvers.generalization.descent import Descent
from atleastk.solvers.generalization.lattice_marks import MOST_NODES, Marks
from atleastk.solvers.generalization.predictive_tagging import extremes
from atleastk.solvers.search import Search

_MANY: Final = 200_000
"""Distinct rows from which on a count of all columns takes a tenth of a second."""


def refuse_by_few_columns(search: Search[Any], descent: Descent) -> None:
    """Raise the bound of a large table whose losses need no count."""
    instance = search.instance
    if isinstance(instance, CountedElsewhere) or instance.records.distinct < _MANY:
        return
    if not instance.is_linear or instance.nodes > MOST_NODES:
        return
    low, high = instance.least_levels, instance.greatest_levels
    losses = losses_of_nodes(instance, low, high).reshape(-1)
    marks, order = Marks(high, low), np.argsort(losses, kind="stable")
    known = [levels for levels, count in descent.known.items() if count.refused]
    for levels in known:
        marks.refuse_below(levels)
    columns = range(instance.m)
    sets = [*combinations(columns, 2), *combinations(columns, 3)]
    budget = search.budget.share(0.25)

    def refused(node: Levels) -> Levels | None:
        """Return a refused node above, of few columns; None if none is known."""
        for some in sets:
            few = tuple(node[j] if j in some else high[j] for j in columns)
            if budget.spent:
                break
            if descent.is_refused(few):
                return descent.lifted(few, some)
        return None

    while len(order := order[marks.marks[order] == 0]):
        node = int(order[0])
        if search.proof is None or losses[node] > search.proof.bound:
            certificate = {"kind": "lattice", "refused": extremes(known), "dear": []}
            search.raise_bound(int(losses[node]), "few columns", certificate)
        above = None if search.done else refused(marks.levels_of(node))
        if above is None:
            return
        known.append(above)
        marks.refuse_below(above)
