"""Generalisation on attributes, on lattices of any size.

Descents come first. If few nodes are left between the bounds of single columns,
predictive tagging decides all of them; beyond that implicit hitting sets and descents
take turns.
"""

from __future__ import annotations

from typing import Any, Final

from atleastk.models.generalization import least_by_sizes, price_of_levels
from atleastk.solvers.generalization import predictive_tagging
from atleastk.solvers.generalization.boxes import Box, Levels, narrowed
from atleastk.solvers.generalization.counting import Counts, counter_of
from atleastk.solvers.generalization.descent import Descent
from atleastk.solvers.generalization.few_columns import refuse_by_few_columns
from atleastk.solvers.generalization.hitting_sets import minimise_by_hitting_sets
from atleastk.solvers.search import Search

_BYTES: Final = 16
"""The bytes of a node that is marked, with its loss and its place in the order."""

_NODES_AT_ONCE: Final = 2**16
"""Nodes that are marked, for the bound of what was counted, when the time is over."""


def minimise_on_attributes(search: Search[Any], counts: Counts | None = None) -> None:
    """Minimise on attributes; the search has a solution to start from, if any is known.

    If none is, counts decide whether the highest node has one: nothing else has without
    it. See :func:`predictive_tagging.minimise_by_tagging`.
    """
    counts = counts or counter_of(search.instance)
    if search.solution is None and not _reach_highest(search, counts):
        return
    descent = Descent(search, "descent", counts)
    # All others are counted from the classes of the node below which single columns
    # refuse everything, if these are fewer than the records.
    whole = Box.whole(search.instance)
    floor = narrowed(whole, descent.is_refused_in_time, lambda _: False).low
    if not search.budget.spent:
        descent.look(floor)
    refuse_by_few_columns(search, descent)
    descent.begin()
    if search.closed and search.cost:  # by few columns: others may lose as little
        search.note(predictive_tagging.TIES_FOUND)
    if search.closed or (search.done and search.instance.nodes > _NODES_AT_ONCE):
        return
    box = _open_box(search, descent)
    fits = box.nodes * _BYTES <= search.budget.memory
    if box.nodes <= predictive_tagging.MOST_NODES and fits:
        predictive_tagging.PredictiveTagging(search, "tagging", descent, box).run()
        if not search.closed:
            search.raise_bound(least_by_sizes(search.instance), "sizes")
        return
    # It has no certificate, so it comes late.
    search.raise_bound(least_by_sizes(search.instance), "sizes")
    minimise_by_hitting_sets(search, "hitting-sets", descent)
    text = f"the lattice has {search.instance.nodes} nodes, too many to look at all"
    search.note(text if not search.closed else predictive_tagging.TIES_FOUND)


def _reach_highest(search: Search[Any], counts: Counts) -> bool:
    """Report the solution of the highest node, or that there is none; tell which.

    What counts could not decide is asked again, as long as there is time.
    """
    highest = search.instance.greatest_levels
    count = counts.count(highest)
    while count.loss is None and count.late and not search.budget.spent:
        count = counts.count(highest)
    if count.loss is not None:
        search.offer(counts.solution(highest), "highest")
    elif count.refused:
        search.close_infeasible("highest")
    return count.loss is not None


def _open_box(search: Search[Any], descent: Descent) -> Box:
    """Return the whole of a small lattice; of others, what the columns leave open."""
    instance, cost = search.instance, search.cost
    whole = Box.whole(instance)
    if instance.nodes <= predictive_tagging.MOST_NODES or cost is None:
        return whole

    def is_dear(levels: Levels) -> bool:
        if instance.is_linear:
            return price_of_levels(instance, levels) > cost
        return not search.budget.spent and descent.look(levels).floor > cost

    return narrowed(whole, descent.is_refused_in_time, is_dear)
