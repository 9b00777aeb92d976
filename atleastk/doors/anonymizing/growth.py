"""Two releases of a table that grows: whether they keep together what is asked.

Whoever has both subtracts them. A *class* are the rows of a release that are equal in
the anonymised columns; what it *gained* are its rows, with all their columns, that the
earlier release does not have. All gained rows are a table of their own.

*Theorem.* Let all rows of the earlier release be in the later one as they were, as
often, and let the earlier release and the table of the gained rows both be
k-anonymous, and keep what is asked of sensitive values: l, t. Then whoever knows the
anonymised columns of a person, and whether the earlier release has him, is left with at
least k rows in which he may be, and their values keep l and t.

*Proof.* A person of the earlier release is in a class of it that his values fit. These
are the same rows in the later one: to subtract tells nothing of them. Anybody else is
among the gained rows, in a class of theirs. If several classes fit, their union has at
least k rows, and keeps l and t, too: :mod:`atleastk.instances.diversity`.

Closeness is to all rows of the one table or the other, as if each were published alone.
So new rows that were anonymised by themselves may be appended, always.

A row that is missing is a person who left, a cell that was changed, or a column that
is published otherwise. Then classes of the two may be intersected, and nothing is
promised.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import Int32Array, IntArray
from atleastk.doors.anonymizing.report.sensitive import failing_rows
from atleastk.doors.anonymizing.request import Request
from atleastk.frames.duckdb_releases import gains
from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import Frame, Name, Selection, is_plain_number, written
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.records import Records, numbered
from atleastk.models.wording import counted, labelled

ADVICE: Final = (
    "anonymise the new rows by themselves (at least k of each kind), and append them"
)
"""What always keeps two releases apart."""

_WHOLE: Final = re.compile(r"(-?[0-9]+)\.0")
"""A whole number as programs write it that have floats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth:
    """What a release shows beside an earlier one."""

    asked: int | None
    """The k that was asked for, if any was."""
    rows: int
    """How many rows the earlier one has."""
    k: int
    """The rows of its smallest class."""
    missing: int
    """How many of its rows the later one has not."""
    gained: int
    classes: int
    """`gained`, `classes`: how many rows the later one has beside, and how many classes
    have gained some."""
    least: int | None
    """The fewest that a class has gained, of those that have; None if none has."""
    few: int
    few_row: int | None = None
    """`few`, `few_row`: how many classes have gained fewer than k, and a row that one
    of them has, from 1, where rows have numbers."""
    failing_before: int = 0
    """How many classes of the earlier one break what is asked of their values."""
    failing: int = 0
    failing_row: int | None = None
    """`failing`, `failing_row`: how many classes have gained rows that do, and a row
    that one of them has."""

    @classmethod
    def of(cls, later: Selection, earlier: Frame, request: Request) -> Self:
        """Compare a release with an earlier one of the same columns.

        Values are compared as they are written in a text file.

        Raises InvalidInstanceError if one of them has a column that the other one has
        not.
        """
        _expect_alike(later.frame.names, earlier.names)
        n = later.frame.n
        classes = _merged(later.frame, earlier, later.names).record_of
        whole = _merged(later.frame, earlier, later.frame.names).record_of
        kinds = whole.max(initial=-1) + 1
        here, there = (np.bincount(of, minlength=kinds) for of in np.split(whole, [n]))
        more = here - there
        new = _firsts(whole[:n], more)
        gains = np.bincount(classes[new])
        before = np.bincount(classes[n:])
        few = (gains > 0) & (gains < (request.k or 0))
        gained = later.frame.taking(new)
        failing, rows = failing_rows(gained, _anew(classes[new]), request)
        failing_before, _ = failing_rows(earlier, _anew(classes[n:]), request)
        return cls(
            asked=request.k,
            rows=earlier.n,
            k=int(before[before > 0].min(initial=earlier.n)),
            missing=int(-more[more < 0].sum()),
            gained=len(new),
            classes=int((gains > 0).sum()),
            least=int(gains[gains > 0].min()) if len(new) else None,
            few=int(few.sum()),
            few_row=_first(new[few[classes[new]]]),
            failing_before=failing_before,
            failing=failing,
            failing_row=_first(new[rows]),
        )

    @classmethod
    def elsewhere(cls, later: DuckSource, earlier: DuckSource, k: int | None) -> Self:
        """Compare releases that stay in their files, where rows have no numbers."""
        _expect_alike(later.names, earlier.names)
        found: dict[str, Any] = gains(later, earlier, k or 0)
        return cls(asked=k, **found)

    @property
    def faults(self) -> Iterator[str]:
        """Why the two releases do not keep together what is asked."""
        of = f"of {counted(self.classes, 'class')} that grew"
        if self.missing:
            yield (
                f"{self.missing} of its rows are not here as they were: classes of "
                "the two can be intersected"
            )
        if self.rows and self.asked is not None and self.k < self.asked:
            yield f"it has a class of {self.k}"
        if self.failing_before:
            yield (
                f"it has {counted(self.failing_before, 'class')} whose values break "
                "what is asked of them"
            )
        if self.few:
            row = "" if self.few_row is None else f": as that of row {self.few_row}"
            yield (
                f"{self.few} {of} gained fewer than {self.asked}, down to {self.least},"
                f" which tells the new ones{row}"
            )
        if self.failing:
            yield (
                f"{self.failing} {of} gained values that break what is asked of them: "
                f"as that of row {self.failing_row}"
            )

    @property
    def holds(self) -> bool:
        return next(self.faults, None) is None

    def verdict(self, conditions: str = "") -> str:
        """Say whether both together are what was asked for."""
        no = "" if self.holds else "not "
        what = "anonymous" if self.asked is None else f"{self.asked}-anonymous"
        kept = f", with {conditions}," if conditions else ""
        return f"{no}{what}{kept} together with the earlier release"

    @property
    def size(self) -> str:
        """The rows of the earlier release, and of what is new, in words."""
        least = "" if self.least is None else f", at least {self.least} in a class"
        return f"{self.rows} rows, {self.gained} more here{least}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def lines(self) -> Iterator[str]:
        yield from labelled("earlier", [self.size, *self.faults])
        if not self.holds:
            yield f"  advice      {ADVICE}"


