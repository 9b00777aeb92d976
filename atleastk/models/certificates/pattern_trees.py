"""Branch-and-bound trees that refute all assignments of rows to patterns, in integers.

A bound B of the cost of a table is proved, and so is that nothing is feasible, if no
assignment keeps the limits, B - 1 among them (:mod:`~atleastk.models.certificates.
pattern_pairs`). Inner nodes divide the assignments into those with and without a
property:

``{"kind": t, "keeps": [columns], "at_most": q, "yes": node, "no": node}``
    At most q copies of t have patterns that keep all of these columns.
``{"stars": [columns], "at_most": q, "yes": node, "no": node}``
    At most q rows have patterns with stars on all of these columns.
``{"kind": t, "pattern": [columns], "yes": node, "no": node}``
    The pattern that keeps the values of t in exactly these columns is in use.
``{"column": j, "yes": node, "no": node}``
    Column j belongs to the region. Only where columns are limited.
``{"class": c, "at_most": q, "yes": node, "no": node}``
    No row of the classes 0, ..., c of importance has more than q stars. If one has, all
    rows of the later classes have more, too.

A leaf is refuted by counting (``null``: more columns belong to the region than may), or
by weights (:mod:`~atleastk.models.certificates.pattern_weights`).

Time: O(m) sorts of the rows that match for every pattern, once, and that of the leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import AnyObject, Nullable
from atleastk.models.certificates.pattern_pairs import (
    CountSplit,
    Node,
    PatternPairs,
    PatternProblem,
)
from atleastk.models.certificates.pattern_weights import (
    AT_LEAST_0,
    Leaf,
    columns_field,
    index_field,
    is_refuted,
    work_of,
)
from atleastk.models.certificates.weights import field
from atleastk.models.in_time import look_up

_MOST_WORK: Final = 400_000_000
"""Steps for all leaves of a tree, as `work_of` counts them: half a minute."""


def question_of(problem: PatternProblem, bound: int | None) -> PatternProblem | None:
    """Return the problem that has no solution if the bound holds; None if trivial.

    The bound None stands for infeasible.
    """
    instance = problem.table
    if bound is not None and bound <= instance.least_cost:
        return None
    cost, k, limits = instance.minimise, instance.k, dict(instance.binding)
    if cost == "k":
        k = k if bound is None else max(k, 1 - bound)
    elif bound is None and cost in instance.region:  # it keeps its place there
        limits.setdefault(cost, instance.n if cost == "rows" else instance.m)
    elif bound is not None and cost != "none":
        limits[cost] = min(limits.get(cost, bound - 1), bound - 1)
    table = replace(instance, minimise="none", limits=limits, k=k)
    return replace(problem, table=table)


def check_tree(
    problem: PatternProblem, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a tree refutes all assignments that would disprove a bound."""
    question = question_of(problem, bound)
    tree = field(certificate, "tree", Nullable(AnyObject()))
    if question is None:
        return
    pairs, work = PatternPairs.of(question), 0
    open_nodes = [(tree, pairs.root)]
    while open_nodes:
        look_up()
        document, node = open_nodes.pop()
        if document is None:
            if not pairs.overfull(node):
                raise CertificateError("the certificate leaves a node open")
        elif "yes" in document:
            for name, side in zip(
                ("yes", "no"), sides_of(document, pairs, node), strict=True
            ):
                below = field(document, name, Nullable(AnyObject()))
                open_nodes.append((below, side))
        else:
            leaf = Leaf.parsed(document, pairs, len(node.counts))
            work += work_of(pairs, node, leaf)
            if work > _MOST_WORK:
                raise NotApplicableError(
                    f"too much work: {work:,} steps with these leaves and patterns, "
                    f"more than {_MOST_WORK:,}"
                )
            if not is_refuted(pairs, node, leaf):
                raise CertificateError("the weights of a leaf do not refute it")


def sides_of(
    document: Mapping[str, Any], pairs: PatternPairs, node: Node
) -> tuple[Node, Node]:
    """Return the sides ``yes`` and ``no`` of an inner node."""
    if "column" in document:
        column = index_field(document, "column", pairs.table.m)
        if "columns" not in pairs.table.region:
            raise CertificateError(
                "certificate column: no columns are limited, so none are divided"
            )
        if (node.inside | node.outside) >> column & 1:
            raise CertificateError(f"certificate column: {column} is decided already")
        return node.by_region(column)
    if "class" in document:
        c = index_field(document, "class", pairs.boundaries)
        return node.by_threshold(c, field(document, "at_most", AT_LEAST_0))
    if "stars" in document:
        columns = columns_field(document, "stars", pairs.table.m)
        most = index_field(document, "at_most", pairs.problem.rows)
        return node.by_count(CountSplit(None, columns, most))
    kind = index_field(document, "kind", len(pairs.copies))
    if "pattern" in document:
        number = pairs.number_of(
            kind, columns_field(document, "pattern", pairs.table.m)
        )
        if number is None:
            raise CertificateError("certificate pattern: not one of the patterns")
        return node.by_use(number)
    columns = columns_field(document, "keeps", pairs.table.m)
    most = index_field(document, "at_most", int(pairs.copies[kind]))
    return node.by_count(CountSplit(kind, columns, most))
