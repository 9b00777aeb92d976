"""Proofs of tables by assignments of rows to patterns, from the trees that refute them.

The integer program of a table (:mod:`atleastk.models.certificates.pattern_pairs`) has a
choice for every pattern. Further variables, where the table needs them:

``region_j``
    Whether column j belongs to the region: 1 if it has a star, unless rows are in
    the region, too.
``beyond_t_p``
    How many rows of kind t that have pattern p are in the region, since a star of
    theirs is outside of its columns.
``class_c_q``
    Whether all rows of the classes up to c have at most q stars. If not, all later
    rows have more.
``cells_c``
    A number of cells of columns: no column of class c has more, none of the next less.
``need_t_P``
    Whether a copy of kind t has no star outside of the columns P, so that others have
    to match it. Only for the needs that the certificate names.

A split of the tree is a pair of assumptions, a leaf is one sum of lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.certificates.matching_needs import concerned, lacking, sure_by
from atleastk.models.certificates.pattern_pairs import (
    CountSplit,
    Node,
    PatternPairs,
    PatternProblem,
    bits_of,
    columns_of,
)
from atleastk.models.certificates.pattern_trees import question_of, sides_of
from atleastk.models.certificates.pattern_weights import Leaf
from atleastk.models.diversity import is_diverse
from atleastk.models.proofs.chosen import Choice, Chosen
from atleastk.models.proofs.listed import expect_few, expect_kind
from atleastk.models.proofs.vipr import Number, Program, add_lines

_NONE: Final[Mapping[int, int]] = MappingProxyType({})


def assignments_refuted(
    problem: PatternProblem, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the program of all assignments below a bound, refuted by a certificate.

    Raise `NotApplicableError` if the certificate is of a kind that is no sum over rows.
    """
    expect_kind(certificate, "count", "weights", "tree")
    question = question_of(problem, bound)
    if question is None:
        raise NotApplicableError(f"no cost is below {bound}, whatever the table")
    source = PatternPairs.of(question)
    match certificate["kind"]:
        case "tree":
            tree = certificate["tree"]
        case "weights":
            tree = {"weights": certificate["weights"], "entries": certificate["scale"]}
        case _:  # there is no pattern
            tree = {"weights": [1] * len(source.copies)}
    assigned = Assigned(source, set(_needs(tree)))
    assigned.refute(tree, Place(source.root))
    return assigned.program


class Place(NamedTuple):
    """A node of the tree, and the lines that are assumed there."""

    node: Node
    used: Mapping[int, int] = _NONE
    """By the variable of a pattern, the line that it is used, or that it is not."""
    columns: Mapping[int, int] = _NONE
    """By column, the line that it belongs to the region, or that it does not."""
    most: Mapping[int, int] = _NONE
    least: Mapping[int, int] = _NONE
    """`most`, `least`: by pair of classes, the lines that a threshold is not exceeded,
    and that it is."""
    counts: tuple[int, ...] = ()
    """The lines of the splits by counts, the topmost first."""


class NeedRows(NamedTuple):
    """The variable of a need, the row of the copies in need, and of those that help."""

    asked: int
    own: int
    helps: int


