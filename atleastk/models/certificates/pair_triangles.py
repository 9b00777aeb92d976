"""Multipliers of triangles, and vectors: a lower bound of pair partition.

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

*Vectors*, whole numbers v_i for every item, may be there as well. Let there be P groups
at most, and let T be the sum of v, T_g that of a group. By Cauchy and Schwarz the sum
of T_g^2 is at least T^2 / P. So

    2 (sum of v_i v_j z_ij over pairs i < j)  >=  T^2 / P - (sum of v_i^2).

Take v_i v_j from every c'_ij, for each vector, and add half of that right side. Many
vectors are the factors of a matrix that has no negative eigenvalue, by their form: this
is the dual of the semidefinite relaxation of partitions into P groups
[KarischRendl98].

*For squares* let z_ij be 1 over the size of a group, z_ii as well. Some best solution
has groups of k to K items (`most_size`), and there, for different items,

    z_ij + z_jh - z_ih <= z_jj,     sum over j of z_ij = 1,     2 (sum of v_i v_j z_ij
    over pairs) + sum of v_i^2 z_ii >= T^2 / n,     1 / K <= z_ii <= 1 / k.

Rounding P(S) / |S| down takes at most 1 - 1 / |S|: less than the sum of z_ii over S. So
every solution costs at least the sum, over D, of m_i, T^2 / (2 n), min(0, c'_ij) / k,
and of c'_ii / K or, below 0, c'_ii / k, with

    c'_ii = - D - m_i - (the p_t of t = (h, i, j)) - (sum of v_i^2) / 2.

*Proof.* By Cauchy and Schwarz: the sum of T_g^2 / |S_g| is at least T^2 / n.

A check takes time in proportion to the triangles, and the pairs for each vector, in
whole numbers of any magnitude.

References
----------
M. Groetschel, Y. Wakabayashi, "A cutting plane algorithm for a clustering problem",
Mathematical Programming 45, 1989.
[KarischRendl98] S. E. Karisch, F. Rendl, "Semidefinite programming and graph
equipartition", Topics in Semidefinite and Interior-Point Methods, 1998.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import ceil
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates import weights as entries
from atleastk.models.certificates.forms import TRIANGLE


def proved_by_triangles(instance: PairPartition, certificate: Mapping[str, Any]) -> int:
    """Return what every solution costs at least, or for squares some best one."""
    n = instance.n
    scale: int = entries.field(certificate, "scale", Integer(minimum=1))
    reduced, total = reduced_by(instance, certificate, scale)
    left = np.array(reduced, dtype=object).reshape(n, n)
    vectors: Sequence[Sequence[int]] = ()
    if "vectors" in certificate:
        vectors = entries.field(certificate, "vectors", ListOf(ListOf(Integer(), n)))
    products = products_of(vectors, n)
    left -= products
    paid = np.minimum(left, 0)
    for i, j in _pairs(instance.together) if instance.objective == "sum" else ():
        paid[i, j] = left[i, j]
    for i, j in _pairs(instance.apart):
        paid[i, j] = 0
    of_pairs = int(paid[np.triu_indices(n, 1)].sum())
    sums = sum(sum(vector) ** 2 for vector in vectors)
    if instance.objective == "sum":
        squares: int = sum(products.diagonal().tolist())  # of any magnitude
        half = Fraction(sums, max(1, instance.counts.stop - 1)) - squares
        proved = total + of_pairs + half / 2
    else:
        proved = Fraction(of_pairs, instance.k) + Fraction(sums, 2 * max(1, n))
        own = [-scale] * n
        for _, j, _, multiplier in triangles_of(certificate, "triangles", n):
            own[j] -= multiplier
        for i, multiplier in enumerate(certificate["items"]):
            proved += multiplier
            double = 2 * (own[i] - multiplier) - int(products[i, i])
            size = max(instance.k, instance.most_size) if double > 0 else instance.k
            proved += Fraction(double, 2 * size)
    return max(instance.least_cost, ceil(proved / scale))


_MOST_PRODUCT: Final = 2**62
"""What sums of products are held in 64 bits below."""


def products_of(vectors: Sequence[Sequence[int]], n: int) -> IntArray:
    """Return the sums of v_i v_j over vectors v, of whole numbers of any magnitude."""
    greatest = max((abs(v) for row in vectors for v in row), default=0)
    small = len(vectors) * greatest**2 < _MOST_PRODUCT
    rows = np.array(vectors, dtype=np.int64 if small else object)
    rows = rows.reshape(len(vectors), n)
    found: IntArray = rows.T @ rows
    return found


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
