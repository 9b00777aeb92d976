"""Certificates of generalisation, checked in integers without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.

On attributes
-------------
``{"kind": "highest"}``
    The highest node is refused, by the greatest levels or by further conditions: so is
    every other one, and nothing is feasible.
``{"kind": "lattice", "refused": [levels, ...], "dear": [levels, ...], "alone": ...}``
    The refused nodes are not k-anonymous, however the allowance of suppressed rows is
    used, so no node below one is. The loss of a dear node, without what is suppressed,
    is at least the bound, so that of every node above one is. Those that stand alone -
    the list may be missing - lose at least the bound, with what has to be suppressed.
    Every node of the lattice is below a refused one, above a dear one, stands alone, or
    (height and precision, whose loss needs no list) costs the bound itself: so
    nothing k-anonymous costs less.

    Both facts are monotone: at higher levels, classes only merge. Sums of levels and of
    squares of sizes grow with that, the number of classes falls. With suppressed rows
    the proof is in :mod:`atleastk.instances.generalization`.

    Nodes are marked by running maxima along the columns: time O(N m) for N nodes, and
    that of counting the classes of each node listed.

On entries
----------
``{"kind": "weights", "scale": D, "weights": [u per distinct record]}``
    As for k-anonymity on the expanded table
    (:mod:`~atleastk.models.tables.pseudo_columns`), whose closed patterns are nodes of
    the lattice with one of their classes:
    :mod:`~atleastk.models.certificates.closed_classes`. The bound is rounded up to a
    multiple of the unit of the costs.

    Records are the distinct pairs of a row and its weight. Where rows may be dropped,
    or levels have limits, there are no other certificates.
``{"kind": "tree", "tree": node}``
    Where weights leave a gap: of the expanded table, its columns repeated by their
    weights (:mod:`~atleastk.models.certificates.pattern_trees`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from atleastk.arrays import BoolArray, Int32Array
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import ListOf
from atleastk.instances.generalization import Generalization
from atleastk.models.certificates.closed_classes import proven_by
from atleastk.models.certificates.count import kind_of_bound
from atleastk.models.certificates.forms import (
    LATTICE,
    NODE_OF_PATTERNS,
    TABLES,
    Forms,
    object_form,
)
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.certificates.pattern_trees import check_tree
from atleastk.models.certificates.weights import (
    expect_bound,
    field,
    integer,
    weights_of,
)
from atleastk.models.generalization import (
    classes_at,
    classes_of_records,
    fewest_of,
    loss_of_node,
    price_of_levels,
)
from atleastk.models.in_time import look_up
from atleastk.models.results.fields import INTEGER
from atleastk.models.tables.pseudo_columns import as_suppression

G = TypeVar("G", bound=Generalization)

Levels = tuple[int, ...]

MOST_NODES: Final = 2**24
"""The most nodes of a lattice that are marked one by one: 16 megabytes."""

_MOST_WORK: Final = 200_000_000
"""Nodes times distinct records: half a minute."""

_RECORDS_OF_A_NODE: Final = 1_000
"""Work of a node itself, in records: a tenth of a millisecond."""

_MOST_EXPANDED: Final = 500_000
"""Cells of the expanded table of a tree: about two seconds."""


def check_certificate(
    instance: Generalization, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    if is_of_highest(certificate):
        expect_highest_refused(instance, bound, least_at)
        return
    wanted = ("lattice",) if instance.on == "attributes" else ("weights", "tree")
    kind = kind_of_bound(certificate, instance, bound, *wanted)
    if bound is None:
        return
    if kind == "tree":
        if instance.most_dropped or instance.levels is not None:
            raise CertificateError(
                "a tree says nothing of limits of levels, or of rows that are dropped"
            )
        check_tree(pattern_problem(instance), certificate, -(-bound // instance.unit))
        return
    require_checkable(instance)
    if kind == "lattice":
        check_lattice(instance, certificate, bound, partial(least_at, instance))
    else:
        _check_weights(instance, certificate, bound)


def is_of_highest(certificate: object) -> bool:
    """Tell whether something is meant as a certificate on the highest node."""
    return isinstance(certificate, Mapping) and certificate.get("kind") == "highest"


def highest_refuses(instance: G, least: Callable[[G, Levels], int | None]) -> bool:
    """Tell whether greatest levels or further conditions refuse every node.

    `least` bounds the loss of a node; None if it is refused.
    """
    limited = instance.levels is not None or bool(instance.conditions)
    return limited and least(instance, instance.greatest_levels) is None


def expect_highest_refused(
    instance: G, bound: int | None, least: Callable[[G, Levels], int | None]
) -> None:
    """Raise `CertificateError` unless the highest node is refused."""
    if bound is not None or not highest_refuses(instance, least):
        raise CertificateError(
            'a certificate of kind "highest" proves exactly that the highest node is '
            "refused"
        )


def pattern_problem(instance: Generalization) -> PatternProblem:
    """Return generalisation on entries as assignments, in units of the loss."""
    if not is_expandable(instance):
        raise NotApplicableError(
            "its levels count too much for a tree: its table is too large"
        )
    table = as_suppression(instance)
    return PatternProblem(table, instance.row_weights, copies=instance.given)


def is_expandable(instance: Generalization) -> bool:
    """Tell whether the expanded table is small enough for a tree."""
    return len(instance.table) * instance.expanded_columns <= _MOST_EXPANDED


def certificate_of_nothing(instance: Generalization) -> Mapping[str, Any] | None:
    """Return the certificate of the bound 0: the lowest node of the lattice."""
    if instance.on == "entries":
        return None
    lowest = list(instance.least_levels)
    return {"kind": "lattice", "refused": [], "dear": [lowest]}


def require_checkable(instance: Generalization) -> None:
    """Raise `NotApplicableError` if certificates take too long to re-check."""
    if not is_checkable(instance):
        size = f"{instance.nodes} nodes and {instance.records.distinct} records"
        raise NotApplicableError(
            f"the lattice of {size} is too large to re-check the certificate: too much "
            f"work, {_work(instance, instance.nodes):,} steps"
        )


def is_checkable(instance: Generalization) -> bool:
    """Tell whether certificates of this instance can be re-checked in reasonable time.

    That is, apart from the length of the lists that a certificate may hold.
    """
    nodes = instance.nodes
    if instance.on == "attributes":
        return nodes <= MOST_NODES
    return _work(instance, nodes) <= _MOST_WORK


def _work(instance: Generalization, nodes: int) -> int:
    """Return the steps to count the classes of `nodes` nodes."""
    return nodes * (_RECORDS_OF_A_NODE + instance.records.distinct)


def losses_of_nodes(
    instance: Generalization,
    low: Sequence[int] | None = None,
    high: Sequence[int] | None = None,
) -> Int32Array:
    """Return the sum of the weighted levels of every node, an array [level, ...].

    Only of nodes between `low` and `high`.
    """
    low, high = low or instance.least_levels, high or instance.greatest_levels
    ranges = [range(first, last + 1) for first, last in zip(low, high, strict=True)]
    # What a row costs fits into 31 bits.
    losses = np.zeros(tuple(map(len, ranges)), dtype=np.int32)
    for j, (levels, weight) in enumerate(zip(ranges, instance.weights, strict=True)):
        shape = [1] * instance.m
        shape[j] = len(levels)
        losses += (weight * np.array(levels, dtype=np.int32)).reshape(shape)
    return losses


def least_at(instance: Generalization, levels: Levels) -> int | None:
    """Return the loss of a node; None if too many rows would have to be suppressed."""
    look_up()
    classes = classes_at(instance, levels)
    suppressed = fewest_of(instance, levels, classes)
    if suppressed is None:
        return None
    return loss_of_node(instance, levels, classes.sizes, suppressed)


def check_lattice(
    instance: Generalization,
    certificate: Mapping[str, Any],
    bound: int,
    least: Callable[[Levels], int | None],
) -> None:
    """Check that the named nodes leave none that is admitted and below the bound.

    `least` bounds the loss of a node; None if it and all below are refused.
    """
    refused = _named_nodes(instance, certificate, "refused")
    dear = _named_nodes(instance, certificate, "dear")
    alone = _named_nodes(instance, {"alone": (), **certificate}, "alone")
    named = len(refused) + len(dear) + len(alone)
    if _work(instance, named) > _MOST_WORK:
        raise NotApplicableError(
            f"too much work: {_work(instance, named):,} steps for the {named} nodes "
            f"that the certificate names, more than {_MOST_WORK:,}"
        )
    for levels in refused:
        if least(levels) is not None:
            raise CertificateError(f"the node {levels} is k-anonymous, not refused")
    for levels in dear:
        floor = loss_of_node(instance, levels, classes_at(instance, levels).sizes)
        _expect_dear(levels, floor, bound)
    for levels in alone:
        loss = least(levels)
        if loss is not None:
            _expect_dear(levels, loss, bound)
    low, high = instance.least_levels, instance.greatest_levels
    shape = tuple(b - a + 1 for a, b in zip(low, high, strict=True))
    if instance.is_linear:
        covered = np.asarray(losses_of_nodes(instance) >= bound)
    else:
        covered = np.zeros(shape, dtype=np.bool_)
    covered |= _marked(shape, [_less(levels, low) for levels in dear])
    for levels in alone:
        covered[_less(levels, low)] = True
    turned = (slice(None, None, -1),) * instance.m
    covered |= _marked(shape, [_less(high, levels) for levels in refused])[turned]
    if not covered.all():
        steps = np.argwhere(~covered)[0].tolist()
        first = tuple(x + least for x, least in zip(steps, low, strict=True))
        raise CertificateError(
            f"nothing is said of the node {first}; the bound {bound} is open"
        )


def _less(levels: Levels, others: Levels) -> Levels:
    return tuple(x - y for x, y in zip(levels, others, strict=True))


def _expect_dear(levels: Levels, loss: int, bound: int) -> None:
    if loss < bound:
        raise CertificateError(
            f"the node {levels} loses {loss}, less than the bound {bound}"
        )


def _marked(shape: tuple[int, ...], nodes: Sequence[Levels]) -> BoolArray:
    """Return which nodes are at or above one of these."""
    marks = np.zeros(shape, dtype=np.bool_)
    for levels in nodes:
        marks[levels] = True
    for axis in range(len(shape)):
        np.logical_or.accumulate(marks, axis=axis, out=marks)
    return marks


def _named_nodes(
    instance: Generalization, certificate: Mapping[str, Any], name: str
) -> Sequence[Levels]:
    nodes = field(certificate, name, ListOf(ListOf(INTEGER, instance.m)))
    for levels in nodes:
        low, high = instance.least_levels, instance.greatest_levels
        if not all(a <= x <= b for a, x, b in zip(low, levels, high, strict=True)):
            raise CertificateError(
                f"certificate {name}: {levels} is not a node of the lattice"
            )
    return nodes


def _check_weights(
    instance: Generalization, certificate: Mapping[str, Any], bound: int
) -> None:
    scale = field(certificate, "scale", integer(1))
    weights = weights_of(certificate, instance.records.distinct)
    least, greatest = instance.least_levels, instance.greatest_levels
    limits = zip(instance.labels, least, greatest, strict=True)
    below = [labels[low:high].of() for labels, low, high in limits]
    top = classes_of_records(instance, greatest)[1]
    proved = proven_by(
        weights,
        scale,
        below,
        instance.weights,
        instance.records,
        instance.k,
        instance.most_dropped,
        top,
        price_of_levels(instance, least),
    )
    expect_bound(max(0, instance.reached(proved)), bound)


FORMS: Final[Forms] = {**TABLES, "lattice": LATTICE, "highest": object_form()}

NODE_FORM: Final = NODE_OF_PATTERNS
