"""The losses of all groups of a few rows, for the dynamic program over subsets."""

from __future__ import annotations

from atleastk.instances.generalization import Generalization
from atleastk.solvers.engine import subsets
from atleastk.solvers.engine.subsets import NEVER, Priced
from atleastk.solvers.generalization.refusals import (
    refuses_attributes,
    refuses_more_than_k,
)
from atleastk.solvers.tables.subset_prices import price_sets


def refuses(instance: Generalization) -> str | None:
    """Say why the program cannot take an instance, or None if it can."""
    reason = refuses_attributes(instance) or refuses_more_than_k(instance)
    if reason is not None:
        return reason
    if instance.persons * instance.most_of_row >= NEVER:
        return "its losses do not fit into 64 bits"
    return subsets.refuses(instance)


def priced(instance: Generalization) -> Priced:
    """Return the loss of every set of rows as a group."""
    instance = instance.written_out
    labels = (codes[:-1].of() for codes in instance.codes)
    apart = ((x[:, :, None] != x[:, None, :]).sum(axis=0) for x in labels)
    columns = zip(instance.weights, apart, strict=True)
    persons = instance.row_weights or (1,) * instance.n
    return price_sets(columns, persons, instance.k)
