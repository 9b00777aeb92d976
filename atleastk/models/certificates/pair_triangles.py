"""Multipliers of triangles: a lower bound of pair partition, for the objective ``sum``.

Let z_ij be 1 if i and j are in one group, else 0. Every solution has, for different
items,

    z_ij + z_jh - z_ih <= 1,           what j joins belongs together;
    k - 1 <= sum over j of z_ij < M,   i has k - 1 others, and no more than M - 1,

M the most items of a group: n, or what `require` says, or n - k (g - 1) if there are at
least g groups.

*Theorem.* Let p_t >= 0 for some triangles t = (i, j, h), whole m_i and D >= 1. With

    c'_ij = D c_ij - m_i - m_j + (the p_t of sides ij and jh) - (those of sides ih)

every solution costs at least

    (sum of (k - 1) m or, of m below 0, (M - 1) m, - sum of p + sum over pairs of
    (c'_ij if together, 0 if apart, else min(0, c'_ij))) / D.

*Proof.* D times the cost is that sum of c'_ij z_ij, plus m_i times (the others of i)
and less p_t times (the left side of t), which are at least what is written for them.

A check takes time in proportion to the pairs and triangles, in whole numbers of any
magnitude.

References
----------
M. Groetschel, Y. Wakabayashi, "A cutting plane algorithm for a clustering problem",
Mathematical Programming 45, 1989.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates import weights as entries
from atleastk.models.certificates.forms import TRIANGLE


def proved_by_triangles(instance: PairPartition, certificate: Mapping[str, Any]) -> int:
    """Return what every solution costs at least."""
    if instance.objective != "sum":
        raise CertificateError('certificate kind: triangles bound the objective "sum"')
    scale = entries.field(certificate, "scale", Integer(minimum=1))
    reduced, total = reduced_by(instance, certificate, scale)
    joined, divided = _pairs(instance.together), _pairs(instance.apart)
    for i, j in combinations(range(instance.n), 2):
        if (i, j) in joined:
            total += reduced[i][j]
        elif (i, j) not in divided:
            total += min(0, reduced[i][j])
    return max(instance.least_cost, -(-total // scale))


def reduced_by(
    instance: PairPartition, certificate: Mapping[str, Any], scale: int
) -> tuple[list[list[int]], int]:
    """Return c'_ij, for i < j, and the part of the bound that is constant."""
    n = instance.n
    items = entries.field(certificate, "items", ListOf(Integer(), n))
    reduced = [
        [scale * cost - items[i] - items[j] for j, cost in enumerate(row)]
        for i, row in enumerate(instance.matrix.tolist())
    ]
    fewest, most = instance.k - 1, instance.largest - 1
    total = sum(min(fewest * m, max(fewest, most) * m) for m in items)
    for i, j, h, paid in triangles_of(certificate, "triangles", n):
        for a, b, sign in ((i, j, 1), (j, h, 1), (i, h, -1)):
            reduced[min(a, b)][max(a, b)] += sign * paid
        total -= paid
    return reduced, total


def triangles_of(
    certificate: Mapping[str, Any], name: str, n: int
) -> Iterator[tuple[int, ...]]:
    """Yield three different items each, and their multiplier."""
    rows = entries.field(certificate, name, ListOf(TRIANGLE))
    for place, (i, j, h, paid) in enumerate(rows):
        if len({i, j, h}) < 3 or max(i, j, h) >= n:
            raise CertificateError(
                f"certificate {name}[{place}]: expected three different items of "
                f"0..{n - 1}, got {[i, j, h]}"
            )
        yield i, j, h, paid


def _pairs(lists: Any) -> set[tuple[int, int]]:
    """Return the pairs of items of each list."""
    return {
        (min(pair), max(pair)) for some in lists or () for pair in combinations(some, 2)
    }
