"""Why a method does not take an instance, for all problems that generalise cells."""

from __future__ import annotations

from typing import Final

from atleastk.instances.generalization import Generalization
from atleastk.solvers.generalization.predictive_tagging import MOST_NODES
from atleastk.solvers.tables import leaders

_MOST_CELLS: Final = 300_000
"""Pairs of rows, or of distinct records, times columns."""


def refuses_entries(instance: Generalization) -> str | None:
    """Say that a method is for attributes, if this is on entries."""
    return "it is for attributes" if instance.on == "entries" else None


def refuses_attributes(instance: Generalization) -> str | None:
    """Say that a method is for entries, if this is on attributes."""
    return "it is for entries" if instance.on == "attributes" else None


def refuses_more_than_k(instance: Generalization) -> str | None:
    """Say that more is asked than k rows: conditions, levels, or rows to drop."""
    if instance.most_dropped:
        return "it drops no rows"
    if instance.conditions or instance.levels is not None:
        return "it knows neither further conditions nor limits of levels"
    return None


def refuses_tagging(instance: Generalization) -> str | None:
    """Say that the lattice has too many nodes to be tagged."""
    if instance.nodes > MOST_NODES:
        return f"the lattice has {instance.nodes} nodes; it takes {MOST_NODES}"
    return refuses_entries(instance)


def refuses_leaders(instance: Generalization) -> str | None:
    """Say that there are too many rows to be led by one another."""
    many = leaders.refuses_leaders(instance.n, sum(instance.heights))
    return many or refuses_attributes(instance)


def refuses_pairs(instance: Generalization) -> str | None:
    """Say that there are too many records to be joined in pairs."""
    if instance.nodes_alone and instance.suppress_rows:
        return "of rows with copies none is suppressed by name"
    asks_more = refuses_more_than_k(instance)
    if asks_more is not None:
        return asks_more
    joined, what = instance.records.distinct, "distinct records"
    if instance.suppress_rows:
        joined, what = instance.n, "rows, of which some may be suppressed,"
    if leaders.paired_cells(joined, instance.m) > _MOST_CELLS:
        return f"{joined} {what} are too many to be joined in pairs"
    return refuses_entries(instance)
