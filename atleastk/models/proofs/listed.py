"""Proofs over a list of all admissible groups: weights, one case per number of groups.

The program has a variable for the uses of every group, and a row for every item (or
kind of equal items): the groups hold all its copies, or at most these where it may be
left out. By the theorem of
:mod:`atleastk.models.certificates.weights` integer weights y of the items refute it:
the sum of the rows, each times y, contradicts the number of groups, each times the
greatest y(S).

With weights for every number p of groups (:mod:`atleastk.models.proofs.parts`) the
proof first bounds that number, then goes through its cases. In each of them no group is
above W - (p - 1) k or below W - (p - 1) K, where W is the weight of all items: one
rounded line excludes all such groups, since the others weigh at least k and at most K.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.proofs.vipr import Cases, Number, Program, Terms

MOST_GROUPS = 200_000
"""The most groups that are listed: about 50 megabytes of proof."""


def expect_kind(certificate: Mapping[str, Any], *known: str) -> None:
    """Raise `NotApplicableError` unless a certificate is of these kinds."""
    kind = certificate["kind"]
    if kind not in known:
        raise NotApplicableError(
            f"a certificate of kind {kind} has no sums over groups to write"
        )


def expect_few(groups: int | None) -> None:
    """Raise `NotApplicableError` for too many groups; None: more than are counted."""
    if groups is None or groups > MOST_GROUPS:
        count = f"more than {MOST_GROUPS:,}" if groups is None else f"up to {groups:,}"
        raise NotApplicableError(
            f"{count} groups would have to be listed: some 50 megabytes of proof, or "
            "more"
        )


class Outliers(NamedTuple):
    """Items that may be in no group: their variables, and the row of their number."""

    variables: Sequence[int] = ()
    row: int | None = None

    @classmethod
    def of(
        cls, program: Program, terms_of: Sequence[dict[int, int]], most: int
    ) -> Outliers:
        """Add the variables of outliers, if there may be any, to the terms of items."""
        if not most:
            return cls()
        variables = [program.variable(f"out{i}", 1) for i in range(len(terms_of))]
        for terms, out in zip(terms_of, variables, strict=True):
            terms[out] = 1
        row = program.row("outliers", "L", dict.fromkeys(variables, 1), most)
        return cls(variables, row)


class Group(NamedTuple):
    """A group that may be used: its items with their multiplicities."""

    name: str
    items: Mapping[int, int]
    most: int = 1  # the most uses

    def sum(self, values: Sequence[int]) -> int:
        """Return the sum of the values of its items."""
        return sum(values[item] * times for item, times in self.items.items())


@dataclass(frozen=True, slots=True)
class Listed:
    """The program of a list of groups."""

    program: Program
    groups: Sequence[Group]
    demand: Sequence[int]  # the multiplicity of every item
    rows: Sequence[int]  # the line of every item
    out: Outliers  # the variables of outliers, if there may be any

    @classmethod
    def of(
        cls,
        about: Iterable[str],
        groups: Sequence[Group],
        demand: Sequence[int],
        optional: Sequence[bool] | None = None,
        outliers: int = 0,
    ) -> Listed:
        """Return the program in which groups hold all copies of the items.

        `optional` items may be left out, and at most `outliers` others.
        """
        expect_few(len(groups))
        program = Program(about)
        terms_of: list[dict[int, int]] = [{} for _ in demand]
        for group in groups:
            variable = program.variable(group.name, group.most)
            for item, times in group.items.items():
                terms_of[item][variable] = times
        out = Outliers.of(program, terms_of, outliers)
        senses = ["L" if left else "E" for left in optional or [False] * len(demand)]
        rows = [
            program.row(f"item{i}", sense, terms, copies)
            for i, (sense, terms, copies) in enumerate(
                zip(senses, terms_of, demand, strict=True)
            )
        ]
        return cls(program, groups, demand, rows, out)

    @property
    def count(self) -> dict[int, int]:
        """The factors of the number of groups."""
        return dict.fromkeys(range(len(self.groups)), 1)

    @property
    def missed(self) -> int | None:
        """An item that must be in a group but is in none of the list, if any."""
        lines = map(self.program.line, self.rows)
        empty = (i for i, row in enumerate(lines) if not row.terms and row.sense == "E")
        return next(empty, None)

    def summed(
        self, values: Sequence[int], factor: Fraction | int = 1
    ) -> dict[int, Number]:
        """Return the rows, each times the value of its item and the factor."""
        return {
            row: value * factor
            for row, value in zip(self.rows, values, strict=True)
            if value
        }

    def fewest(self, values: Sequence[int]) -> int:
        """Return the line of the fewest groups, by an upper bound of each."""
        most = max(group.sum(values) for group in self.groups)
        combined = self.summed(values, Fraction(1, most))
        return self.program.rounded("G", self.count, combined)

    def most(self, values: Sequence[int]) -> int:
        """Return the line of the most groups, by a lower bound of each."""
        least = min(group.sum(values) for group in self.groups)
        combined = self.summed(values, Fraction(1, least))
        return self.program.rounded("L", self.count, combined)

    def numbers(self, fewest: int, most: int) -> range:
        """Return the numbers of groups between two lines."""
        line = self.program.line
        return range(int(line(fewest).value), int(line(most).value) + 1)

    def others(self, items: Iterable[int], line: int) -> int:
        """Return the line that no group holds an item but those of another line."""
        combined = {**{self.rows[i]: 1 for i in items}, line: -1}
        left = {v: int(c) for v, c in self.program.left(combined).items() if c}
        return self.program.rounded("L", left, combined)

    def by_pair(self, a: int, b: int) -> tuple[Cases, tuple[int, ...]]:
        """Return the cases that no group holds both of two items, and that one does.

        And the lines that follow in the second case: no group holds one of them alone.
        """
        both = {
            g: 1 for g, group in enumerate(self.groups) if {a, b} <= group.items.keys()
        }
        cases = self.program.cases(both, 0)
        return cases, tuple(self.others({i}, cases.above) for i in (a, b))

    def refute(
        self,
        weights: Sequence[int],
        counted: tuple[int, int] | None = None,
        more: Terms = MappingProxyType({}),
        none: Sequence[int] = (),
        bounds: Mapping[int, int] = MappingProxyType({}),
        empty: int = 0,
    ) -> int:
        """Return the contradiction that weights give; any do if nothing is left.

        `counted` are the lines of the fewest and the most groups, `more` factors of
        further lines, `none` lines that variables are 0, with factors large enough to
        cancel them, and `bounds` lines that bound single variables. If no group is
        left by these, `empty` stands for the greatest weight of one.
        """
        out = {v for line in none for v in self.program.line(line).terms}
        groups = [g for g in self.count if g not in out and g not in bounds]
        if not groups and not more:
            weights = [int(self.program.line(row).sense == "E") for row in self.rows]
        combined = {**self.summed(weights, -1), **more}
        left = self.program.left(combined)
        greatest = max((-left.get(g, 0) for g in groups), default=empty)
        if greatest and counted is not None:
            line = counted[greatest > 0]
            combined[line] = combined.get(line, 0) + greatest
        left = self.program.left(combined)
        for line in none:
            terms = self.program.line(line).terms
            lacking = (
                -Fraction(left.get(v, 0)) / c
                for v, c in terms.items()
                if v not in bounds
            )
            short = max(lacking, default=Fraction(0))
            if short > 0:
                combined[line] = combined.get(line, 0) + short
                for v, c in terms.items():
                    left[v] = left.get(v, 0) + short * c
        return self.program.refuted(combined, bounds)
