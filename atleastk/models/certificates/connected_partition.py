"""Certificates of connected partition, checked in integers without any solver.

Components of the graph are independent: a bound on one of them is a bound on all.

``{"kind": "count"}``
    A component weighs less than k: infeasible. Or the bound follows by counting.
``{"kind": "parts", "component": c, "level": K, "refuted": [...]}``
    The component whose first node is c has no partition into parts of at most K, so the
    cost is at least K + 1. For every possible number p of parts, there is one of

    ``{"parts": p, "weights": [[node, y], ...], "most": Y}``

    Integers y, 0 for the nodes that are not named, and Y such that y(S) <= Y for every
    admissible part S (:mod:`atleastk.models.admissible.connected_partition`). If
    sum y > p Y, then there are no p such parts.

    ``{"parts": p, "tree": node}``

    Ryan-Foster branching on pairs of nodes
    (:mod:`atleastk.models.certificates.pair_trees`). Its leaves are weights as above,
    and y(S) <= Y has to hold for the parts under the decisions above them only.

Proof: the p parts of a partition would have at most Y of the sum each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.fields.shapes import AnyObject, ListOf
from atleastk.models.admissible.connected_partition import AdmissibleParts, Steps
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.forms import (
    ANY_NODE,
    NODE_OF_MAPS,
    Forms,
    by_field,
    lists_of,
    object_form,
)
from atleastk.models.certificates.pair_trees import leaves_of
from atleastk.models.certificates.weights import (
    expect_bound,
    field,
    integer,
    kind_of,
    named_weights,
)
from atleastk.models.connected_partition import components, counting_bound
from atleastk.models.results.fields import INTEGER, PAIR
from atleastk.models.windows import Window, windows

Certificate = Mapping[str, Any]

COUNT: Certificate = {"kind": "count"}


def check_certificate(
    instance: ConnectedPartition, certificate: Certificate, bound: int | None
) -> None:
    """Check that a certificate proves a bound; see the package."""
    kind = kind_of(certificate, instance, *FORMS)
    proved = counted(instance)
    if (proved is None) != (bound is None):
        raise CertificateError(
            "nothing is feasible exactly if a component weighs less than k"
        )
    if kind == "parts" and bound is not None:
        proved = _refuted(instance, certificate) + 1
    elif kind != "count":
        raise CertificateError(
            f"certificate kind: {kind!r} does not prove the bound {bound}"
        )
    if bound is not None:
        expect_bound(proved, bound)


def counted(instance: ConnectedPartition) -> int | None:
    """Return the bound that counting proves; None if nothing is feasible."""
    bound = 0
    for nodes in components(instance):
        weights = [instance.weights[node] for node in nodes]
        if sum(weights) < instance.k:
            return None
        bound = max(bound, counting_bound(weights, instance.k))
    return bound


def open_windows(weights: Sequence[int], k: int, level: int) -> list[Window]:
    """Return the windows of a component that are possible, most parts first.

    Every part has a node of positive weight, which bounds the number of parts.
    """
    if max(weights) > level:
        return []
    most = sum(weight > 0 for weight in weights)
    return list(windows(sum(weights), k, level, most))


def _refuted(instance: ConnectedPartition, certificate: Certificate) -> int:
    """Return the level that a certificate refutes."""
    level = field(certificate, "level", integer(0))
    first = field(certificate, "component", integer(0))
    nodes = next((c for c in components(instance) if c[0] == first), None)
    if nodes is None:
        raise CertificateError(
            f"certificate component: {first} is not the first node of one"
        )
    weights = [instance.weights[node] for node in nodes]
    place = {node: i for i, node in enumerate(nodes)}
    neighbours = [[place[v] for v in instance.neighbours[node]] for node in nodes]
    claims = _claims(certificate)
    left = {window.parts: window for window in open_windows(weights, instance.k, level)}
    if left.keys() != claims.keys():
        raise CertificateError(
            f"the certificate must refute {sorted(left)} parts of at most {level}, not "
            f"{sorted(claims)}"
        )
    steps = Steps()
    for parts, claim in claims.items():
        for leaf, decided in _leaves(claim, nodes, instance.n):
            named = named_weights(leaf, "[node, weight]", (instance.n,))
            values = [named.pop((node,), 0) for node in nodes]
            if named:
                raise CertificateError(
                    f"certificate weights: of nodes outside component {first}"
                )
            most = field(leaf, "most", INTEGER)
            window = left[parts]
            admissible = AdmissibleParts.of(neighbours, weights, window, decided)
            exceeded = sum(values) <= parts * most
            if exceeded or admissible.most_valuable(values, most, steps) is not None:
                raise CertificateError(
                    f"the weights do not refute {parts} parts of at most {level}"
                )
    return level


def _leaves(
    claim: Certificate, nodes: Sequence[int], n: int
) -> Iterator[tuple[Certificate, Decided | None]]:
    """Yield the leaves of a claim, and the decisions on the nodes of a component."""
    if "tree" not in claim:
        yield claim, None
        return
    for leaf, decided in leaves_of(claim, n):
        yield leaf, decided.only(nodes)


def _claims(certificate: Certificate) -> dict[int, Any]:
    claims: dict[int, Any] = {}
    for claim in field(certificate, "refuted", ListOf(AnyObject())):
        parts = field(claim, "parts", integer(1))
        if parts in claims:
            raise CertificateError(
                f"certificate refuted: {parts} parts are there twice"
            )
        claims[parts] = claim
    return claims


FORMS: Final[Forms] = {
    "count": object_form(),
    "parts": object_form(
        component=integer(0),
        level=integer(0),
        refuted=lists_of(
            by_field(
                tree=object_form(parts=integer(1), tree=ANY_NODE),
                parts=object_form(parts=integer(1), weights=ListOf(PAIR), most=INTEGER),
            )
        ),
    ),
}

NODE_FORM: Final = NODE_OF_MAPS
