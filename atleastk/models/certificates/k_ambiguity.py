"""Certificates of k-ambiguity, checked in integers without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.
``{"kind": "columns"}``
    What every column needs at least: see ``needed_by_columns`` of the model.
``{"kind": "weights", "weights": [u per distinct record]}``
    Records are in the order of ``instance.records``; u >= 0. Record t has c_t copies
    and needs d_t = max(0, k - c_t) matches beside them. Let m be the number of columns
    that are not constant. For a set P of columns, let a class be the records that agree
    on all other columns, and let the weight of a class be

        sum over C of u_t + max(0, max over C of (d_t / c_t - 1) u_t).

*Bound 1.* If D |P| is no less than the weight of any class, for all P that are not
empty, then the cost is at least the sum of d_t u_t, divided by D.

Proof: let v_t copies of t have a suppressed cell, and let p_t suppressed rows that are
no copies of t have suppressed all columns on which they differ from t. If v_t < c_t
then a copy without suppressed cells has the matches p_t only, so p_t >= d_t. In any
case p_t + v_t d_t / c_t >= d_t. Weigh these by u_t and add them up. On the left a row s
that suppresses P has the u_t of its class without its own, and u_s d_s / c_s: at most
D |P|. All rows together have at most D times the cost.

*Bound 2.* Let h rows be suppressed in all m columns. With h >= k - 1 the cost is at
least (k - 1) m. Else all others match them, and still need d_t - h matches (none if
that is negative) by rows that keep a column: the cost is at least h m, and the
first bound of these needs, where P is not the set of all columns, and where h rows drop
out, at worst those of the greatest (d_t - h) u_t / c_t. The least of these sums over h
is a bound, too.

``{"kind": "blocks", "blocks": [{"columns": [...], "weights": [u, ...]}, ...]}``
    Of wide tables: weights of the distinct records of some columns each, no column
    twice. The bound is the sum of what the weights prove of these tables.

    Proof: records that match do so in every column. So what a solution suppresses in
    some columns is a solution of the table of these columns, and costs as much as that
    at least.
``{"kind": "tree", "tree": node}``
    Where these leave a gap: :mod:`~atleastk.models.certificates.pattern_trees`.

The weights prove the greater one, with the least D for each. Classes are found by
grouping the records of positive weight for every set of columns: time O(2^m W log W)
for W of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, Final

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import AnyObject, ListOf
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.closed_classes import nodes
from atleastk.models.certificates.count import kind_of_bound
from atleastk.models.certificates.forms import (
    COLUMNS,
    NODE,
    NODE_OF_PATTERNS,
    Forms,
    lists_of,
    object_form,
)
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.certificates.pattern_trees import check_tree
from atleastk.models.certificates.weights import (
    expect_bound,
    expect_safe,
    field,
    integer,
    weights_of,
)
from atleastk.models.k_ambiguity import needed_by_columns, needs, useful_columns

_MOST_WORK: Final = 250_000_000
"""The most sets of columns times weighted records: half a minute."""

_MOST_WORK_OF_BLOCKS: Final = 400_000_000
"""The same of all blocks together."""

_RECORDS_OF_A_SET: Final = 400
"""Work of a set of columns itself, in records: allows no more than 2^19 sets."""

_RECORDS_OF_A_MATCH: Final = 60
"""Work of every number of rows that match everything, in records per set."""


def check_certificate(
    instance: KAmbiguity, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of_bound(
        certificate, instance, bound, "columns", "weights", "blocks", "tree"
    )
    if bound is None:
        return
    if kind == "tree":
        check_tree(pattern_problem(instance), certificate, bound)
        return
    if kind == "columns":
        expect_bound(needed_by_columns(instance), bound)
        return
    if kind == "blocks":
        proved = sum(_of_blocks(instance, certificate))
    else:
        proved = _of_weights(instance, certificate)
    expect_bound(proved, bound)


def part_of(instance: KAmbiguity, columns: Sequence[int]) -> KAmbiguity:
    """Return the table of some columns."""
    table = [[row[j] for j in columns] for row in instance.table]
    return KAmbiguity(table, instance.k)


def _of_blocks(instance: KAmbiguity, certificate: Mapping[str, Any]) -> Iterator[int]:
    """Yield the lower bounds by the weights of every block of columns."""
    left, work = set(range(instance.m)), 0
    for block in field(certificate, "blocks", ListOf(AnyObject())):
        columns = field(block, "columns", ListOf(integer(0)))
        twice = len(set(columns)) < len(columns)
        if not columns or twice or not left.issuperset(columns):
            raise CertificateError(
                "certificate blocks: none, twice, or no column of the table"
            )
        left.difference_update(columns)
        part = part_of(instance, columns)
        work += _work(part, len(field(block, "weights", ListOf(integer(0)))))
        if work > _MOST_WORK_OF_BLOCKS:
            raise NotApplicableError(
                "the blocks have too many sets of columns to re-check"
            )
        yield _of_weights(part, block)


def _of_weights(instance: KAmbiguity, certificate: Mapping[str, Any]) -> int:
    """Return the lower bound that weights prove."""
    weights = weights_of(certificate, instance.records.distinct)
    if min(weights, default=0) < 0:
        raise CertificateError("certificate weights: expected integers of at least 0")
    expect_safe(sum(weights) * (instance.n + instance.k))
    return proven(instance, np.array(weights, dtype=np.int64))


def pattern_problem(instance: KAmbiguity) -> PatternProblem:
    """Return k-ambiguity as assignments of rows to patterns that have to match."""
    useful = set(useful_columns(instance).tolist())
    intact = [j for j in range(instance.m) if j not in useful]
    table = Suppression(
        instance.table, instance.k, columns=instance.columns, intact=intact
    )
    return PatternProblem(table, matches=instance.k)


def classes(codes: Int32Array) -> Iterator[tuple[int, IntArray]]:
    """Yield every set of columns, as bits, with the class of every record.

    Records of a class agree on the columns outside of the set. Classes are
    numbered from 0. The set of all columns comes first.
    """
    labels = [column[None] for column in codes.T]
    for levels, class_of in nodes(labels, len(codes)):
        yield sum(hidden << j for j, hidden in enumerate(levels)), class_of


def proven(instance: KAmbiguity, weights: IntArray) -> int:
    """Return the bound that weights prove, in exact integers.

    Raise `NotApplicableError` if that would take too long.
    """
    records, k = instance.records, instance.k
    positive = weights.nonzero()[0]
    if not len(positive) or k == 1 or not needs(instance).any():
        return 0
    columns = useful_columns(instance)
    m = len(columns)
    if _work(instance, len(positive)) > _MOST_WORK:
        raise NotApplicableError(
            f"{len(positive)} weights over {m} columns are too many to re-check"
        )
    weighed, copies = weights[positive], records.copies[positive]
    lacking = [np.maximum(0, needs(instance)[positive] - h) for h in range(k - 1)]
    own = [-(-np.maximum(0, d - copies) * weighed // copies) for d in lacking]
    scales = [Fraction(0)] * (k - 1)
    full = Fraction(0)
    for hidden, named in classes(records.codes[positive][:, columns]):
        stars = hidden.bit_count()
        if not stars:
            continue
        total = np.zeros(int(named.max()) + 1, dtype=np.int64)
        np.add.at(total, named, weighed)
        if stars == m:
            full = Fraction(int(total[0] + own[0].max()), m)
        if stars < m or m == 1:
            for h in range(k - 1):
                most = np.zeros(len(total), dtype=np.int64)
                np.maximum.at(most, named, own[h])
                heaviest = Fraction(int((total + most).max()), stars)
                scales[h] = max(scales[h], heaviest)
    least = (k - 1) * m
    for h, (scale, lacked) in enumerate(zip(scales, lacking, strict=True)):
        left = int((lacked * weighed).sum()) - _dropped(lacked * weighed, copies, h)
        least = min(least, h * m + max(0, ceil(left / scale)))
    plain = ceil(int((lacking[0] * weighed).sum()) / max(full, scales[0]))
    return max(least, plain)


def _work(instance: KAmbiguity, weighed: int) -> int:
    """Return the work of this many weights: sets of columns times records."""
    m = len(useful_columns(instance))
    of_matches = (instance.k - 1) * (_RECORDS_OF_A_MATCH + weighed // 10)
    return (_RECORDS_OF_A_SET + weighed + of_matches) << m


def _dropped(values: IntArray, copies: IntArray, rows: int) -> int:
    """Return the greatest reduction by `rows` rows, each a share of its record."""
    shares = -(-values // copies)
    order = np.argsort(-shares, kind="stable")
    before = np.cumsum(copies[order]) - copies[order]
    taken = np.clip(rows - before, 0, copies[order])
    return int((taken * shares[order]).sum())


def certificate_of(weights: IntArray) -> Mapping[str, Any]:
    """Return the certificate of these weights."""
    return {"kind": "weights", "weights": weights.tolist()}


FORMS: Final[Forms] = {
    "count": object_form(),
    "columns": object_form(),
    "weights": object_form(weights=COLUMNS),
    "blocks": object_form(
        blocks=lists_of(object_form(columns=COLUMNS, weights=COLUMNS))
    ),
    "tree": object_form(tree=NODE),
}

NODE_FORM: Final = NODE_OF_PATTERNS
