"""Trees that refute all deals of rows to patterns, checked in integers.

A *deal* gives every row a pattern that it matches, such that every pattern is given to
k rows or more, or to none. A row pays its pattern: cells are suppressed where that has
a star. A solution of suppression that keeps its limits is such a deal, over the closed
patterns of support at least k; over all patterns of such a support if rows or columns
are ordered by importance, or deleted as a whole (theorem and exceptions:
:mod:`~atleastk.models.encodings.suppression_patterns`).

So a bound B of a cost is proved, and so is that nothing is feasible, if no deal keeps
the limits, B - 1 among them: the *question*. Equal rows of one class of importance are
a *kind*; kinds are in the order of their values, numbered by first appearance.

Inner nodes of the tree divide the deals into those with and without a property:

``{"kind": t, "keeps": [columns], "at_most": q, "yes": node, "no": node}``
    At most q copies of t have patterns that keep all of these columns.
``{"kind": t, "pattern": [columns], "yes": node, "no": node}``
    The pattern that keeps the values of t in exactly these columns is in use.
``{"column": j, "yes": node, "no": node}``
    Column j belongs to the region. Only where columns are limited.
``{"class": c, "at_most": q, "yes": node, "no": node}``
    No row of the classes 0, ..., c of importance has more than q stars. If one has, all
    rows of the later classes have more, too.

A leaf is refuted by counting (``null``: a limit is negative, or more columns belong to
the region than may), or by weights:

``{"weights": [u per kind], "entries": a, "rows": g, "per_column": [b per column],
"column_order": [[o per column] per pair of classes], "splits": [s per split]}``

Theorem
-------
Let a row of kind t pay for pattern p

    a stars  +  g [a star outside the region]  +  sum of b_j over its stars
    +  sum of o_cj over its stars and all c
    +  sum over the nodes above of the first sort: s [p keeps their columns] in ``yes``,
       - s in ``no``,

where a, g, b, s >= 0, where o_c is at least 0 on class c of the columns, at most 0 on
class c + 1, 0 elsewhere, and sums to 0. Let V_p be the greatest sum of u - price over k
or more of the rows that may have pattern p: the k greatest terms, and all further
positive ones. If the sum of u over all rows, less the sum of max(0, V_p) over the
patterns, and V_p of those in use, exceeds

    a E + g R + sum of b_j C + sum of s q in yes, - s (q + 1) in no

for the limits E, R and C of entries, rows and cells of a column, then the leaf has no
deal. (A limit that is not there has no weight.)

Proof. Every deal of the leaf pays at least the left side: each pattern is given to k
rows or to none, and to k if it is in use. And it pays at most the right side: stars,
rows and cells keep their limits; members of class c have at most as many stars as a
threshold, and those of class c + 1 at least as many, so that o_c adds up to at most 0;
and the counts of the splits are what they are.

The columns of the region that are not decided count as belonging to it, which only
permits more. Time: O(2^m m D log D) once for D kinds over m columns, and O(P log P) a
leaf for P pairs of a pattern and a kind that matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from atleastk.arrays import SAFE, BoolArray, Int32Array, IntArray
from atleastk.instances.errors import CertificateError, NotApplicableError
from atleastk.instances.records import Records, distinct_rows
from atleastk.instances.shapes import AnyObject, ListOf, Nullable, Shape
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.weights import field, integer
from atleastk.models.fields import INTEGER

__all__ = ["Copies", "Deals", "Leaf", "Node", "check_tree", "question_of"]

T = TypeVar("T")

_AT_LEAST_0: Final = integer(0)

_MOST_WORK: Final = 4_000_000
"""Sets of columns times kinds: pairs of a pattern and a kind, at most. A leaf takes a
second then."""

_MOST_SETS: Final = 2**14
"""Sets of columns: to look for the patterns of so many takes two seconds."""


class Copies(NamedTuple):
    """A split by how many copies of a kind keep columns, and the side taken.

    ``columns`` are bits; at most ``most`` copies in ``yes``, more in ``no``.
    """

    kind: int
    columns: int
    most: int
    yes: bool = True

    @property
    def sign(self) -> int:
        """1 if the copies are limited from above, -1 if from below."""
        return 1 if self.yes else -1

    @property
    def side(self) -> int:
        """The most copies, or minus the fewest."""
        return self.most if self.yes else -self.most - 1


@dataclass(frozen=True, slots=True)
class Node:
    """What is decided at a node of the tree.

    Attributes
    ----------
    inside, outside
        Columns that belong to the region, and that do not, as bits.
    used, unused
        Patterns by their numbers.
    least, most
        For every pair of classes of importance the least and greatest threshold.
    copies
        The splits by copies, the topmost first.
    """

    inside: int = 0
    outside: int = 0
    used: tuple[int, ...] = ()
    unused: tuple[int, ...] = ()
    least: tuple[int, ...] = ()
    most: tuple[int, ...] = ()
    copies: tuple[Copies, ...] = ()

    def by_region(self, column: int) -> tuple[Node, Node]:
        """Return the sides in which a column belongs to the region, or does not."""
        bit = 1 << column
        return (
            replace(self, inside=self.inside | bit),
            replace(self, outside=self.outside | bit),
        )

    def by_threshold(self, c: int, most: int) -> tuple[Node, Node]:
        """Return the sides in which classes up to c have so few stars, or more."""
        below = (*self.most[:c], min(most, self.most[c]), *self.most[c + 1 :])
        above = (*self.least[:c], max(most + 1, self.least[c]), *self.least[c + 1 :])
        return replace(self, most=below), replace(self, least=above)

    def by_copies(self, copies: Copies) -> tuple[Node, Node]:
        """Return the sides in which so few copies keep columns, or more."""
        yes, no = (copies._replace(yes=side) for side in (True, False))
        return (
            replace(self, copies=(*self.copies, yes)),
            replace(self, copies=(*self.copies, no)),
        )

    def by_use(self, pattern: int) -> tuple[Node, Node]:
        """Return the sides in which a pattern is in use, or is not."""
        return (
            replace(self, used=(*self.used, pattern)),
            replace(self, unused=(*self.unused, pattern)),
        )


@dataclass(frozen=True, slots=True)
class Leaf:
    """The weights of a leaf; see the module. What is left out is 0."""

    weights: tuple[int, ...]
    entries: int
    rows: int
    per_column: tuple[int, ...]
    column_order: tuple[tuple[int, ...], ...]
    splits: tuple[int, ...]

    @classmethod
    def parsed(cls, document: Mapping[str, Any], deals: Deals, splits: int) -> Leaf:
        """Read a leaf below so many splits by copies."""
        m, classes = deals.question.m, deals.question.column_order or ()
        pairs = list(pairwise(classes))

        def read(name: str, shape: Shape[T], default: T) -> T:
            return field({name: default, **document}, name, shape)

        orders = ListOf(ListOf(INTEGER, m), len(pairs))
        leaf = cls(
            field(document, "weights", ListOf(INTEGER, len(deals.copies))),
            read("entries", _AT_LEAST_0, 0),
            read("rows", _AT_LEAST_0, 0),
            read("per_column", ListOf(_AT_LEAST_0, m), (0,) * m),
            read("column_order", orders, ((0,) * m,) * len(pairs)),
            read("splits", ListOf(_AT_LEAST_0, splits), (0,) * splits),
        )
        for factors, (here, after) in zip(leaf.column_order, pairs, strict=True):
            sign = {**dict.fromkeys(here, 1), **dict.fromkeys(after, -1)}
            signed = all(not x or sign.get(j, 0) * x > 0 for j, x in enumerate(factors))
            if sum(factors) or not signed:
                message = "certificate column_order: not what classes of columns permit"
                raise CertificateError(message)
        return leaf

    def to_dict(self) -> dict[str, Any]:
        """Return what `parsed` reads."""
        held = asdict(self)
        return {
            name: held[name] for name in held if name == "weights" or _any(held[name])
        }

    @property
    def heaviest(self) -> int:
        """More than what a row pays or is worth, for a star of each sort."""
        factors = (*self.per_column, *self.splits, *chain(*self.column_order))
        return sum(map(abs, factors)) + max(map(abs, self.weights), default=0)


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """The patterns of a question, and the kinds that match them.

    Attributes
    ----------
    copies
        The rows of every kind.
    class_of
        The class of importance of every kind; 0 without an order of rows.
    codes
        The values of every kind, numbered; an array [kind, column].
    stars
        The columns that every pattern hides, as bits.
    pattern, kind
        The pairs of a pattern and a kind that matches it, by pattern.
    """

    question: Suppression
    copies: IntArray
    class_of: IntArray
    codes: Int32Array
    stars: IntArray
    pattern: IntArray
    kind: IntArray

    @classmethod
    def of(cls, question: Suppression) -> Deals:
        """List the patterns of support at least k that the limits permit.

        Raises
        ------
        NotApplicableError
            If there are too many of them.
        """
        n, m = question.n, question.m
        rows = question.records.codes[question.records.record_of]
        class_of = np.zeros(n, dtype=np.int32)
        for c, members in enumerate(question.row_order or ()):
            class_of[list(members)] = c
        kinds = Records.coded(np.column_stack([rows, class_of]))
        codes = np.ascontiguousarray(kinds.codes[:, :m])
        found = list(_patterns(question, codes, kinds.copies))
        lengths = [len(members) for _, members in found]
        return cls(
            question,
            kinds.copies,
            kinds.codes[:, m].astype(np.int64),
            codes,
            np.array([hidden for hidden, _ in found], dtype=np.int64),
            np.repeat(np.arange(len(found)), lengths),
            np.concatenate([np.empty(0, np.int64), *(who for _, who in found)]),
        )

    @property
    def boundaries(self) -> int:
        """The number of pairs of successive classes of rows."""
        return max(0, len(self.question.row_order or ()) - 1)

    @property
    def root(self) -> Node:
        """Nothing is decided."""
        least, most = (0,) * self.boundaries, (self.question.m,) * self.boundaries
        return Node(least=least, most=most)

    def hides(self, column: int) -> BoolArray:
        """Return which pairs hide a column."""
        hidden: BoolArray = (self.stars[self.pattern] >> column & 1).astype(np.bool_)
        return hidden

    def keeps(self, kind: int, columns: int) -> BoolArray:
        """Return which pairs are of a kind and keep these columns."""
        kept: BoolArray = (self.stars[self.pattern] & columns == 0) & (
            self.kind == kind
        )
        return kept

    def number_of(self, kind: int, kept: int) -> int | None:
        """Return the pattern of a kind that keeps exactly these columns, if any."""
        hidden = (1 << self.question.m) - 1 ^ kept
        held = (self.kind == kind) & (self.stars[self.pattern] == hidden)
        found = self.pattern[held]
        return int(found[0]) if len(found) else None

    def allowed(self, node: Node) -> BoolArray:
        """Return the pairs that what is decided permits."""
        question, whole = self.question, (1 << self.question.m) - 1
        stars = self.stars
        fits = np.ones(len(stars), dtype=np.bool_)
        if "columns" in question.region:
            within = stars & node.outside == 0
            if question.deletion:
                within &= stars & node.inside == node.inside
            if "rows" not in question.region:
                fits = within
            elif question.deletion:
                fits = within | (stars == whole)
        elif question.deletion:
            fits = (stars == 0) | (stars == whole)
        fits[list(node.unused)] = False
        count = np.bitwise_count(stars).astype(np.int64)[self.pattern]
        pairs = fits[self.pattern]
        for c in range(self.boundaries):
            above = self.class_of[self.kind] <= c
            pairs &= ~above | (count <= node.most[c])
            pairs &= above | (count >= node.least[c])
        return pairs

    def outside(self, node: Node) -> BoolArray:
        """Return the pairs whose rows belong to the region for sure."""
        if "rows" not in self.question.region:
            return np.zeros(len(self.kind), dtype=np.bool_)
        stars = self.stars[self.pattern]
        left = node.outside if "columns" in self.question.region else -1
        outside: BoolArray = stars & left != 0
        return outside

    def overfull(self, node: Node) -> bool:
        """Tell whether more columns belong to the region than may."""
        most = self.question.limits.get("columns", self.question.m)
        return node.inside.bit_count() > most

    def refuted(self, node: Node, leaf: Leaf) -> bool:
        """Tell whether the weights say that a node has no deal."""
        prices = self._prices(node, leaf)
        worth = np.array(leaf.weights, dtype=np.int64)[self.kind] - prices
        order = np.lexsort((-worth, self.pattern))
        order = order[self.allowed(node)[order]]
        best = self._best(self.pattern[order], self.kind[order], worth[order])
        needed = np.zeros(len(self.stars), dtype=np.bool_)
        needed[list(node.used)] = True
        copies = self.copies.tolist()
        total: int = sum(u * c for u, c in zip(leaf.weights, copies, strict=True))
        total -= int(np.where(needed, best, np.maximum(best, 0)).sum())
        return total > self._most_paid(node, leaf)

    def _best(self, pattern: IntArray, kind: IntArray, worth: IntArray) -> IntArray:
        """Return V_p, or 0 where too few rows are left.

        The pairs are sorted by pattern, then by decreasing worth.
        """
        best = np.zeros(len(self.stars), dtype=np.int64)
        starts = np.flatnonzero(np.diff(pattern, prepend=-1))
        if not len(starts):
            return best
        k, copies = self.question.k, self.copies[kind]
        before = np.cumsum(copies) - copies
        before -= np.repeat(before[starts], np.diff(starts, append=len(pattern)))
        taken = np.where(worth > 0, copies, np.clip(k - before, 0, copies))
        values = np.add.reduceat(taken * worth, starts)
        enough = np.add.reduceat(copies, starts) >= k
        best[pattern[starts]] = np.where(enough, values, 0)
        return best

    def _prices(self, node: Node, leaf: Leaf) -> IntArray:
        """Return what a row pays for every pair.

        Raises
        ------
        NotApplicableError
            If the sums over all rows could exceed 64 bits.
        """
        question = self.question
        heaviest = leaf.heaviest + leaf.entries * question.m + leaf.rows
        if (question.n + question.k) * heaviest >= SAFE:
            message = "the weights are too large to re-check the certificate"
            raise NotApplicableError(message)
        stars = np.bitwise_count(self.stars).astype(np.int64)[self.pattern]
        prices = leaf.entries * stars + leaf.rows * self.outside(node)
        for j, factors in enumerate(
            zip(leaf.per_column, *leaf.column_order, strict=True)
        ):
            prices += sum(factors) * self.hides(j)
        for split, weight in zip(node.copies, leaf.splits, strict=True):
            prices += split.sign * weight * self.keeps(split.kind, split.columns)
        return prices

    def _most_paid(self, node: Node, leaf: Leaf) -> int:
        """Return the most that all rows pay together within the limits.

        Raises
        ------
        CertificateError
            If there is a weight for a limit that is not there.
        """
        paid, limits = 0, self.question.limits
        for quantity, weight in (
            ("entries", leaf.entries),
            ("rows", leaf.rows),
            ("per_column", sum(leaf.per_column)),
        ):
            if weight and quantity not in limits:
                message = f"certificate {quantity}: a weight, but there is no limit"
                raise CertificateError(message)
            paid += weight * limits.get(quantity, 0)
        pairs = zip(node.copies, leaf.splits, strict=True)
        return paid + sum(split.side * weight for split, weight in pairs)


def question_of(instance: Suppression, bound: int | None) -> Suppression | None:
    """Return what has no solution if the bound holds; None if that is plain to see.

    The bound None stands for: nothing is feasible.
    """
    if bound is not None and bound <= instance.least_cost:
        return None
    cost, k, limits = instance.minimise, instance.k, dict(instance.binding)
    if cost == "k":
        k = k if bound is None else max(k, 1 - bound)
    elif bound is None and cost in instance.region:  # it keeps its place there
        limits.setdefault(cost, instance.n if cost == "rows" else instance.m)
    elif bound is not None and cost != "none":
        limits[cost] = min(limits.get(cost, bound - 1), bound - 1)
    return replace(instance, minimise="none", limits=limits, k=k)


def check_tree(
    instance: Suppression, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a tree refutes all deals that would disprove a bound.

    Raises
    ------
    CertificateError
        If it does not.
    """
    question = question_of(instance, bound)
    tree = field(certificate, "tree", Nullable(AnyObject()))
    if question is None:
        return
    deals = Deals.of(question)
    open_nodes = [(tree, deals.root)]
    while open_nodes:
        document, node = open_nodes.pop()
        if document is None:
            if not deals.overfull(node):
                message = "the certificate leaves a node open"
                raise CertificateError(message)
        elif "yes" in document:
            for name, side in zip(
                ("yes", "no"), _divided(document, deals, node), strict=True
            ):
                below = field(document, name, Nullable(AnyObject()))
                open_nodes.append((below, side))
        elif not deals.refuted(node, Leaf.parsed(document, deals, len(node.copies))):
            message = "the weights of a leaf do not refute it"
            raise CertificateError(message)


