"""Proofs of k-ambiguity: rows are assigned to patterns, and others match them.

The program has the needs that the certificate names. A tree is written as those of
other tables. The bound by columns becomes a tree as well: a value that too few rows
have is suppressed in all of them, unless enough others have a star in its column.

Weights are written case by case, for every number h of rows that are suppressed in all
columns. Let t need d_t matches, and let w be 1 if a copy of t has no star. The rows
that are not suppressed as a whole and help t are at least d_t w - h, and at least 0;
since w is 0 or 1 they are at least (d_t - h) w. The sum of these lines, each times the
weight of t, is the sum of :mod:`atleastk.models.certificates.k_ambiguity`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import numpy as np

from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import pattern_problem
from atleastk.models.certificates.matching_needs import lacking
from atleastk.models.certificates.pattern_pairs import PatternPairs
from atleastk.models.certificates.pattern_trees import question_of
from atleastk.models.k_ambiguity import needed_in_column, useful_columns
from atleastk.models.proofs.pattern_trees import Assigned, assignments_refuted
from atleastk.models.proofs.vipr import Number, Program, add_lines

_MOST_KINDS: Final = 200
"""Kinds of rows: trees of columns are as deep, and proofs of trees are recursive."""


def refuted(
    instance: KAmbiguity, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    problem = pattern_problem(instance)
    if certificate["kind"] == "count":
        certificate = {"kind": "tree", "tree": _too_few(instance)}
    elif certificate["kind"] == "columns":
        certificate = {"kind": "tree", "tree": _tree_of_columns(instance)}
    question = question_of(problem, bound)
    if certificate["kind"] != "weights" or question is None or bound is None:
        return assignments_refuted(problem, certificate, bound)
    weighed = _Weighed(PatternPairs.of(question), certificate["weights"], bound)
    weighed.refute(instance.k)
    return weighed.assigned.program


def _too_few(instance: KAmbiguity) -> Mapping[str, Any]:
    """Return the leaf that refutes fewer than k rows: too few help the first kind."""
    first, *others = instance.records.copies.tolist()
    weights = [instance.k - first, *[-first] * len(others)]
    return {"weights": weights, "needs": [[0, list(range(instance.m)), 1]]}


def _tree_of_columns(instance: KAmbiguity) -> Mapping[str, Any]:
    """Return the tree that branches on the rows that hide each column in turn."""
    records = instance.records
    if records.distinct > _MOST_KINDS:
        raise NotApplicableError(
            f"proofs of columns are for no more than {_MOST_KINDS} kinds of rows"
        )
    columns = useful_columns(instance).tolist()
    needed = {j: needed_in_column(instance, j) for j in columns}
    divided = [j for j in columns if needed[j]]
    tree: Mapping[str, Any] = {
        "weights": [0] * records.distinct,
        "entries": 1,
        "splits": [1] * len(divided),
    }
    for above, j in reversed(list(enumerate(divided))):
        most = needed[j] - 1
        few = _few_hide(instance, j, most, above)
        tree = {"stars": [j], "at_most": most, "yes": few, "no": tree}
    return tree


def _few_hide(
    instance: KAmbiguity, column: int, most: int, above: int
) -> Mapping[str, Any]:
    """Return the tree that refutes at most `most` stars, below `above` more splits."""
    records = instance.records
    values, copies = records.codes[:, column], records.copies
    rows = np.bincount(values, weights=copies).astype(np.int64)[values]
    rare = np.flatnonzero(rows < instance.k - most).tolist()
    others = [j for j in range(instance.m) if j != column]
    hidden = np.zeros(records.distinct, dtype=np.int64)
    hidden[rare] = 1
    tree: dict[str, Any] = {
        "weights": hidden.tolist(),
        "splits": [*[0] * above, *[1] * (1 + len(rare))],
    }
    for place, kind in reversed(list(enumerate(rare))):
        alike = -(values == values[kind]).astype(np.int64)
        alike[kind] = 0
        keep = {
            "weights": alike.tolist(),
            "splits": [*[0] * above, 1, *[0] * (1 + place)],
            "needs": [[kind, others, 1]],
        }
        tree = {"kind": kind, "keeps": [column], "at_most": 0, "yes": tree, "no": keep}
    return tree


class _Weighed:
    """The refutation by weights of the kinds."""

    def __init__(self, pairs: PatternPairs, weights: Sequence[int], bound: int) -> None:
        needs = {(t, 0) for t, u in enumerate(weights) if u}
        self.assigned = assigned = Assigned(pairs, needs)
        self._weights, self._bound = weights, bound
        self._copies = assigned.copies
        self._lacking = [lacking(pairs, t) for t in range(len(assigned.copies))]
        self._cells = [
            (x, t, assigned.stars[p].bit_count())
            for (p, t), x in assigned.pairs.items()
        ]
        self._m = max((stars for *_, stars in self._cells), default=0)
        self._whole = {x: 1 for x, _, stars in self._cells if stars == self._m}

    def refute(self, k: int) -> None:
        """Add the contradiction: by all rows at once, or by cases."""
        lines: dict[int, Number] = {}
        for (kind, _), need in self.assigned.needs.items():
            share = Fraction(self._weights[kind], self._copies[kind])
            add_lines(lines, share, self.assigned.unsure(kind, need))
        try:
            self._refute_sum(lines)
        except CertificateError:
            self._refute_cases(k)

    def _refute_cases(self, k: int) -> None:
        """Add the contradictions for all numbers of rows that are hidden as a whole."""
        program, joins = self.assigned.program, []
        at_least: int | None = None
        for number in range(k - 1):
            cases = program.cases(self._whole, number)
            lines = self._weighed(number, cases.below)
            found = self._refute_sum(lines, number, at_least, cases.below)
            joins.append((cases, found))
            at_least = cases.above
        (entries,) = self.assigned.limits["entries"]
        many = {} if at_least is None else {at_least: -self._m}
        above = program.refuted({entries: 1, **many})
        for cases, below in reversed(joins):
            above = program.joined(cases, below, above)

    def _weighed(self, number: int, at_most: int) -> dict[int, Number]:
        """Return the lines of all needs, times the weights, if `number` are hidden."""
        program = self.assigned.program
        lines: dict[int, Number] = {}
        for (kind, _), need in self.assigned.needs.items():
            left = self._lacking[kind] - number
            if left <= 0:
                continue
            helped = program.line(need.helps).terms
            terms: dict[int, Number] = {
                x: c for x, c in helped.items() if x not in self._whole
            }
            terms[need.asked] = -left
            cases = program.cases({need.asked: 1}, 0)
            none = program.rounded("G", terms, {cases.below: -left})
            some = {need.helps: 1, at_most: -1, cases.above: number}
            met = program.joined(cases, none, program.rounded("G", terms, some))
            weight, copies = self._weights[kind], self._copies[kind]
            own: dict[int, Number] = {
                met: -weight,
                need.own: Fraction(weight * left, copies),
            }
            add_lines(lines, 1, own)
        return lines

    def _refute_sum(
        self,
        lines: Mapping[int, Number],
        number: int | None = None,
        at_least: int | None = None,
        at_most: int | None = None,
    ) -> int:
        """Return the contradiction of lines with the limit of cells.

        `number` rows are hidden as a whole, if two lines fix them.
        """
        program = self.assigned.program
        left = program.left(lines)
        paid = {x: Fraction(left.get(x, 0)) for x, *_ in self._cells}
        shown = {kind: paid[x] for x, kind, stars in self._cells if not stars}
        whole = self._whole if number is not None and self._m > 1 else {}
        shares = (
            (shown[kind] - paid[x]) / stars
            for x, kind, stars in self._cells
            if stars and x not in whole
        )
        scale = max(shares, default=Fraction(0))
        (entries,) = self.assigned.limits["entries"]
        combined = {**lines, entries: scale}
        if number is not None and at_most is not None:
            spare = self._next(shown, number) - scale * self._m
            if spare > 0:
                combined[at_most] = combined.get(at_most, 0) + spare
            elif at_least is not None:
                combined[at_least] = spare
        left = program.left(combined)
        of_kinds: list[list[Number]] = [[] for _ in self._copies]
        for x, kind, _ in self._cells:
            of_kinds[kind].append(left.get(x, 0))
        worth = [min(values) for values in of_kinds]
        combined.update(self.assigned.chosen.worth(worth))
        return program.refuted(self.assigned.chosen.bounded(combined))

    def _next(self, values: Mapping[int, Fraction], number: int) -> Fraction:
        """Return the value of the row after `number` rows of greater ones."""
        for kind in sorted(values, key=lambda kind: -values[kind]):
            number -= self._copies[kind]
            if number < 0:
                return values[kind]
        return Fraction(0)