def _expect_alike(names: Iterable[Name], others: Iterable[Name]) -> None:
    """Refuse releases of which one has a column that the other one has not."""
    differ = {*names} ^ {*others}
    if differ:
        raise InvalidInstanceError(
            "earlier: only one of the two releases has a column "
            f'"{min(differ, key=str)}"'
        )


def _merged(later: Frame, earlier: Frame, names: Sequence[Name]) -> Records:
    return Records.coded(
        np.column_stack([_codes(later, earlier, name) for name in names])
    )


def _codes(later: Frame, earlier: Frame, name: Name) -> Int32Array:
    """Return a column of both by common numbers of its texts.

    A missing one is empty, unless one of them has both. Numbers are equal by what they
    are, 1 and 1.0; and so is the text 1.0, if the other release has numbers there.
    """
    columns = [frame.column(name) for frame in (later, earlier)]
    mixed = len({any(map(is_plain_number, c.values)) for c in columns}) > 1
    texts = [written(_shortened(x, mixed) for x in c.values) for c in columns]
    apart = any({None, ""} <= {*some} for some in texts)
    each = numbered(x if apart else x or "" for some in texts for x in some)
    split = np.split(each, [len(texts[0])])
    pairs = zip(split, columns, strict=True)
    return np.concatenate([numbers[column.codes] for numbers, column in pairs])


def _shortened(value: Any, mixed: bool) -> Any:
    """Return a float without a fraction as an integer; so its text, beside numbers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    whole = _WHOLE.fullmatch(value) if mixed and isinstance(value, str) else None
    return value if whole is None else whole[1]


def _anew(numbers: IntArray) -> IntArray:
    """Return numbers that leave none out, for the same ones."""
    found: IntArray = np.unique(numbers, return_inverse=True)[1]
    return found


def _firsts(of: IntArray, most: IntArray) -> IntArray:
    """Return the first places of every number, as many as `most` has of it."""
    order = np.argsort(of, kind="stable")
    ahead = np.searchsorted(of[order], of[order])
    return np.sort(order[np.arange(len(of)) - ahead < most[of[order]]])


def _first(rows: IntArray) -> int | None:
    return int(rows[0]) + 1 if len(rows) else None
