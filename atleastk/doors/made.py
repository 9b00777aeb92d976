"""The base class of what doors of tables and maps return, with its report.

A subclass has the request (`headline`) and the figures of the report; status, time and
note are the same for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from atleastk.instances.fields.html_table import card, table
from atleastk.instances.fields.visible import visible, visible_lines
from atleastk.models.results.result import Result
from atleastk.models.results.solution import labels_of
from atleastk.models.results.status import Status, Trust
from atleastk.plots.html_page import definitions, framed

_WORDS: Final = {
    "optimal": "None that keep what is required are better: that is proved.",
    "feasible": "All that is required is kept; there may be better ones.",
    "heuristic": "Found by a search that proves nothing of it.",
    "certified": "The proof was checked again, without the programs that found it.",
    "gap": "How far what was found may be from the best, as a share of its cost.",
}
"""Words of all pages of groups."""


def numbered(n: int, groups: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return the number of every row's group, in the order of their first rows."""
    return tuple((labels_of(sorted(groups, key=min), n) + 1).tolist())


class Made(ABC):
    """Something made of the result of a run."""

    __slots__ = ()
    instance: Any
    result: Result
    """`instance`, `result`: the problem that was solved, and the answer."""
    _repr_html_ = card

    @property
    @abstractmethod
    def headline(self) -> str:
        """The request, in a few words."""

    @abstractmethod
    def figures(self) -> Iterator[str]:
        """Yield the lines of the report on what was found."""

    @abstractmethod
    def own(self) -> dict[str, Any]:
        """Return what the JSON object of the report has that of no other kind has."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the report."""
        (status, trust), result = self.standing, self.result
        last = {"seconds": result.seconds, "note": result.note}
        return {"status": status, "trust": trust} | self.own() | last

    def __str__(self) -> str:
        return self.page(self.figures())

    def page(self, figures: Iterable[str]) -> str:
        """Return the report in words: the headline and status, figures, and a note."""
        result = self.result
        if result.interrupted:
            figures = [
                *figures,
                "  stopped     by Ctrl-C or SIGTERM; more time may improve on it",
            ]
        note = [] if result.note is None else [f"  note        {result.note}"]
        lines = [f"{self.headline}: {self.verdict}", *figures, *note]
        return "\n".join(map(visible, lines))

    @property
    def verdict(self) -> str:
        """The status of the answer, and its trust, in words."""
        status, trust = self.standing
        return status.lower() + (f" ({trust})" if trust else "")

    @property
    def standing(self) -> tuple[Status, Trust | None]:
        """The status of the answer, and its trust: those of the result."""
        return self.result.status, self.result.trust

    @property
    def time_line(self) -> str:
        """The line of the report on how long the search took."""
        return f"  time        {self.result.seconds:.2f} s"


class MadeOfGroups(Made):
    """Something made of groups, one by one, with a table of them and a page."""

    __slots__ = ()

    @property
    @abstractmethod
    def by_group(self) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """The headings and rows of a table of the groups."""

    @abstractmethod
    def to_html(self, source: str, /) -> str:
        """Return the page of the groups, one file that needs no other."""

    def filed(
        self,
        title: str,
        members: tuple[Sequence[str], Sequence[Sequence[object]]],
        words: Mapping[str, str],
        more: Mapping[str, Iterable[str]],
    ) -> str:
        """Return a page with a table of members below its headings.

        Everything that stems from the table is escaped; nothing is loaded from
        anywhere. Those of the `words` that it has are explained.
        """
        lines = map(visible_lines, str(self).splitlines())
        summary = [f"<p>{escape(line)}</p>" for line in lines]
        who = [*table("", *members)]
        shown = " ".join([*summary, *who])
        used = [each for each in (_WORDS | {**words}).items() if each[0] in shown]
        sections = {
            "Summary": summary,
            "Who is where": who if members[1] else (),
            **more,
            "What the words mean": definitions(used) if used else (),
        }
        return framed(title, datetime.now(UTC), sections)
