"""Lemmas of one group, as pseudo-Boolean formulas (OPB) with VeriPB proofs.

The lemma: no set of items has a level from L to U and weights y of Y + 1 or more,

    s x >= L,    - s x >= - U,    y x >= Y + 1    for x in {0, 1}^n    has no solution.

It is the hard part of a certificate of weights, and does not grow with the number of
groups. The rest is arithmetic: the window of levels, and that m groups, of weight at
most Y each, do not add up to the sum of all y.

The proof
---------
For p / q = y_i / s_i let a *cut* be q times the third row, plus p times the second if p
>= 0, or -p times the first. A node with some x decided is refuted if the greatest left
side of a cut, or a row, is too small: this is the dual bound of the knapsack problem,
whose best multiplier is one of these ratios. Otherwise the proof branches on the
largest open item. So a proof has

- a line ``pol`` for every cut in use,
- a line ``rup`` for every branching: the clause of the decisions that both sides
  needed. It follows by unit propagation from a cut, a row, or an earlier clause.

A side whose refutation did not need the branching decision refutes the other one, too.
Merging equal levels as a dynamic program would have fewer nodes, by a factor of 2 to 8
for 20 to 60 sizes below 100, but 15 lines for each in place of 1, for it has to define
what a level is.

Format: version 3.0 of proofs, https://gitlab.com/MIAOresearch/software/VeriPB.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import CertificateError, NotApplicableError

_MOST_NODES: Final = 100_000
"""Nodes of a tree: some minutes, and 20 megabytes of proof."""


@dataclass(frozen=True, slots=True)
class Lemma:
    """That no set of items of a level from `least` to `most` weighs more than `top`."""

    about: tuple[str, ...]  # what the head of the formula says
    sizes: Sequence[int]
    weights: Sequence[int]
    least: int
    most: int
    top: int

    @property
    def rows(self) -> list[tuple[list[int], int]]:
        """The factors of the items and the value of the three rows, all of sense >=."""
        sizes, weights = list(self.sizes), list(self.weights)
        return [
            (sizes, self.least),
            ([-size for size in sizes], -self.most),
            (weights, self.top + 1),
        ]

    def formula(self, head: Iterable[str] = ()) -> Iterator[str]:
        """Yield the lines of the formula, with a head."""
        yield f"* #variable= {len(self.sizes)} #constraint= 3"
        yield from (f"* {line}" for line in (*head, *self.about))
        for factors, value in self.rows:
            terms = (f"{c:+d} x{i}" for i, c in enumerate(factors, 1) if c)
            yield f"{' '.join(terms)} >= {value} ;"

    def proof(self) -> Iterator[str]:
        """Yield the lines of the proof.

        Raise `CertificateError` if the lemma is false, and `NotApplicableError` if the
        proof is too long.
        """
        tree = _Tree(self)
        found = tree.refuted((), tree.spare)
        yield "pseudo-Boolean proof version 3.0"
        yield "f 3 ;"
        yield from tree.lines
        yield f"rup >= 1 : {found.line} ~ ;"
        yield "output NONE ;"
        yield f"conclusion UNSAT : {4 + len(tree.lines)} ;"
        yield "end pseudo-Boolean proof ;"


class _Cut(NamedTuple):
    """A sum of rows, with the operations of ``pol`` that make it, or a row."""

    factors: Sequence[int]
    value: int
    made: str = ""


class _Refuted(NamedTuple):
    """The refutation of a node: its line, and the items taken and left out for it."""

    line: int
    taken: frozenset[int] = frozenset()
    left: frozenset[int] = frozenset()


class _Tree:
    """The divisions that refute a lemma.

    Attributes
    ----------
    lines
        The proof so far.
    spare
        By how much the greatest left side of every cut is short of it, less 1: a cut
        refutes if that is 0 or more.
    """

    def __init__(self, lemma: Lemma) -> None:
        self.lines: list[str] = []
        self._cuts = list(_cuts(lemma))
        self._numbers = {0: 1, 1: 2, 2: 3}
        self._order = sorted(range(len(lemma.sizes)), key=lambda i: -lemma.sizes[i])
        self._nodes = 0
        # By how much each cut falls short more, if an item is left out or taken.
        self._losses = [
            tuple(
                [max(0, cut.factors[i] * sign) for cut in self._cuts]
                for sign in (1, -1)
            )
            for i in range(len(lemma.sizes))
        ]
        self.spare = [
            cut.value - 1 - sum(max(0, c) for c in cut.factors) for cut in self._cuts
        ]

    def refuted(
        self, path: tuple[tuple[int, int], ...], spare: Sequence[int]
    ) -> _Refuted:
        """Return the refutation of a node, and add its lines.

        `path` has the decided items, the first first, each with 1 if it is taken.
        """
        self._nodes += 1
        if self._nodes > _MOST_NODES:
            raise NotApplicableError(
                f"the proof of a lemma has more than {_MOST_NODES:,} nodes"
            )
        reasons = [
            (self._needed(c, path, short), c)
            for c, short in enumerate(spare)
            if short >= 0
        ]
        if reasons:
            # The one that goes without the latest divisions.
            needed, c = min(reasons, key=lambda reason: reason[0][::-1])
            taken = frozenset(path[d][0] for d in needed if path[d][1])
            left = frozenset(path[d][0] for d in needed if not path[d][1])
            return _Refuted(self._line_of(c), taken, left)
        if len(path) == len(self._order):
            raise CertificateError(
                "a group of the window weighs more than the certificate can have"
            )
        item = self._order[len(path)]
        sides = []
        for value in (0, 1):
            shorter = [
                a + b for a, b in zip(spare, self._losses[item][value], strict=True)
            ]
            side = self.refuted((*path, (item, value)), shorter)
            if item not in (side.taken if value else side.left):
                return side
            sides.append(side)
        without, with_it = sides
        taken = without.taken | with_it.taken - {item}
        left = without.left - {item} | with_it.left
        return _Refuted(
            self._clause(taken, left, without.line, with_it.line), taken, left
        )

    def _needed(
        self, cut: int, path: Sequence[tuple[int, int]], short: int
    ) -> list[int]:
        """Return the divisions that a cut needs, by their depth, the latest last."""
        needed = []
        for depth in range(len(path) - 1, -1, -1):
            item, value = path[depth]
            loss = self._losses[item][value][cut]
            if loss <= short:
                short -= loss
            else:
                needed.append(depth)
        return needed[::-1]

    def _line_of(self, cut: int) -> int:
        if cut not in self._numbers:
            self._numbers[cut] = self._add(f"pol {self._cuts[cut].made} ;")
        return self._numbers[cut]

    def _clause(
        self, taken: frozenset[int], left: frozenset[int], first: int, second: int
    ) -> int:
        """Add the clause that these items are not taken and left out together."""
        terms = [f"1 ~x{i + 1}" for i in sorted(taken)]
        terms += [f"1 x{i + 1}" for i in sorted(left)]
        return self._add(f"rup {' '.join([*terms, '>= 1'])} : {first} {second} ~ ;")

    def _add(self, line: str) -> int:
        self.lines.append(line)
        return 3 + len(self.lines)


def _cuts(lemma: Lemma) -> Iterator[_Cut]:
    """Yield the rows, and the sums of two that are worth a try."""
    rows = lemma.rows
    yield from (_Cut(factors, value) for factors, value in rows)
    (sizes, least), (_, most), (weights, top) = rows
    yield _Cut([0] * len(sizes), least + most, "1 2 +")
    pairs = zip(weights, sizes, strict=True)
    for ratio in sorted({Fraction(weight, size) for weight, size in pairs} - {0}):
        row, p, q = (1 if ratio > 0 else 0), abs(ratio.numerator), ratio.denominator
        factors = [q * y + p * s for y, s in zip(weights, rows[row][0], strict=True)]
        made = f"3 {q} * {row + 1} {p} * +"
        yield _Cut(factors, q * top + p * rows[row][1], made)
