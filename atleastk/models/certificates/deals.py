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
``{"stars": [columns], "at_most": q, "yes": node, "no": node}``
    At most q rows have patterns with stars on all of these columns.
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
"column_order": [[o per column] per pair of classes], "splits": [s per split],
"needs": [[kind, [columns], w], ...]}``

Theorem
-------
Let a row of kind t pay for pattern p

    a stars, times its weight  +  g [a star outside the region]
    +  sum of b_j over its stars  +  sum of o_cj over its stars and all c
    +  sum over the nodes above that count: s [it is counted] in ``yes``, - s in ``no``
    +  sum over the needs: what is said below,

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

*Weights of rows and sensitive values.* The rows of generalisation on entries may have
weights, in units of their greatest common divisor; all others have weight 1. In
diversity V_p is over admissible groups, or overrated as by
:mod:`~atleastk.models.certificates.diverse_groups`; those of one pattern may be joined.
Kinds are then the distinct rows with their weights and sensitive values.

*Ambiguity.* A row of k-ambiguity may have any pattern whose stars are on columns that
are not constant, and shares it with nobody: V_p is over 1 or more rows. A kind t of c_t
copies needs d_t = max(0, k - c_t) matches beside them. A need (t, P, w) stands for: if
a copy of t has no star outside of P then d_t rows of other kinds *help*: where they
differ from t there are stars of theirs, or columns of P. So a row of another kind pays
-w c_t if it helps, and one of kind t pays w d_t if it has no star outside of P. That is
0 altogether, or less: with x such copies, d_t x <= d_t c_t. If a node above says (in
``no``) that a copy of t keeps all columns that are not in P, or more of them, then d_t
rows help for sure: those who help pay -w and nobody else pays. That is at most -w d_t
altogether, which is added to the right side.

The columns of the region that are not decided count as belonging to it, which only
permits more. Time: O(m) sorts of what matches for every pattern, once, and O(P log P) a
leaf for P pairs of a pattern and a kind that matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, pairwise
from math import gcd
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from atleastk.arrays import SAFE, BoolArray, Int32Array, IntArray
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.fields.shapes import AnyObject, ListOf, Nullable, Row, Shape
from atleastk.instances.records import Records, numbered
from atleastk.instances.suppression import Suppression
from atleastk.models.certificates.deal_patterns import all_patterns, closed_patterns
from atleastk.models.certificates.diverse_groups import greatest_worth
from atleastk.models.certificates.weights import field, integer
from atleastk.models.results.fields import INTEGER

T = TypeVar("T")

_AT_LEAST_0: Final = integer(0)

_MOST_WORK: Final = 400_000_000
"""What all leaves of a tree may look at, as `Deals.work` counts it: half a minute."""

_MOST_ROWS: Final = 1_000
"""Rows that match a pattern: of so many, an array of their squares is looked at for the
worth of a group that keeps sensitive values apart."""


@dataclass(frozen=True, slots=True)
class Dealing:
    """What is dealt.

    Attributes
    ----------
    table
        The table, the fewest rows of a pattern, and the limits.
    row_weights
        How often each row pays what it suppresses; None if all pay once.
    diverse
        The sensitive values that groups keep apart, if there are any.
    matches
        How many rows every row has to match; 0 asks for none.
    """

    table: Suppression
    row_weights: Sequence[int] | None = None
    diverse: Diversity | None = None
    matches: int = 0


class Need(NamedTuple):
    """A kind, columns as bits, and its weight; see the module."""

    kind: int
    columns: int
    weight: int


