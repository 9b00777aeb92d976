"""Proofs over choices - patterns, balls - to which items are assigned.

A *choice* is a type of group: items that may have it, a least number of them if it is
in use, and items that are forced to have it then. The program has for every choice p
the number of its uses, b_p, and for every item i that may have it the number of copies
that do, x_ip:

    sum over p of x_ip  =  the copies of i
    x_ip  <=  (the copies of i) b_p,        =  b_p  if i is forced
    sum over i of x_ip  >=  (the fewest) b_p

The best group
--------------
Let t_i be the coefficients of x_ip in a sum of lines, and let theta <= 0 be that of the
last item that is needed to reach the least number. Then

    sum of t_i x_ip  <=  V b_p,
    V  =  the sum of (t_i - theta)+ over all copies  +  theta (the fewest),

by the rows above, times (t_i - theta)+, and -theta. V is the greatest value of a group:
the forced items, of the others the greatest t until there are enough, and all further
positive ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.proofs.listed import Outliers
from atleastk.models.proofs.vipr import Number, Program, Terms

_MOST_PAIRS: Final = 300_000
"""The most pairs of a choice and an item: about 50 megabytes of proof."""


class Choice(NamedTuple):
    """A type of group."""

    name: str
    items: Sequence[int]
    """The items that may have it."""
    fewest: int
    """The least number of copies that have it, if it is in use."""
    forced: frozenset[int] = frozenset()
    """Items that have it if it is in use, each once."""
    most: int | None = None
    """The most uses; None if that is not limited."""
    groups: Sequence[Mapping[int, int]] | None = None
    """The groups, each the multiplicities of its items; None if all that are large
    enough are admissible."""


class Made(NamedTuple):
    """The variables and rows of a choice."""

    choice: Choice
    used: int
    """The variable b_p."""
    pairs: Mapping[int, int]
    """The variables x_ip, by item."""
    links: Mapping[int, int]
    """The rows x_ip <= copies b_p, by item."""
    enough: int
    """The row of the least number of items."""
    shares: Mapping[int, int] = {}
    """By item, the row that it is in one of the groups; empty if these are not
    listed."""
    one: int = -1
    """The row that one of its groups is used if it is."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The program of some choices."""

    program: Program
    copies: Sequence[int]
    """The multiplicity of every item."""
    made: Sequence[Made]
    rows: Sequence[int]
    """By item, the row that all its copies have a choice, or are left out."""
    out: Outliers
    """The variables of outliers, if there may be any."""

    @classmethod
    def of(
        cls,
        about: Iterable[str],
        choices: Iterable[Choice],
        copies: Sequence[int],
        outliers: int = 0,
    ) -> Chosen:
        """Return the program; `outliers` items may be left out."""
        program = Program(about)
        terms_of: list[dict[int, int]] = [{} for _ in copies]
        made, pairs = [], 0
        for choice in choices:
            pairs += len(choice.items) + sum(map(len, choice.groups or ()))
            if pairs > _MOST_PAIRS:
                raise NotApplicableError(
                    f"there are more than {_MOST_PAIRS:,} ways to put one item into a "
                    "group, the proof would have some 50 megabytes or more"
                )
            used = program.variable(f"use_{choice.name}", choice.most)
            mine = {i: program.variable(f"item{i}_{choice.name}") for i in choice.items}
            links = {
                i: program.row(
                    f"link{i}_{choice.name}",
                    "E" if i in choice.forced else "L",
                    {x: 1, used: -(1 if i in choice.forced else copies[i])},
                    0,
                )
                for i, x in mine.items()
            }
            enough = {**dict.fromkeys(mine.values(), 1), used: -choice.fewest}
            row = program.row(f"enough_{choice.name}", "G", enough, 0)
            one = Made(choice, used, mine, links, row)
            made.append(one if choice.groups is None else _with_groups(program, one))
            for i, x in mine.items():
                terms_of[i][x] = 1
        out = Outliers.of(program, terms_of, outliers)
        rows = [
            program.row(f"item{i}", "E", terms, number)
            for i, (terms, number) in enumerate(zip(terms_of, copies, strict=True))
        ]
        return cls(program, copies, made, rows, out)

    @property
    def count(self) -> dict[int, int]:
        """The factors of the number of groups."""
        return {made.used: 1 for made in self.made}

    def worth(self, weights: Sequence[Number]) -> dict[int, Number]:
        """Return the rows of the items, times their worth."""
        pairs = zip(self.rows, weights, strict=True)
        return {row: -weight for row, weight in pairs if weight}

    def greatest(self, combined: Terms) -> list[Number]:
        """Return V of every choice, from a sum without any x."""
        left = self.program.left(combined)
        return [-left.get(made.used, 0) for made in self.made]

    def bounded(self, combined: Terms, barred: Iterable[int] = ()) -> dict[int, Number]:
        """Return a sum of lines, with the rows added that replace all x by b.

        `barred` are the variables of pairs that are 0 by other lines.
        """
        left, out = self.program.left(combined), set(barred)
        found = dict(combined)
        for made in self.made:
            worth = {i: -left.get(x, 0) for i, x in made.pairs.items() if x not in out}
            if made.choice.groups is not None:
                found.update({made.shares[i]: value for i, value in worth.items()})
                values = [
                    sum(worth.get(i, 0) * times for i, times in group.items())
                    for group in made.choice.groups
                ]
                found[made.one] = -max(values, default=0)
                continue
            last = self._last(made.choice, worth)
            for i, value in worth.items():
                if value > last or i in made.choice.forced:
                    found[made.links[i]] = value - last
            if last:
                found[made.enough] = last
        return found

    def _last(self, choice: Choice, worth: Mapping[int, Number]) -> Number:
        """Return theta of a choice, given the worth of its items."""
        missing = choice.fewest - len(choice.forced)
        last: Number = 0
        for i in sorted(worth, key=lambda i: -worth[i]):
            if missing > 0 and i not in choice.forced:
                missing -= self.copies[i]
                last = min(0, worth[i])
        if missing <= 0:
            return last
        # Too few items: the less theta is, the less is V.
        whole = sum(
            value if i in choice.forced else value * self.copies[i]
            for i, value in worth.items()
        )
        return min([0, *worth.values(), -max(0, -(-whole // missing))])


def _with_groups(program: Program, made: Made) -> Made:
    """Return the variables and rows of a choice with listed groups."""
    name = made.choice.name
    whole = {made.used: 1}
    terms_of = {i: {x: 1} for i, x in made.pairs.items()}
    for group in made.choice.groups or ():
        items = "_".join(str(i) for i, times in group.items() for _ in range(times))
        variable = program.variable(f"group_{items}_{name}", 1)
        whole[variable] = -1
        for i, times in group.items():
            terms_of[i][variable] = -times
    shares = {
        i: program.row(f"share{i}_{name}", "E", terms, 0)
        for i, terms in terms_of.items()
    }
    one = program.row(f"one_{name}", "E", whole, 0)
    return made._replace(shares=shares, one=one)