def _divided(
    document: Mapping[str, Any], deals: Deals, node: Node
) -> tuple[Node, Node]:
    """Return both sides of a split."""
    if "column" in document:
        column = _index(document, "column", deals.question.m)
        if "columns" not in deals.question.region:
            message = "certificate column: no columns are limited, so none are divided"
            raise CertificateError(message)
        if (node.inside | node.outside) >> column & 1:
            message = f"certificate column: {column} is decided already"
            raise CertificateError(message)
        return node.by_region(column)
    if "class" in document:
        c = _index(document, "class", deals.boundaries)
        return node.by_threshold(c, field(document, "at_most", _AT_LEAST_0))
    kind = _index(document, "kind", len(deals.copies))
    if "pattern" in document:
        number = deals.number_of(kind, _bits(document, "pattern", deals.question.m))
        if number is None:
            message = "certificate pattern: not one of the patterns"
            raise CertificateError(message)
        return node.by_use(number)
    columns = _bits(document, "keeps", deals.question.m)
    most = _index(document, "at_most", int(deals.copies[kind]))
    return node.by_copies(Copies(kind, columns, most))


def _index(document: Mapping[str, Any], name: str, count: int) -> int:
    index = field(document, name, _AT_LEAST_0)
    if index >= count:
        message = f"certificate {name}: expected less than {count}, got {index}"
        raise CertificateError(message)
    return index