class Copies(NamedTuple):
    """A split by how many copies of a kind keep columns, and the side taken.

    Without a kind, by how many rows have stars on all of them. ``columns`` are bits; at
    most ``most`` copies in ``yes``, more in ``no``.
    """

    kind: int | None
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

    def to_dict(self) -> dict[str, Any]:
        """Return what a node of the tree says of the split, without its sides."""
        columns = columns_of(self.columns)
        if self.kind is None:
            return {"stars": columns, "at_most": self.most}
        return {"kind": self.kind, "keeps": columns, "at_most": self.most}


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
    needs: tuple[Need, ...] = ()

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
            tuple(_needs(document, deals)),
        )
        for factors, (here, after) in zip(leaf.column_order, pairs, strict=True):
            sign = {**dict.fromkeys(here, 1), **dict.fromkeys(after, -1)}
            signed = all(not x or sign.get(j, 0) * x > 0 for j, x in enumerate(factors))
            if sum(factors) or not signed:
                raise CertificateError(
                    "certificate column_order: not what classes of columns permit"
                )
        return leaf

    def to_dict(self) -> dict[str, Any]:
        """Return what `parsed` reads."""
        held = asdict(self)
        held["needs"] = [
            (kind, tuple(columns_of(columns)), weight)
            for kind, columns, weight in self.needs
        ]
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
    row_weights
        How often a row of each kind pays its stars.
    codes
        The values of every kind, numbered; an array [kind, column].
    values
        Its sensitive values likewise.
    hidden
        Whether a pattern hides a column; an array [pattern, column].
    pattern, kind
        The pairs of a pattern and a kind that matches it, by pattern.
    """

    dealing: Dealing
    copies: IntArray
    class_of: IntArray
    row_weights: IntArray
    codes: Int32Array
    values: Int32Array
    hidden: BoolArray
    pattern: IntArray
    kind: IntArray

    @classmethod
    def of(cls, dealing: Dealing) -> Deals:
        """List the patterns of support at least k that the limits permit.

        Raises
        ------
        NotApplicableError
            If there are too many of them.
        """
        question = dealing.table
        n, m = question.n, question.m
        paid = dealing.row_weights or (1,) * n
        rows = question.records.codes[question.records.record_of]
        more = np.zeros((n, 2), dtype=np.int32)
        for c, members in enumerate(question.row_order or ()):
            more[list(members), 0] = c
        more[:, 1] = numbered(paid)
        apart = more[:, :0] if dealing.diverse is None else dealing.diverse.values
        kinds = Records.coded(np.column_stack([rows, more, apart]))
        firsts = np.unique(kinds.record_of, return_index=True)[1]
        codes = np.ascontiguousarray(kinds.codes[:, :m])
        found = list(_patterns(dealing, codes, kinds.copies))
        lengths = [len(members) for _, members in found]
        return cls(
            dealing,
            kinds.copies,
            kinds.codes[:, m].astype(np.int64),
            np.array(paid, dtype=np.int64)[firsts] // (gcd(*paid) or 1),
            codes,
            np.ascontiguousarray(kinds.codes[:, m + 2 :]),
            np.array([hidden for hidden, _ in found], dtype=np.bool_).reshape(
                len(found), m
            ),
            np.repeat(np.arange(len(found)), lengths),
            np.concatenate([np.empty(0, np.int64), *(who for _, who in found)]),
        )

    @property
    def question(self) -> Suppression:
        """The table with its limits."""
        return self.dealing.table

    @property
    def least(self) -> int:
        """The fewest rows of a pattern that is in use."""
        return 1 if self.dealing.matches else self.question.k

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
        hidden: BoolArray = self.hidden[self.pattern, column]
        return hidden

    def stars(self) -> IntArray:
        """Return the number of stars of every pair."""
        counts: IntArray = self.hidden.sum(axis=1)[self.pattern]
        return counts

    def counted(self, copies: Copies) -> BoolArray:
        """Return which pairs a split counts."""
        if copies.kind is None:
            return self._hide_all(copies.columns)[self.pattern]
        kept = ~self._hide_some(copies.columns)[self.pattern]
        counted: BoolArray = kept & (self.kind == copies.kind)
        return counted

    def number_of(self, kind: int, kept: int) -> int | None:
        """Return the pattern of a kind that keeps exactly these columns, if any."""
        exactly = self._hide_all(self._others(kept)) & ~self._hide_some(kept)
        found = self.pattern[exactly[self.pattern] & (self.kind == kind)]
        return int(found[0]) if len(found) else None

    def allowed(self, node: Node) -> BoolArray:
        """Return the pairs that what is decided permits."""
        question = self.question
        whole = self._hide_all(self._others(0))
        fits = np.ones(len(whole), dtype=np.bool_)
        if "columns" in question.region:
            within = ~self._hide_some(node.outside)
            if question.deletion:
                within &= self._hide_all(node.inside)
            if "rows" not in question.region:
                fits = within
            elif question.deletion:
                fits = within | whole
        elif question.deletion:
            fits = ~self._hide_some(self._others(0)) | whole
        fits[list(node.unused)] = False
        count, pairs = self.stars(), fits[self.pattern]
        for c in range(self.boundaries):
            above = self.class_of[self.kind] <= c
            pairs &= ~above | (count <= node.most[c])
            pairs &= above | (count >= node.least[c])
        return pairs

    def outside(self, node: Node) -> BoolArray:
        """Return the pairs whose rows belong to the region for sure."""
        if "rows" not in self.question.region:
            return np.zeros(len(self.kind), dtype=np.bool_)
        limited = "columns" in self.question.region
        left = node.outside if limited else self._others(0)
        return self._hide_some(left)[self.pattern]

    def lacking(self, kind: int) -> int:
        """Return how many rows of other kinds a row of this one has to match."""
        return max(0, self.dealing.matches - int(self.copies[kind]))

    def is_sure(self, node: Node, kind: int, columns: int) -> bool:
        """Tell whether a copy of a kind has no star but on these columns."""
        return self.sure_by(node, kind, columns) is not None

    def sure_by(self, node: Node, kind: int, columns: int) -> int | None:
        """Return the number of the split that says so, if one does."""
        others = self._others(columns)
        saying = (
            number
            for number, split in enumerate(node.copies)
            if split.kind == kind and not split.yes and not others & ~split.columns
        )
        return next(saying, None)

    def paid_for(self, node: Node, kind: int, columns: int) -> IntArray:
        """Return what all pairs pay for a need of weight 1; see the module."""
        own, helps = self.concerned(kind, columns)
        if self.is_sure(node, kind, columns):
            return np.negative(helps, dtype=np.int64)
        paid: IntArray = self.lacking(kind) * own - self.copies[kind] * helps
        return paid

    def concerned(self, kind: int, columns: int) -> tuple[BoolArray, BoolArray]:
        """Return which pairs a need is of: without a star elsewhere, and who helps."""
        own = self.kind == kind
        shown = ~self.hidden
        shown[:, columns_of(columns)] = False
        apart = (self.codes != self.codes[kind])[self.kind] & shown[self.pattern]
        helps: BoolArray = ~own & ~np.logical_or.reduce(apart, axis=1)
        own &= ~self._hide_some(self._others(columns))[self.pattern]
        return own, helps

    def _others(self, columns: int) -> int:
        """Return all other columns, as bits."""
        return (1 << self.question.m) - 1 & ~columns

    def _hide_all(self, columns: int) -> BoolArray:
        """Return which patterns hide all of these columns."""
        hide: BoolArray = np.logical_and.reduce(self._of(columns), axis=1)
        return hide

    def _hide_some(self, columns: int) -> BoolArray:
        """Return which patterns hide one of these columns."""
        hide: BoolArray = np.logical_or.reduce(self._of(columns), axis=1)
        return hide

    def _of(self, columns: int) -> BoolArray:
        held: BoolArray = self.hidden[:, columns_of(columns)]
        return held

    def work(self, node: Node, leaf: Leaf) -> int:
        """Return about how many steps a leaf takes, of some 50 nanoseconds."""
        m = self.question.m
        each = 4 + m + len(node.copies) + len(leaf.needs) * (4 + m)
        return 4_000 * (1 + len(leaf.needs)) + len(self.pattern) * each

    def overfull(self, node: Node) -> bool:
        """Tell whether more columns belong to the region than may."""
        most = self.question.limits.get("columns", self.question.m)
        return node.inside.bit_count() > most

    def refuted(self, node: Node, leaf: Leaf) -> bool:
        """Tell whether the weights say that a node has no deal."""
        prices = self.prices(node, leaf)
        worth = np.array(leaf.weights, dtype=np.int64)[self.kind] - prices
        order = np.lexsort((-worth, self.pattern))
        order = order[self.allowed(node)[order]]
        pattern, kind, worth = self.pattern[order], self.kind[order], worth[order]
        best = self._best(pattern, kind, worth)
        needed = np.zeros(len(self.hidden), dtype=np.bool_)
        needed[list(node.used)] = True
        best = np.where(needed, best, np.maximum(best, 0))
        copies = self.copies.tolist()
        room: int = sum(u * c for u, c in zip(leaf.weights, copies, strict=True))
        room -= self._most_paid(node, leaf)
        if int(best.sum()) >= room and self.dealing.diverse is not None:
            for p in np.flatnonzero((best > 0) | needed).tolist():
                held = slice(*np.searchsorted(pattern, (p, p + 1)).tolist())
                found = self._best_diverse(kind[held], worth[held])
                if found is not None:
                    best[p] = min(best[p], found if needed[p] else max(0, found))
        return int(best.sum()) < room

    def _best_diverse(self, kind: IntArray, worth: IntArray) -> int | None:
        """Return V_p if sensitive values are kept apart; None if the rows are many."""
        rows = np.repeat(np.arange(len(kind)), self.copies[kind])
        if self.dealing.diverse is None or len(rows) > _MOST_ROWS:
            return None
        values = self.values[kind[rows]]
        found = greatest_worth(self.dealing.diverse, worth[rows], values, self.least)
        return found or 0

    def _best(self, pattern: IntArray, kind: IntArray, worth: IntArray) -> IntArray:
        """Return V_p, or 0 where too few rows are left.

        The pairs are sorted by pattern, then by decreasing worth.
        """
        best = np.zeros(len(self.hidden), dtype=np.int64)
        starts = np.flatnonzero(np.diff(pattern, prepend=-1))
        if not len(starts):
            return best
        k, copies = self.least, self.copies[kind]
        before = np.cumsum(copies) - copies
        before -= np.repeat(before[starts], np.diff(starts, append=len(pattern)))
        taken = np.where(worth > 0, copies, np.clip(k - before, 0, copies))
        values = np.add.reduceat(taken * worth, starts)
        enough = np.add.reduceat(copies, starts) >= k
        best[pattern[starts]] = np.where(enough, values, 0)
        return best

    def prices(self, node: Node, leaf: Leaf) -> IntArray:
        """Return what a row pays for every pair.

        Raises
        ------
        NotApplicableError
            If the sums over all rows could exceed 64 bits.
        """
        question, rows = self.question, self.question.n + self.question.k
        dearest = int(self.row_weights.max(initial=1)) * leaf.entries * question.m
        needs = sum(
            weight * (self.dealing.matches + int(self.copies[kind]))
            for kind, _, weight in leaf.needs
        )
        heaviest = leaf.heaviest + dearest + leaf.rows + needs
        if rows * (1 if self.dealing.diverse is None else rows) * heaviest >= SAFE:
            raise NotApplicableError(
                "the weights are too large to re-check the certificate"
            )
        prices = leaf.entries * self.stars() * self.row_weights[self.kind]
        prices += leaf.rows * self.outside(node)
        for j, factors in enumerate(
            zip(leaf.per_column, *leaf.column_order, strict=True)
        ):
            if any(factors):
                prices += sum(factors) * self.hides(j)
        for split, weight in zip(node.copies, leaf.splits, strict=True):
            prices += split.sign * weight * self.counted(split)
        for kind, columns, weight in leaf.needs:
            prices += weight * self.paid_for(node, kind, columns)
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
                raise CertificateError(
                    f"certificate {quantity}: a weight, but there is no limit"
                )
            paid += weight * limits.get(quantity, 0)
        pairs = zip(node.copies, leaf.splits, strict=True)
        paid += sum(split.side * weight for split, weight in pairs)
        return paid - sum(
            weight * self.lacking(kind)
            for kind, columns, weight in leaf.needs
            if self.is_sure(node, kind, columns)
        )


def question_of(dealing: Dealing, bound: int | None) -> Dealing | None:
    """Return what has no solution if the bound holds; None if that is plain to see.

    The bound None stands for: nothing is feasible.
    """
    instance = dealing.table
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
    return replace(dealing, table=table)


def check_tree(
    dealing: Dealing, certificate: Mapping[str, Any], bound: int | None
) -> None:
    """Check that a tree refutes all deals that would disprove a bound.

    Raises
    ------
    CertificateError
        If it does not.
    NotApplicableError
        If it takes too much work to tell.
    """
    question = question_of(dealing, bound)
    tree = field(certificate, "tree", Nullable(AnyObject()))
    if question is None:
        return
    deals, work = Deals.of(question), 0
    open_nodes = [(tree, deals.root)]
    while open_nodes:
        document, node = open_nodes.pop()
        if document is None:
            if not deals.overfull(node):
                raise CertificateError("the certificate leaves a node open")
        elif "yes" in document:
            for name, side in zip(
                ("yes", "no"), _divided(document, deals, node), strict=True
            ):
                below = field(document, name, Nullable(AnyObject()))
                open_nodes.append((below, side))
        else:
            leaf = Leaf.parsed(document, deals, len(node.copies))
            work += deals.work(node, leaf)
            if work > _MOST_WORK:
                raise NotApplicableError(
                    f"too much work: {work:,} steps with these leaves and patterns, "
                    f"more than {_MOST_WORK:,}"
                )
            if not deals.refuted(node, leaf):
                raise CertificateError("the weights of a leaf do not refute it")


def _divided(
    document: Mapping[str, Any], deals: Deals, node: Node
) -> tuple[Node, Node]:
    """Return both sides of a split."""
    if "column" in document:
        column = _index(document, "column", deals.question.m)
        if "columns" not in deals.question.region:
            raise CertificateError(
                "certificate column: no columns are limited, so none are divided"
            )
        if (node.inside | node.outside) >> column & 1:
            raise CertificateError(f"certificate column: {column} is decided already")
        return node.by_region(column)
    if "class" in document:
        c = _index(document, "class", deals.boundaries)
        return node.by_threshold(c, field(document, "at_most", _AT_LEAST_0))
    if "stars" in document:
        columns = _bits(document, "stars", deals.question.m)
        most = _index(document, "at_most", deals.question.n)
        return node.by_copies(Copies(None, columns, most))
    kind = _index(document, "kind", len(deals.copies))
    if "pattern" in document:
        number = deals.number_of(kind, _bits(document, "pattern", deals.question.m))
        if number is None:
            raise CertificateError("certificate pattern: not one of the patterns")
        return node.by_use(number)
    columns = _bits(document, "keeps", deals.question.m)
    most = _index(document, "at_most", int(deals.copies[kind]))
    return node.by_copies(Copies(kind, columns, most))


def _index(document: Mapping[str, Any], name: str, count: int) -> int:
    index = field(document, name, _AT_LEAST_0)
    if index >= count:
        raise CertificateError(
            f"certificate {name}: expected less than {count}, got {index}"
        )
    return index


def _bits(document: Mapping[str, Any], name: str, m: int) -> int:
    """Return a list of columns as bits."""
    columns = field(document, name, ListOf(_AT_LEAST_0))
    if any(column >= m for column in columns):
        raise CertificateError(f"certificate {name}: expected columns below {m}")
    return sum(1 << column for column in set(columns))


def _needs(document: Mapping[str, Any], deals: Deals) -> Iterator[Need]:
    """Yield the needs of a leaf."""
    shape = Row("a need", (INTEGER, ListOf(_AT_LEAST_0), _AT_LEAST_0))
    for kind, columns, weight in field(
        {"needs": (), **document}, "needs", ListOf(shape)
    ):
        _index({"kind": kind}, "kind", len(deals.copies))
        yield Need(kind, _bits({"needs": columns}, "needs", deals.question.m), weight)


def columns_of(bits: int) -> list[int]:
    """Return bits as a list of columns."""
    return [j for j, digit in enumerate(reversed(bin(bits)[2:])) if digit == "1"]


def _patterns(
    dealing: Dealing, codes: Int32Array, copies: IntArray
) -> Iterator[tuple[BoolArray, IntArray]]:
    """Yield the stars of every pattern that the limits permit, and its kinds.

    Raises
    ------
    NotApplicableError
        If there are too many of them.
    """
    question = dealing.table
    intact = frozenset(question.intact)
    most = question.limits.get("per_row", question.m)
    if dealing.matches:
        found = all_patterns(codes, copies, 1, intact)
    elif question.deletion or question.row_order or question.column_order:
        found = all_patterns(codes, copies, question.k, intact)
    else:
        found = closed_patterns(codes, copies, question.k)
    for hidden, members in found:
        if hidden.sum() <= most and not hidden[list(intact)].any():
            yield hidden, members


def _any(value: Any) -> bool:
    """Tell whether a weight, or one of a list of them, is not 0."""
    return any(map(_any, value)) if isinstance(value, tuple | list) else bool(value)
