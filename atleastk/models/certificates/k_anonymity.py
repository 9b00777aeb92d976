"""Certificates of k-anonymity, checked in integers without any solver.

``{"kind": "count"}``
    There are rows, but fewer than k: infeasible.
``{"kind": "weights", "scale": D, "weights": [u per distinct record]}``
    Records are in the order of ``instance.records``. Let V_p be the greatest sum over S
    of (u_t - D c_p), over the sets S of at least k rows that match pattern p, where c_p
    is the number of its stars. Every solution costs at least (sum of all u - sum over p
    of max(0, V_p)) / D, where the sums go over all rows and over all closed patterns of
    support at least k: :mod:`~atleastk.models.certificates.closed_classes`.

``{"kind": "tree", "tree": node}``
    Where weights leave a gap: :mod:`~atleastk.models.certificates.pattern_trees`.

For wide tables the patterns are listed one by one, as for a tree of one leaf.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.closed_classes import proven_by
from atleastk.models.certificates.count import kind_of_bound
from atleastk.models.certificates.forms import NODE_OF_PATTERNS, TABLES, Forms
from atleastk.models.certificates.pattern_pairs import PatternProblem
from atleastk.models.certificates.pattern_trees import check_tree
from atleastk.models.certificates.weights import (
    expect_bound,
    field,
    integer,
    weights_of,
)

_MOST_COLUMNS: Final = 16
"""The most columns: all their subsets are tried."""

_MOST_WORK: Final = 200_000_000
"""Sets of columns times distinct records: half a minute."""


def check_certificate(
    instance: KAnonymity, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of_bound(certificate, instance, bound, *FORMS)
    if bound is None:
        return
    if kind == "tree":
        check_tree(pattern_problem(instance), certificate, bound)
        return
    scale = field(certificate, "scale", integer(1))
    weights = weights_of(certificate, instance.records.distinct)
    records = instance.records
    if is_checkable(records):
        labels = [column[None] for column in records.codes.T]
        prices = [1] * instance.m
        proved = proven_by(weights, scale, labels, prices, records, instance.k)
        expect_bound(max(0, proved), bound)
    else:
        leaf = {"weights": weights, "entries": scale}
        check_tree(pattern_problem(instance), {"tree": leaf}, bound)


def pattern_problem(instance: KAnonymity) -> PatternProblem:
    """Return k-anonymity as assignments of rows to patterns."""
    table = Suppression(instance.table, instance.k)
    return PatternProblem(table, copies=instance.given)


def is_checkable(records: Records) -> bool:
    """Tell whether all sets of columns can be looked at in reasonable time."""
    return records.m <= _MOST_COLUMNS and records.distinct << records.m <= _MOST_WORK


FORMS: Final[Forms] = TABLES

NODE_FORM: Final = NODE_OF_PATTERNS
