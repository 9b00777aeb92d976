"""Integer weights: the certificate that all problems share.

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

The reader of a certificate needs the oracle of :class:`~atleastk.models.groups.
GroupModel` and nothing else. Rounding the weights can weaken the bound, never break it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atleastk.instances.errors import CertificateError
from atleastk.instances.shapes import UNPRINTABLE
from atleastk.models.groups import GroupModel

__all__ = [
    "field",
    "integer",
    "integers",
    "kind_of",
    "proven",
    "proven_cost",
    "value_of",
]


def value_of(
    kinds: Sequence[int], cost: int, weights: Sequence[int], scale: int
) -> int:
    """Return y(S) - D c(S) of a group."""
    return sum(weights[kind] for kind in kinds) - scale * cost


def proven(groups: GroupModel, weights: Sequence[int], greatest: int) -> int:
    """Return what D times the cost of every partition is at least.

    `greatest` is V, the greatest value of a group at scale D.
    """
    total = sum(d * y for d, y in zip(groups.demand, weights, strict=True))
    count = groups.parts.most if greatest > 0 else groups.parts.fewest
    return total - greatest * count


def proven_cost(groups: GroupModel, weights: Sequence[int], scale: int) -> int | None:
    """Return the bound that weights prove, or None if they refute every partition.

    With `scale` 0 the bound is 0 unless they refute.
    """
    best = groups.best_group(weights, scale)
    fewest, most = groups.parts
    if best is None or fewest > most:
        return None
    greatest = value_of(best.items, best.cost, weights, scale)
    least = proven(groups, weights, greatest)
    if scale:
        return -(-least // scale)
    return None if least > 0 else 0


def field(document: Any, name: str) -> Any:
    """Return a field of a certificate."""
    if not isinstance(document, Mapping) or name not in document:
        message = f'the certificate has no field "{name}"'
        raise CertificateError(message)
    return document[name]


def kind_of(document: Any) -> str:
    """Return the kind of a certificate."""
    kind = field(document, "kind")
    if not isinstance(kind, str):
        message = "certificate kind: expected a text"
        raise CertificateError(message)
    return kind


def integer(value: Any, name: str, minimum: int) -> int:
    """Return an integer of a certificate."""
    if not _is_integer(value) or value < minimum:
        message = f"certificate {name}: expected an integer of at least {minimum}"
        raise CertificateError(message)
    return int(value)


def integers(value: Any, name: str, length: int | None = None) -> tuple[int, ...]:
    """Return a list of integers of a certificate, of so many if it says how many."""
    plain = isinstance(value, list | tuple) and all(map(_is_integer, value))
    if not plain or len(value) != (len(value) if length is None else length):
        wanted = "integers" if length is None else f"{length} integers"
        message = f"certificate {name}: expected a list of {wanted}"
        raise CertificateError(message)
    return tuple(value)


def _is_integer(value: Any) -> bool:
    """Tell whether a value is a plain integer that can be printed."""
    return type(value) is int and abs(value) < UNPRINTABLE