class Assigned:
    """The integer program of all assignments, and how it is refuted.

    `needs` are those that matter, each a kind and columns as bits.
    """

    def __init__(
        self, source: PatternPairs, needs: Collection[tuple[int, int]] = ()
    ) -> None:
        question = source.table
        m, whole = question.m, (1 << question.m) - 1
        self.source, self.whole = source, whole
        self.copies: list[int] = source.copies.tolist()
        self.class_of: list[int] = source.class_of.tolist()
        self.row_weights: list[int] = source.row_weights.tolist()
        self.stars = [bits_of(hidden.nonzero()[0].tolist()) for hidden in source.hidden]
        kinds: list[list[int]] = [[] for _ in self.stars]
        pairs = zip(source.pattern.tolist(), source.kind.tolist(), strict=True)
        self.numbered = list(pairs)
        for p, kind in self.numbered:
            kinds[p].append(kind)
        limited = "columns" in question.region
        listed = [
            p
            for p, stars in enumerate(self.stars)
            if limited or not question.deletion or stars in (0, whole)
        ]
        choices = (
            Choice(
                self._name(p, kinds[p][0]),
                kinds[p],
                source.least,
                most=1,
                groups=self._groups(kinds[p]),
            )
            for p in listed
        )
        self.chosen = Chosen.of(self._about(sorted(needs)), choices, self.copies)
        self.program = program = self.chosen.program
        self.made = dict(zip(listed, self.chosen.made, strict=True))
        self.pairs = {
            (p, kind): x
            for p, made in self.made.items()
            for kind, x in made.pairs.items()
        }
        self.region = [
            program.variable(f"region_{j}", 1) for j in range(m if limited else 0)
        ]
        self.within = dict(self._within())
        self.classes = [
            [program.variable(f"class_{c}_{q}", 1) for q in range(m)]
            for c in range(source.boundaries)
        ]
        self.chains = [
            [
                program.row(f"chain_{c}_{q}", "L", {a: 1, b: -1}, 0)
                for q, (a, b) in enumerate(pairwise(found))
            ]
            for c, found in enumerate(self.classes)
        ]
        self.ranked = dict(self._ranked())
        self.ordered = list(self._ordered())
        self.beyond: dict[tuple[int, int, int], int] = {}
        self.limits = {
            quantity: self._limited(quantity, most)
            for quantity, most in question.limits.items()
            if quantity != "per_row"
        }
        self.needs = {need: self._needed(*need) for need in sorted(needs)}

    def _groups(self, kinds: Sequence[int]) -> list[dict[int, int]] | None:
        """Return the admissible groups of some kinds in diversity.

        None if there are no sensitive values: then all groups are admissible.
        """
        diverse = self.source.problem.diverse
        if diverse is None:
            return None
        expect_few(prod(self.copies[kind] + 1 for kind in kinds))
        diverse = diverse.written_out
        rows: dict[bytes, list[int]] = {}
        for row, values in enumerate(diverse.values):
            rows.setdefault(values.tobytes(), []).append(row)
        alike = {kind: rows[self.source.values[kind].tobytes()] for kind in kinds}
        groups = []
        for times in product(*(range(self.copies[kind] + 1) for kind in kinds)):
            if sum(times) < self.source.least:
                continue
            group = {kind: n for kind, n in zip(kinds, times, strict=True) if n}
            # Rows with the same sensitive values are interchangeable.
            taken: dict[int, int] = {}
            for kind, n in group.items():
                first = alike[kind][0]
                taken[first] = taken.get(first, 0) + n
            members = [
                row
                for kind in group
                for row in alike[kind][: taken.pop(alike[kind][0], 0)]
            ]
            if is_diverse(diverse, members):
                groups.append(group)
        return groups

    def refute(self, tree: Mapping[str, Any] | None, place: Place) -> int:
        """Return the contradiction of a node."""
        if tree is None:
            (limit,) = self.limits["columns"]
            columns = place.columns.items()
            inside = {line: -1 for j, line in columns if place.node.inside >> j & 1}
            return self.program.refuted({limit: 1, **inside})
        if "yes" not in tree:
            leaf = Leaf.parsed(tree, self.source, len(place.counts))
            return self._refute_leaf(leaf, place)
        terms, value = self._split(tree)
        cases = self.program.cases(terms, value)
        below, above = (
            self.refute(
                tree["yes" if below == _counts(tree) else "no"],
                self._side(tree, place, below, line),
            )
            for below, line in ((True, cases.below), (False, cases.above))
        )
        return self.program.joined(cases, below, above)

    def _split(self, tree: Mapping[str, Any]) -> tuple[dict[int, int], int]:
        """Return a sum and a value that divide it."""
        if "column" in tree:
            return {self.region[tree["column"]]: 1}, 0
        if "class" in tree:
            c, most = tree["class"], tree["at_most"]
            if most >= len(self.classes[c]):
                raise NotApplicableError(
                    "a threshold of as many stars as columns has no variable"
                )
            return {self.classes[c][most]: 1}, 0
        if "pattern" in tree:
            return {self.made[self._pattern(tree)].used: 1}, 0
        columns = bits_of(tree["keeps"] if "keeps" in tree else tree["stars"])
        split = CountSplit(tree.get("kind"), columns, tree["at_most"])
        counted = self.source.counted(split).tolist()
        numbers = self.numbered
        pairs = [pair for pair, counts in zip(numbers, counted, strict=True) if counts]
        terms = {self.pairs[pair]: 1 for pair in pairs if pair in self.pairs}
        return terms, tree["at_most"]

    def _side(
        self, tree: Mapping[str, Any], place: Place, below: bool, line: int
    ) -> Place:
        """Return a side of a split, with its assumptions."""
        yes, no = sides_of(tree, self.source, place.node)
        before, node = place.node, yes if below == _counts(tree) else no
        place = place._replace(node=node)
        if "column" in tree:
            return place._replace(columns={**place.columns, tree["column"]: line})
        if "class" in tree:
            c = tree["class"]
            if node.least[c] > before.least[c]:
                return place._replace(least={**place.least, c: line})
            if node.most[c] < before.most[c]:
                return place._replace(most={**place.most, c: line})
            return place
        if "pattern" in tree:
            used = self.made[self._pattern(tree)].used
            return place._replace(used={**place.used, used: line})
        return place._replace(counts=(*place.counts, line))

    def _refute_leaf(self, leaf: Leaf, place: Place) -> int:
        weights = leaf.weights if self.made else [1] * len(leaf.weights)
        combined: dict[int, Number] = {**self.chosen.worth(weights)}
        for quantity, factors in (
            ("entries", (leaf.entries,)),
            ("rows", (leaf.rows,)),
            ("per_column", leaf.per_column),
        ):
            if any(factors):
                combined.update(zip(self.limits[quantity], factors, strict=True))
        for (lower, upper), factors in zip(
            self.ordered, leaf.column_order, strict=True
        ):
            combined.update({row: factors[j] for j, row in lower.items()})
            combined.update({row: -factors[j] for j, row in upper.items()})
        splits = zip(place.node.counts, place.counts, leaf.splits, strict=True)
        combined.update({line: split.sign * s for split, line, s in splits})
        if leaf.rows:
            add_lines(combined, leaf.rows, self._rows_outside(place))
        for kind, columns, weight in leaf.needs:
            add_lines(combined, weight, self._matched(place, kind, columns))
        barred = dict(self._barred(place))
        combined = self.chosen.bounded(combined, barred)
        left = self.program.left(combined)
        for x, lines in barred.items():
            if left.get(x, 0) < 0:
                add_lines(combined, -left[x], lines)
        bounds = dict(place.used)
        for made, lines in self._closed(place):
            if left.get(made, 0) < 0:
                bounds[made] = self.program.rounded("L", {made: 1}, lines)
        return self.program.refuted(combined, bounds)

    def _matched(self, place: Place, kind: int, columns: int) -> dict[int, Number]:
        """Return lines that rows of a kind have the matches that they need."""
        need, share = self.needs[kind, columns], Fraction(1, self.copies[kind])
        number = sure_by(self.source, place.node, kind, columns)
        if number is None:
            return self.unsure(kind, need)
        lines = {place.counts[number]: share, need.own: -share}
        sure = self.program.rounded("G", {need.asked: 1}, lines)
        return {need.helps: -1, sure: -lacking(self.source, kind)}

    def unsure(self, kind: int, need: NeedRows) -> dict[int, Number]:
        """Return lines of a need that hold whether or not there is such a copy."""
        return {need.helps: -self.copies[kind], need.own: lacking(self.source, kind)}

    def _rows_outside(self, place: Place) -> dict[int, Number]:
        """Return lines that the rows with a star outside of the region are in it."""
        lines: dict[int, Number] = {}
        for p, kind in self.pairs:
            for j, line in place.columns.items():
                if (self.stars[p] & place.node.outside) >> j & 1:
                    add_lines(
                        lines, 1, {self.beyond[p, kind, j]: 1, line: self.copies[kind]}
                    )
                    break
        return lines

    def _closed(self, place: Place) -> Iterator[tuple[int, Mapping[int, Number]]]:
        """Yield the variables of patterns that do not fit the region, and why."""
        for (p, j), row in self.within.items():
            starred = self.stars[p] >> j & 1
            if (place.node.outside if starred else place.node.inside) >> j & 1:
                sign = 1 if starred else -1
                yield self.made[p].used, {row: 1, place.columns[j]: sign}

    def _barred(self, place: Place) -> Iterator[tuple[int, Mapping[int, Number]]]:
        """Yield the pairs that thresholds do not permit, and why: at most 0 of them."""
        for (p, kind, c), row in self.ranked.items():
            stars, copies = self.stars[p].bit_count(), self.copies[kind]
            below = self.class_of[kind] <= c
            most, least = place.node.most[c], place.node.least[c]
            if below and stars > most:
                chain = self.chains[c][most : stars - 1]
                why = {**dict.fromkeys(chain, copies), place.most[c]: -copies, row: 1}
            elif not below and stars < least:
                chain = self.chains[c][stars : least - 1]
                why = {**dict.fromkeys(chain, copies), place.least[c]: copies, row: 1}
            else:
                continue
            yield self.pairs[p, kind], why

    def _within(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield the rows that link columns of the region and patterns in use.

        By pattern and column; that is 1 if the pattern hides it, and with deletion 0
        otherwise.
        """
        question = self.source.table
        if not self.region or ("rows" in question.region and not question.deletion):
            return
        for p, made in self.made.items():
            if "rows" in question.region and self.stars[p] == self.whole:
                continue
            for j, column in enumerate(self.region):
                name = f"within_{j}_{made.choice.name}"
                if self.stars[p] >> j & 1:
                    row = self.program.row(name, "L", {made.used: 1, column: -1}, 0)
                    yield (p, j), row
                elif question.deletion:
                    row = self.program.row(name, "L", {made.used: 1, column: 1}, 1)
                    yield (p, j), row

    def _ranked(self) -> Iterator[tuple[tuple[int, int, int], int]]:
        """Yield the rows of thresholds, by pattern, kind and threshold."""
        for c, found in enumerate(self.classes):
            for (p, kind), x in self.pairs.items():
                stars, copies = self.stars[p].bit_count(), self.copies[kind]
                name = f"class_{c}_{self.program.names[x]}"
                if self.class_of[kind] > c and stars < len(found):
                    terms = {x: 1, found[stars]: -copies}
                    yield (p, kind, c), self.program.row(name, "L", terms, 0)
                elif self.class_of[kind] <= c and stars:
                    terms = {x: 1, found[stars - 1]: copies}
                    yield (p, kind, c), self.program.row(name, "L", terms, copies)

    def _ordered(self) -> Iterator[tuple[dict[int, int], dict[int, int]]]:
        """Yield the rows of the order of columns, for two successive classes."""
        classes = self.source.table.column_order or ()
        for c, (here, after) in enumerate(pairwise(classes)):
            cells = self.program.variable(f"cells_{c}")
            lower, upper = (
                {
                    j: self.program.row(
                        f"order_{c}_{j}",
                        "L",
                        {**dict.fromkeys(self._hiding(j), sign), cells: -sign},
                        0,
                    )
                    for j in members
                }
                for members, sign in ((here, 1), (after, -1))
            )
            yield lower, upper

    def _limited(self, quantity: str, most: int) -> list[int]:
        row = self.program.row
        match quantity:
            case "entries":
                stars = {
                    x: self.stars[p].bit_count() * self.row_weights[kind]
                    for (p, kind), x in self.pairs.items()
                }
                paid = {x: count for x, count in stars.items() if count}
                return [row("entries", "L", paid, most)]
            case "per_column":
                return [
                    row(f"cells_of_{j}", "L", dict.fromkeys(self._hiding(j), 1), most)
                    for j in range(self.source.table.m)
                ]
            case "columns":
                return [row("columns", "L", dict.fromkeys(self.region, 1), most)]
            case _:
                return [row("rows", "L", dict.fromkeys(self._outside(), 1), most)]

    def _outside(self) -> Iterator[int]:
        """Yield the variables that count the rows of the region."""
        for (p, kind), x in self.pairs.items():
            if not self.region:
                if self.stars[p]:
                    yield x
                continue
            name = f"beyond_{self.program.names[x]}"
            beyond = self.program.variable(name)
            for j, column in enumerate(self.region):
                if self.stars[p] >> j & 1:
                    terms = {x: 1, beyond: -1, column: -self.copies[kind]}
                    row = self.program.row(f"{name}_{j}", "L", terms, 0)
                    self.beyond[p, kind, j] = row
            yield beyond

    def _needed(self, kind: int, columns: int) -> NeedRows:
        """Add the variable and the rows of a need."""
        name = _name_of_need(kind, columns)
        asked = self.program.variable(name, 1)
        own, helps = (
            {
                self.pairs[pair]: 1
                for pair, counts in zip(self.numbered, rows.tolist(), strict=True)
                if counts
            }
            for rows in concerned(self.source, kind, columns)
        )
        asking = {**own, asked: -self.copies[kind]}
        helping = {**helps, asked: -lacking(self.source, kind)}
        return NeedRows(
            asked,
            self.program.row(f"{name}_of", "L", asking, 0),
            self.program.row(f"{name}_met", "G", helping, 0),
        )

    def _hiding(self, column: int) -> list[int]:
        """Return the variables of the cells of a column that are suppressed."""
        return [x for (p, _), x in self.pairs.items() if self.stars[p] >> column & 1]

    def _pattern(self, tree: Mapping[str, Any]) -> int:
        number = self.source.number_of(tree["kind"], bits_of(tree["pattern"]))
        assert number is not None
        return number

    def _name(self, pattern: int, kind: int) -> str:
        codes, stars = self.source.codes[kind].tolist(), self.stars[pattern]
        return ".".join("*" if stars >> j & 1 else str(c) for j, c in enumerate(codes))

    def _about(self, needs: Sequence[tuple[int, int]]) -> Iterator[str]:
        question = self.source.table
        ordered = question.row_order or question.column_order
        every = question.deletion or ordered or self.source.problem.matches
        closed = "" if every else "closed "
        yield (
            "Variables: whether a pattern is used, and how many rows of each kind have "
            "it: all"
        )
        yield f"{closed}patterns that {self.source.least} or more rows match."
        if self.source.problem.diverse is not None:
            yield "And whether a group of them is: all that keep values apart."
        for limit, most in question.limits.items():
            yield f"Limit of {limit.replace('_', ' ')}: {most}."
        yield "Kinds of rows, their values numbered by first appearance, and how many:"
        classes = self.class_of if question.row_order else [0] * len(self.copies)
        kinds = zip(self.source.codes.tolist(), self.copies, classes, strict=True)
        for kind, (codes, copies, c) in enumerate(kinds):
            where = f", class {c}" if question.row_order else ""
            weight = self.row_weights[kind]
            heavy = f", {weight} for a cell" if weight != 1 else ""
            values = " ".join(map(str, codes))
            yield f"  item{kind}: {values} x {copies}{where}{heavy}"
        if needs:
            yield (
                "need_t_P: a row of kind t has stars on columns P alone, so others "
                "match it."
            )
            yield "Needs: " + " ".join(_name_of_need(*need) for need in needs)


def _name_of_need(kind: int, columns: int) -> str:
    return "_".join(("need", str(kind), *map(str, columns_of(columns))))


def _needs(tree: Mapping[str, Any] | None) -> Iterator[tuple[int, int]]:
    if tree is not None:
        for kind, columns, _ in tree.get("needs", ()):
            yield kind, bits_of(columns)
        for side in ("yes", "no"):
            yield from _needs(tree.get(side))


def _counts(tree: Mapping[str, Any]) -> bool:
    """Tell whether a node splits by a count, so that ``yes`` is the side below."""
    return "keeps" in tree or "stars" in tree
