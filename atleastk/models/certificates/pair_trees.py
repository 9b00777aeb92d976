"""Trees of Ryan-Foster branching on pairs of items.

``{"pair": [a, b], "together": node, "apart": node}``
    Items a and b are in one group, or no group has both.
``{"point": p, "outlier": node, "clustered": node}``
    Point p is an outlier, or it is in a cluster. Only where there may be outliers.
``{"weights": ..., ...}``
    A leaf, by a field that only leaves have. Each problem has its own.

Decisions imply others (:mod:`~atleastk.models.admissible.decided`): together is an
equivalence, and an item apart from another one is apart from all that are together with
that. Items that are together are in a group. Every solution satisfies the decisions
above one of the leaves; so if all leaves are refuted, there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.fields.shapes import AnyObject, Row
from atleastk.models.admissible.decided import Decided
from atleastk.models.certificates.weights import field, integer
from atleastk.models.in_time import look_up
from atleastk.models.results.fields import INTEGER

_PAIR: Final = Row("[item, item]", (integer(0), integer(0)))


def leaves_of(
    certificate: Mapping[str, Any],
    n: int,
    leaf: str = "weights",
    *,
    outliers: bool = False,
) -> Iterator[tuple[Mapping[str, Any], Decided]]:
    """Yield the leaves of a certificate with a tree, and the decisions above each.

    Of n items, which may be outliers if `outliers`; `leaf` is a field of leaves alone.
    """
    open_nodes = [(field(certificate, "tree", AnyObject()), Decided.nothing(n))]
    while open_nodes:
        look_up()
        document, decided = open_nodes.pop()
        if leaf in document:
            yield document, decided
            continue
        if "point" in document and outliers:
            names, point = ("outlier", "clustered"), field(document, "point", INTEGER)
            _expect_items((point,), n)
            sides = decided.by_point(point)
        else:
            names, pair = ("together", "apart"), field(document, "pair", _PAIR)
            _expect_items(pair, n)
            sides = decided.by_pair(*pair)
        for name, side in zip(names, sides, strict=True):
            open_nodes.append((field(document, name, AnyObject()), side))


def _expect_items(items: tuple[int, ...], n: int) -> None:
    if len(set(items)) < len(items) or not all(0 <= i < n for i in items):
        wanted = f"different items of 0..{n - 1}"
        raise CertificateError(f"certificate tree: expected {wanted}, got {items}")
