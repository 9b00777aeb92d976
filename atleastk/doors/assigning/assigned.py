"""Rows in groups, and what they come to by each term, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Final

from atleastk.doors.assigning.giving_up import GivenUp
from atleastk.doors.assigning.request import Asked
from atleastk.doors.assigning.terms import Term
from atleastk.doors.made import MadeOfGroups
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.html_table import escaped, table
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.results.result import Result, gap_between
from atleastk.models.results.status import Status
from atleastk.models.wording import counted
from atleastk.plots.pair_partition import Wished

_MOST_NAMED: Final = 10
"""The most rows without a wish that a report names."""

_LARGE: Final = 1_000
"""A figure above this is told without decimals, others to four digits."""

_OF_GROUPS: Final = {
    "friends": "wishes kept",
    "avoid": "together all the same",
    "near": "mean distance",
    "distances": "mean distance",
    "alike": "unlike in",
    "mixed": "pairs of one",
    "balance": "mean",
}
"""What the figure of a group is called, by term."""

_WORDS: Final = {
    "at least": "What any groups cost at least. The gap is the difference, as a share "
    "of the cost.",
    "balance": "For every group, how far the sum of a number is from what its size "
    "lets expect, in standard deviations of one row, squared; summed over groups.",
}

_OF_COLUMNS: Final = ("alike", "mixed", "balance")


@dataclass(frozen=True, slots=True, eq=False)
class Assigned(MadeOfGroups):
    """Rows in groups; this is what ``print`` shows.

    Attributes
    ----------
    group
        The number of every row's group, from 1, in the order of their first rows; None
        without a solution.
    asked, result
        What was asked, as an instance, and the answer.
    too_much
        What is required, and which of it to give up; None if there are groups.
    """

    group: tuple[int, ...] | None
    asked: Asked
    result: Result
    too_much: GivenUp | None = None

    __repr__ = brief

    @property
    def instance(self) -> PairPartition:
        """What was solved, in units of 1 / scale."""
        return self.asked.instance

    @property
    def terms(self) -> tuple[Term, ...]:
        """What counts."""
        return tuple(term for term, _ in self.asked.terms)

    @property
    def drawing(self) -> dict[str, Any]:
        """How a picture shows rows: where they are, if groups are to be close."""
        near = next((t for t in self.terms if t.places is not None), None)
        title = f"{self.headline}: {self.verdict}"
        if self.terms and self.cost is not None:
            title += f", cost {_told(self.cost)}"
        return {
            "title": title,
            "names": self.asked.names,
            "wishes": self.wishes,
            **({} if near is None else {"places": near.places, "axes": near.axes}),
        }

    @property
    def groups(self) -> list[list[int]]:
        """The rows of every group, by its number."""
        found: dict[int, list[int]] = {}
        for row, number in enumerate(self.group or ()):
            found.setdefault(number, []).append(row)
        return [found[number] for number in sorted(found)]

    @property
    def cost(self) -> float | None:
        """The sum of all terms, each times its weight; None without a solution."""
        return self._in_units(self.result.cost)

    @property
    def bound(self) -> float | None:
        """No groups cost less."""
        return self._in_units(self.result.bound)

    def _in_units(self, pairs: int | None) -> float | None:
        asked = self.asked
        return None if pairs is None else (pairs + asked.constant) / asked.scale

    @property
    def gap(self) -> float | None:
        """``(cost - bound) / |cost|``."""
        return gap_between(self.cost, self.bound)

    def figure(self, term: Term) -> float:
        """Return what a term comes to, without its weight."""
        return term.of(self.groups) / term.steps

    @property
    def by_group(self) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """The headings and rows of a table of the figures of every group.

        They are its rows, what it has of what is required, and what it comes to by each
        term; of what is balanced, the mean.
        """
        of = self.asked.required
        headings = ("group>", "rows>", *(f"{name}>" for name in of))
        rows = [
            (
                number,
                len(rows),
                *(sum(amounts[row] for row in rows) for amounts in of.values()),
                *(_of_group(term, rows) for term in self.terms),
            )
            for number, rows in enumerate(self.groups, start=1)
        ]
        return (*headings, *(f"{_called(term)}>" for term in self.terms)), rows

    def to_html(self, table: str = "a table") -> str:
        """Return the page of who is where, one file that needs no other.

        `table` is what the table is called.
        """
        headings, figures = self.by_group
        rows = [
            (*found, ", ".join(self.asked.names[row] for row in group))
            for found, group in zip(figures, self.groups, strict=True)
        ]
        members, more = ((*headings, "who"), rows), {"Wishes": self._kept_or_not()}
        return self.filed(f"Groups of {table}", members, _WORDS, more)

    def _kept_or_not(self) -> Iterator[str]:
        """Yield all of whom no wish is kept, and what became of the pairs of lists."""
        names = self.asked.names
        alone = ", ".join(names[row] for row in self.without_wish)
        if alone:
            yield f"<p>No wish is kept of {escaped(alone)}.</p>"
        for term in self.terms:
            pairs = [
                (names[i], names[j], weight, "kept" if kept else "not kept")
                for i, j, weight, kept in self.kept(term)
            ]
            if not pairs:
                continue
            wish = "to be together" if term.name == "friends" else "not to be together"
            heads = ("who", "with", "weight>", "kept?")
            yield from table(f"Wishes {wish}.", heads, pairs, sorts=True)

    def kept(self, term: Term) -> list[tuple[int, int, int, bool]]:
        """Return the pairs of a list, their weights, and which are as wished."""
        group, wish = self.group, term.name == "friends"
        if group is None:
            return []
        return [(i, j, w, (group[i] == group[j]) == wish) for i, j, w in term.pairs]

    @property
    def without_wish(self) -> list[int]:
        """The rows that wish for somebody, of whose wishes none is kept."""
        wished: dict[int, bool] = {}
        for term in self.terms:
            for row, _, _, kept in self.kept(term) if term.name == "friends" else ():
                wished[row] = wished.get(row, False) or kept
        return [row for row, kept in wished.items() if not kept]

    @property
    def wishes(self) -> list[Wished]:
        """The pairs to be drawn: all friends, and whom to avoid where that failed."""
        return [
            Wished(i, j, kept)
            for term in self.terms
            for i, j, _, kept in self.kept(term)
            if term.name == "friends" or not kept
        ]

    def own(self) -> dict[str, Any]:
        solved = self.group is not None
        return {
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap,
            "group": self.group,
            "sizes": [len(rows) for rows in self.groups] if solved else None,
            "terms": {
                f"{term.name}: {term.what}": self.figure(term) if solved else None
                for term in self.terms
            },
            "give_up": None if self.too_much is None else self.too_much.enough,
            "give_up_together": self.too_much and self.too_much.together,
        }

    @property
    def headline(self) -> str:
        low, high = self.instance.k, self.instance.most_items
        sizes = f"{low}" if low == high else f"{low} to {high}"
        return f"{self.instance.n} rows, groups of {sizes}"

    def figures(self) -> Iterator[str]:
        if self.group is not None:
            sizes = [*map(len, self.groups)]
            least, most = min(sizes, default=0), max(sizes, default=0)
            of = f"of {least}" if least == most else f"of {least} to {most}"
            yield f"  groups      {len(sizes)} {of}"
            for term in self.terms:
                yield f"  {term.name:12}{self.in_words(term)}{self._by_chance(term)}"
            alone = self.without_wish
            if alone:
                yield f"  no wish     kept of {len(alone)}: {self._named(alone)}"
        if self.too_much is not None:
            required = ", ".join(self.too_much.required)
            yield f"  required    {required}"
            if clique := self.too_much.clique:
                at_most = counted(max(self.instance.counts, default=0), "group")
                any_two = f"any two of these {len(clique)} are, and there are {at_most}"
                yield f"  apart       {self._named(clique)}: {any_two} at most"
            if self.result.status is Status.INFEASIBLE:
                yield f"  give up     {self.too_much}"
            else:
                yield "              too much for this time limit, if not altogether"
        if self.terms and self.cost is not None:
            yield f"  cost        {_told(self.cost)}, the sum of these by their weights"
        if self.terms and self.bound is not None:
            gap = f" (gap {self.gap:.2%})" if self.gap else ""
            any_groups = "of any groups"
            if self.group is None:
                any_groups += ", if there are groups at all"
            yield f"  at least    {_told(self.bound)}, {any_groups}{gap}"
        yield self.time_line

    def _named(self, rows: Sequence[int]) -> str:
        more = f", {len(rows) - _MOST_NAMED} more" if rows[_MOST_NAMED:] else ""
        return ", ".join(self.asked.names[r] for r in rows[:_MOST_NAMED]) + more

    @property
    def _inside(self) -> int:
        """How many pairs of rows are in one group."""
        return sum(comb(len(rows), 2) for rows in self.groups)

    def _by_chance(self, term: Term) -> str:
        """Say what random groups of the same sizes come to, on average."""
        pairs = comb(self.instance.n, 2)
        found = term.all * self._inside / max(1, pairs) + term.constant
        return f"; by chance {_told(abs(found) / term.steps)}"

    def in_words(self, term: Term) -> str:
        """Say what a term comes to."""
        found, every = self.figure(term), term.all / term.steps
        match term.name:
            case "friends":
                kept = [held for *_, held in self.kept(term)]
                told = f"{sum(kept)} of {len(kept)} wishes kept"
                if len(kept) == -every:
                    return told
                return f"{told}, {_told(-found)} of {_told(-every)} by weight"
            case "avoid":
                of = f"{_told(found)} of {_told(every)}"
                return f"{of} pairs are together all the same"
            case "near" | "distances":
                mean = found / max(1, self._inside)
                every_two = f"on average {_told(mean)}"
                return f"{_told(found)} within groups ({term.what}), {every_two}"
            case "mixed":
                return f"{_told(found)} pairs with the same {term.what}"
            case "alike":
                return f"{_told(found)} within groups ({term.what})"
        assert term.numbers is not None  # of all terms, balance alone is left
        means = [float(term.numbers[rows].mean()) for rows in self.groups] or [0.0]
        between = f"{min(means):.4g} to {max(means):.4g}"
        return f"{_told(found)}, 0 is even; means of {term.what} are {between}"


def _told(figure: float) -> str:
    return f"{figure:.0f}" if abs(figure) > _LARGE else f"{figure:.4g}"


def _called(term: Term) -> str:
    of = f" {term.what}" if term.name in _OF_COLUMNS else ""
    return f"{_OF_GROUPS[term.name]}{of}"


def _of_group(term: Term, rows: list[int]) -> str:
    """Return what a group comes to by a term; of what is balanced, the mean."""
    found = abs(term.inside(rows)) / term.steps
    if term.numbers is not None:
        found = float(term.numbers[rows].mean())
    elif term.name in ("near", "distances"):
        found /= max(1, comb(len(rows), 2))
    return f"{found:.4g}"
