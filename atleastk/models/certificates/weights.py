"""Weak duality: integer weights of items bound the cost of every partition.

Theorem (weak duality)
----------------------
Let y_i be integers, one per item, D >= 0 a scale, and let V be the greatest value of
y(S) - D c(S) over the admissible groups S. If every partition has at least `fewest` and
at most `most` groups then every partition P satisfies

    D c(P)  =  sum y - sum over S in P of (y(S) - D c(S))
           >=  sum y - V * (most if V > 0 else fewest).

Proof: every summand is at most V, and there are between `fewest` and `most` of them.

So for D > 0 the right side over D, rounded up, bounds a **sum** of costs. For D = 0 the
left side is 0: a positive right side says that no partition exists, which refutes the
level K of a **max** problem if the groups are those of cost at most K.

A checker needs V, by an oracle, and nothing else. Rounding the weights can weaken the
bound, never break it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as made_by
from typing import Any, TypeVar

import numpy as np

from atleastk.arrays import SAFE, IntArray
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import Integer, ListOf, Row, Shape, Text
from atleastk.instances.instance import Instance
from atleastk.models.results.fields import INTEGER, parsed

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Prices:
    """Weights of items, prices of groups and of triples, in units of 1 / scale."""

    scale: int
    weights: IntArray  # [item]
    group: int = 0  # what every group pays; negative if there have to be many
    triples: IntArray = made_by(default_factory=lambda: np.zeros((0, 3), np.int64))
    of_triples: IntArray = made_by(default_factory=lambda: np.zeros(0, np.int64))


def field(document: Any, name: str, shape: Shape[T]) -> T:
    """Return a field of a certificate, or of a part of one."""
    if not isinstance(document, Mapping) or name not in document:
        raise CertificateError(f'the certificate has no field "{name}"')
    return parsed(shape, document[name], f"certificate {name}", CertificateError)


def integer(minimum: int) -> Integer:
    """Return the shape of an integer of at least `minimum`."""
    return replace(INTEGER, minimum=minimum)


def expect_safe(greatest: int) -> None:
    """Raise `NotApplicableError` if sums may leave 64 bits."""
    if greatest >= SAFE:
        raise NotApplicableError(
            "the weights are too large to re-check the certificate"
        )


def kind_of(document: Any, instance: Instance, *known: str) -> str:
    """Return the kind of a certificate, or raise an error if it is unknown."""
    kind = field(document, "kind", Text())
    if kind not in known:
        raise CertificateError(
            f"certificate kind: {kind!r} is not known for {instance.problem}"
        )
    return kind


def expect_bound(proved: int | None, bound: int | None) -> None:
    """Raise `CertificateError` if the proved bound is below the claimed one."""
    if proved is None or bound is None or proved < bound:
        raise CertificateError(
            f"the certificate proves the bound {proved}, not {bound}"
        )


def level_of(certificate: Mapping[str, Any], bound: int | None) -> int:
    """Return the level K that a certificate refutes, and the bound."""
    level = field(certificate, "level", integer(0))
    if bound is None or bound > level + 1:
        raise CertificateError(
            f"the certificate proves no more than that the cost is above {level}"
        )
    return level


def weights_of(document: Any, length: int) -> tuple[int, ...]:
    """Return the integer weights of a certificate, which has `length` of them."""
    return field(document, "weights", ListOf(INTEGER, length))


def named_weights(document: Any, entry: str, shape: Sequence[int]) -> dict[Any, int]:
    """Return the weights of named items, each named once, by their indices.

    `entry` is the form of an entry for errors: its indices, which are below `shape`,
    and the weight.
    """
    row = Row(entry, (INTEGER,) * (len(shape) + 1))
    found: dict[tuple[int, ...], int] = {}
    for *indices, weight in field(document, "weights", ListOf(row)):
        place = tuple(indices)
        inside = all(0 <= i < n for i, n in zip(place, shape, strict=True))
        if not inside or place in found:
            raise CertificateError(
                f"certificate weights: {entry} {list(place)}: not there, or twice"
            )
        found[place] = weight
    return found


def array_of_weights(
    document: Any, entry: str, shape: tuple[int, ...], most: int = 0, times: int = 1
) -> IntArray:
    """Return the weights of all items, 0 for those that are not named.

    See `named_weights`. Raise `NotApplicableError` if the sum of all weights and
    `most`, that many times, may leave 64 bits.
    """
    found = named_weights(document, entry, shape)
    expect_safe((sum(map(abs, found.values())) + most) * times)
    weights = np.zeros(shape, dtype=np.int64)
    for place, weight in found.items():
        weights[place] = weight
    return weights