def _bits(document: Mapping[str, Any], name: str, m: int) -> int:
    """Return a list of columns as bits."""
    columns = field(document, name, ListOf(_AT_LEAST_0))
    if any(column >= m for column in columns):
        message = f"certificate {name}: expected columns below {m}"
        raise CertificateError(message)
    return sum(1 << column for column in set(columns))


def _patterns(
    question: Suppression, codes: Int32Array, copies: IntArray
) -> Iterator[tuple[int, IntArray]]:
    """Yield the stars of every pattern, as bits, with the kinds that match it.

    Raises
    ------
    NotApplicableError
        If there are too many sets of columns.
    """
    m = question.m
    closed = not (question.deletion or question.row_order or question.column_order)
    blocks = _twins(codes) if closed else [1 << j for j in range(m)]
    sets = 1 << len(blocks)
    if m > 62 or sets > _MOST_SETS or sets * len(codes) > _MOST_WORK:
        size = f"{len(codes)} distinct rows of {m} columns"
        message = f"{size} have too many patterns for a tree"
        raise NotApplicableError(message)
    intact = sum(1 << column for column in set(question.intact))
    for chosen in range(sets):
        hidden = sum(block for b, block in enumerate(blocks) if chosen >> b & 1)
        if hidden & intact or hidden.bit_count() > question.limits.get("per_row", m):
            continue
        kept = [j for j in range(m) if not hidden >> j & 1]
        group_of = distinct_rows(codes[:, kept])[1]
        order = np.argsort(group_of, kind="stable")
        starts = np.flatnonzero(np.diff(group_of[order], prepend=-1))
        if not len(starts):
            continue
        good = np.add.reduceat(copies[order], starts) >= question.k
        if closed:
            for j in set(range(m)) - set(kept):
                held = codes[order, j]
                good &= np.minimum.reduceat(held, starts) < np.maximum.reduceat(
                    held, starts
                )
        for members in (
            part
            for part, holds in zip(np.split(order, starts[1:]), good, strict=True)
            if holds
        ):
            yield hidden, members


def _any(value: Any) -> bool:
    """Tell whether a weight, or one of a list of them, is not 0."""
    return any(map(_any, value)) if isinstance(value, tuple | list) else bool(value)


def _twins(codes: Int32Array) -> list[int]:
    """Return sets of equal columns, as bits: a closed pattern keeps all or none."""
    found: dict[bytes, int] = {}
    for j, column in enumerate(codes.T):
        key = column.tobytes()
        found[key] = found.get(key, 0) | 1 << j
    return list(found.values())
