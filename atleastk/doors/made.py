"""The base class of what doors of tables and maps return, with its report.

A subclass has the request (`headline`) and the figures of the report; status, time and
note are the same for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from atleastk.instances.fields.html_table import card
from atleastk.instances.fields.visible import visible
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status, Trust


def numbered(n: int, groups: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Return the number of every row's group, in the order of their first rows."""
    found = [0] * n
    for number, rows in enumerate(sorted(groups, key=min), start=1):
        for row in rows:
            found[row] = number
    return tuple(found)


def named_rows(
    headings: Sequence[str], rows: Iterable[Sequence[object]]
) -> list[dict[str, object]]:
    """Return the rows of a table by its headings, less the marks of how they sort."""
    names = [heading.removesuffix(">") for heading in headings]
    return [dict(zip(names, row, strict=True)) for row in rows]


class Made(ABC):
    """Something made of the result of a run.

    Attributes
    ----------
    instance, result
        The problem that was solved, and the answer.
    """

    __slots__ = ()
    instance: Any
    result: Result
    _repr_html_ = card

    @property
    @abstractmethod
    def headline(self) -> str:
        """The request, in a few words."""

    @abstractmethod
    def figures(self) -> Iterator[str]:
        """Yield the lines of the report on what was found."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the report."""

    def __str__(self) -> str:
        return self.page(self.figures())

    def page(self, figures: Iterable[str]) -> str:
        """Return the report in words: the headline and status, figures, and a note."""
        result = self.result
        if result.interrupted:
            figures = [
                *figures,
                "  stopped     by a signal; more time may improve on it",
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
