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

``{"kind": "rows", "lists": [{"from": h, "weights": [u per distinct record]}, ...]}``
    Bound 2 with weights of its own for every h: those of a list hold from its h on, the
    first of which is 0, until the next list. The proof takes every h by itself.
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
from itertools import pairwise
from math import ceil
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import AnyObject, ListOf
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.closed_classes import nodes, worth_of_dropped
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
    kind = kind_of_bound(certificate, instance, bound, *FORMS)
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
    elif kind == "rows":
        proved = proven_by_lists(instance, _lists(instance, certificate))
    else:
        proved = proven(instance, _weights(instance, certificate))
    expect_bound(proved, bound)


def part_of(instance: KAmbiguity, columns: Sequence[int]) -> KAmbiguity:
    """Return the table of some columns."""
    records = instance.records
    codes = np.ascontiguousarray(records.codes[records.home][:, columns])
    part = Records.coded(codes, instance.given)
    rows = np.sort(part.firsts)
    copies = part.copies[part.home[rows]].tolist()
    return KAmbiguity(CodedTable(codes[rows]), instance.k, copies=copies)


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
        yield proven(part, _weights(part, block))


def _lists(instance: KAmbiguity, certificate: Mapping[str, Any]) -> list[WeightsFrom]:
    """Return the weights for numbers of rows that match everything."""
    lists = [
        WeightsFrom(field(each, "from", integer(0)), _weights(instance, each))
        for each in field(certificate, "lists", ListOf(AnyObject()))
    ]
    starts = [each.rows for each in lists]
    if starts[:1] != [0] or any(a >= b for a, b in pairwise(starts)):
        raise CertificateError("certificate lists: expected ascending from, 0 first")
    return lists


def _weights(instance: KAmbiguity, certificate: Mapping[str, Any]) -> IntArray:
    """Return the weights that a certificate holds."""
    weights = weights_of(certificate, instance.records.distinct)
    if min(weights, default=0) < 0:
        raise CertificateError("certificate weights: expected integers of at least 0")
    expect_safe(sum(weights) * (instance.n + instance.k))
    return np.array(weights, dtype=np.int64)


def pattern_problem(instance: KAmbiguity) -> PatternProblem:
    """Return k-ambiguity as assignments of rows to patterns that have to match."""
    useful = set(useful_columns(instance).tolist())
    intact = [j for j in range(instance.m) if j not in useful]
    table = Suppression(
        instance.table, instance.k, columns=instance.columns, intact=intact
    )
    return PatternProblem(table, matches=instance.k, copies=instance.given)


def classes(codes: Int32Array) -> Iterator[tuple[int, IntArray]]:
    """Yield every set of columns, as bits, with the class of every record.

    Records of a class agree on the columns outside of the set. Classes are
    numbered from 0. The set of all columns comes first.
    """
    labels = [column[None] for column in codes.T]
    for levels, class_of in nodes(labels, len(codes)):
        yield sum(hidden << j for j, hidden in enumerate(levels)), class_of


class WeightsFrom(NamedTuple):
    """Weights of all distinct records, from a number of rows that match everything."""

    rows: int
    weights: IntArray


def proven(instance: KAmbiguity, weights: IntArray) -> int:
    """Return the bound that weights prove, in exact integers."""
    positive = weights.nonzero()[0]
    if not len(positive) or instance.k == 1 or not needs(instance).any():
        return 0
    _expect_work(instance, _work(instance, len(positive)))
    m = len(useful_columns(instance))
    least, scale = (instance.k - 1) * m, Fraction(0)
    for h, (bound, divisor) in enumerate(
        _beside(instance, weights, range(instance.k - 1))
    ):
        least = min(least, bound)
        scale = divisor if h == 0 else scale
    weighed, lacking = weights[positive], needs(instance)[positive]
    own = _own(lacking, weighed, instance.records.copies[positive])
    full = Fraction(int(weighed.sum() + own.max()), m)
    return max(least, ceil(int((lacking * weighed).sum()) / max(full, scale)))


