"""Row suppression at a node of the lattice under l-diversity, as a linear model.

Kinds are rows of one class with equal sensitive values. Integer variables: the
suppressed rows of each kind, and those that stay; 0/1 variables: whether any rows are
suppressed, and whether rows of a class stay. Both the suppressed rows and the classes
are admissible (:mod:`~atleastk.models.diverse_deletion`). Rows that the node itself
publishes at the top count as suppressed, at no cost. The lower bound of each class is a
valid inequality.

The objective is the loss beyond that without suppressed rows; 0 if the loss depends on
the levels only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.records import Records
from atleastk.models.diverse_deletion import Deletion
from atleastk.models.encodings.diversity import add_conditions
from atleastk.models.linear import LinearModel, LinearModelBuilder


@dataclass(frozen=True, slots=True, eq=False)
class DeletionModel:
    """The model of a node, and the rows of its kinds."""

    model: LinearModel
    """Its first variables are the suppressed rows of each kind."""
    rows_of: Sequence[IntArray]
    """The rows of every kind that may be suppressed; none of the top."""

    def rows(self, values: IntArray) -> IntArray:
        """Return the suppressed rows of a point, the first ones of each kind."""
        taken = [
            rows[:count] for rows, count in zip(self.rows_of, values, strict=False)
        ]
        return np.sort(np.concatenate([np.empty(0, dtype=np.int64), *taken]))


def deletion_model(deletion: Deletion, most_kinds: int) -> DeletionModel:
    """Return the model of a node.

    Raise `NotApplicableError` if it has more kinds, or numbers beyond 64 bits.
    """
    instance = deletion.instance
    kinds = Records.coded(np.column_stack((deletion.classes, instance.values)))
    if kinds.distinct > most_kinds:
        raise NotApplicableError(
            f"a node of {kinds.distinct} kinds of rows is too large for a model"
        )
    rows_of = kinds.members
    home = kinds.codes[:, 0]
    top = deletion.top[home]
    builder = LinearModelBuilder()
    costs = [0] * kinds.distinct
    if instance.loss == "discernibility":
        costs = (instance.n - deletion.sizes[home]).tolist()
    gone = [
        builder.variable(count if alike else 0, count, 0 if alike else cost)
        for count, alike, cost in zip(
            kinds.copies.tolist(), top.tolist(), costs, strict=True
        )
    ]
    builder.row(
        [g for g, alike in zip(gone, top, strict=True) if not alike],
        1,
        at_most=min(instance.n, instance.suppress_rows),
    )
    some = builder.variable(0, 1)
    _add_class(instance, builder, gone, rows_of, some)
    inside = np.flatnonzero(~deletion.top).tolist()
    worth = 1 if instance.loss == "average-class-size" else 0
    builder.variable(1, 1, worth * len(inside))
    for c in inside:
        members = np.flatnonzero(home == c).tolist()
        staying = []
        for kind in members:
            count = len(rows_of[kind])
            staying.append(builder.variable(0, count))
            builder.equation([gone[kind], staying[-1]], 1, count)
        stays = int(deletion.sizes[c] - deletion.least[c])
        opened = builder.variable(0, min(1, stays), -worth)
        builder.row([*staying, opened], [*[1] * len(staying), -stays], at_most=0)
        _add_class(instance, builder, staying, [rows_of[x] for x in members], opened)
    may_go = [
        rows[:0] if alike else rows for rows, alike in zip(rows_of, top, strict=True)
    ]
    return DeletionModel(builder.build(), may_go)


def _add_class(
    instance: Diversity,
    builder: LinearModelBuilder,
    counts: Sequence[int],
    rows_of: Sequence[IntArray],
    opened: int,
) -> None:
    """Add the conditions on a class with these counts of kinds, if it is not empty."""
    for count, rows in zip(counts, rows_of, strict=True):
        builder.row([count, opened], [1, -len(rows)], at_most=0)
    signs = [*[1] * len(counts), -instance.least_rows]
    builder.row([*counts, opened], signs, at_least=0)
    members = [
        (count, rows[:1].tolist()) for count, rows in zip(counts, rows_of, strict=True)
    ]
    add_conditions(instance, builder, members, opened)