def proven_by_lists(instance: KAmbiguity, lists: Sequence[WeightsFrom]) -> int:
    """Return the bound that these weights prove, from 0 rows on, in exact integers."""
    ends = [*(each.rows for each in lists[1:]), instance.k - 1]
    pairs = [
        (each.weights, range(each.rows, min(end, instance.k - 1)))
        for each, end in zip(lists, ends, strict=True)
    ]
    work = (
        _work(instance, int(np.count_nonzero(weights)), len(numbers))
        for weights, numbers in pairs
    )
    _expect_work(instance, sum(work))
    least = (instance.k - 1) * len(useful_columns(instance))
    for weights, numbers in pairs:
        least = min([least, *proven_beside(instance, weights, numbers)])
    return least


def proven_beside(instance: KAmbiguity, weights: IntArray, numbers: range) -> list[int]:
    """Return what weights prove where so many rows match everything, in turn."""
    if not weights.any():
        m = len(useful_columns(instance))
        return [h * m for h in numbers]
    return [bound for bound, _ in _beside(instance, weights, numbers)]


def _beside(
    instance: KAmbiguity, weights: IntArray, numbers: range
) -> Iterator[tuple[int, Fraction]]:
    """Yield what weights, not all 0, prove beside so many rows that match all.

    And with which divisor.
    """
    positive = weights.nonzero()[0]
    columns = useful_columns(instance)
    m = len(columns)
    weighed, copies = weights[positive], instance.records.copies[positive]
    lacking = [np.maximum(0, needs(instance)[positive] - h) for h in numbers]
    own = [_own(each, weighed, copies) for each in lacking]
    scales = [Fraction(0)] * len(numbers)
    for hidden, named in classes(instance.records.codes[positive][:, columns]):
        stars = hidden.bit_count()
        if not stars or (stars == m and m > 1):
            continue
        total = np.zeros(int(named.max()) + 1, dtype=np.int64)
        np.add.at(total, named, weighed)
        for i, more in enumerate(own):
            most = np.zeros(len(total), dtype=np.int64)
            np.maximum.at(most, named, more)
            heaviest = Fraction(int((total + most).max()), stars)
            scales[i] = max(scales[i], heaviest)
    for h, scale, lacked in zip(numbers, scales, lacking, strict=True):
        values = lacked * weighed
        left = int(values.sum()) - worth_of_dropped(-(-values // copies), copies, h)
        yield h * m + max(0, ceil(left / scale) if scale else 0), scale


def _own(lacking: IntArray, weighed: IntArray, copies: IntArray) -> IntArray:
    """Return by how much more a record weighs that is suppressed itself."""
    more: IntArray = -(-np.maximum(0, lacking - copies) * weighed // copies)
    return more


def _work(instance: KAmbiguity, weighed: int, numbers: int | None = None) -> int:
    """Return the work of this many weights: sets of columns times records."""
    m = len(useful_columns(instance))
    numbers = instance.k - 1 if numbers is None else numbers
    of_matches = numbers * (_RECORDS_OF_A_MATCH + weighed // 10)
    return (_RECORDS_OF_A_SET + weighed + of_matches) << m


def _expect_work(instance: KAmbiguity, work: int) -> None:
    """Raise `NotApplicableError` if it is too much."""
    if work > _MOST_WORK:
        m = len(useful_columns(instance))
        raise NotApplicableError(
            f"so many weights over {m} columns are too many to re-check"
        )


def certificate_of(weights: IntArray) -> Mapping[str, Any]:
    """Return the certificate of these weights."""
    return {"kind": "weights", "weights": weights.tolist()}


def certificate_of_lists(lists: Sequence[WeightsFrom]) -> Mapping[str, Any]:
    """Return the certificate of weights for numbers of rows that match everything."""
    held = [{"from": each.rows, "weights": each.weights.tolist()} for each in lists]
    return {"kind": "rows", "lists": held}


FORMS: Final[Forms] = {
    "count": object_form(),
    "columns": object_form(),
    "weights": object_form(weights=COLUMNS),
    "rows": object_form(
        lists=lists_of(object_form(**{"from": integer(0)}, weights=COLUMNS))
    ),
    "blocks": object_form(
        blocks=lists_of(object_form(columns=COLUMNS, weights=COLUMNS))
    ),
    "tree": object_form(tree=NODE),
}

NODE_FORM: Final = NODE_OF_PATTERNS
