"""The part of a report on risk: who could be found, and what could be learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from atleastk.anonymizing.publish import Published
from atleastk.arrays import IntArray
from atleastk.frames.frame import Frame, Name, Selection, codes_of
from atleastk.instances.records import Records
from atleastk.models.anonymity import strict
from atleastk.models.risk import Risk, single_valued
from atleastk.models.wording import counted

__all__ = ["Disclosure", "learnt_lines", "shared_values"]

_MOST_COLUMNS: Final = 10
"""Columns that are told of, those with most such classes first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """The risk that a table carries, before and after.

    Attributes
    ----------
    before, after
        How easily rows are found by the columns that were anonymised; see
        :mod:`atleastk.models.risk`.
    sizes
        How many of the published classes have how many equal rows.
    shared
        For every other column, the number of classes whose rows share one value of it:
        that value is learnt of a person who is known to be in the class.
    """

    before: Risk
    after: Risk
    sizes: Mapping[int, int]
    shared: Mapping[str, int]

    @classmethod
    def of(cls, selection: Selection, made: Published) -> Disclosure | None:
        """Compare a table with what is published of it; None if nothing is."""
        if made.level is None:
            return None
        class_of = Records.coded(codes_of(made.columns)).record_of
        others = (n for n in selection.frame.names if n not in selection.names)
        return cls(
            before=Risk.of(strict(codes_of(selection.columns))),
            after=Risk.of(made.level),
            sizes=dict(sorted(Counter(made.level.classes.tolist()).items())),
            shared=shared_values(selection.frame, others, class_of),
        )

    @property
    def classes(self) -> int:
        """The number of published classes of equal rows."""
        return sum(self.sizes.values())

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this part."""
        return {
            "before": _told(self.before),
            "after": _told(self.after),
            "classes": self.classes,
            "sizes": {str(size): count for size, count in self.sizes.items()},
            "shared": dict(self.shared),
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of this part."""
        before, after = self.before, self.after
        now = f"at most {after.highest:.2%} a row, {after.mean:.2%} on average"
        yield f"  risk        {now}"
        unique = counted(before.unique, "row")
        yield (
            f"{'':14}before {before.highest:.2%} and {before.mean:.2%}, "
            f"{unique} like no other"
        )
        yield from learnt_lines(self.shared, self.classes, "classes")


def shared_values(
    frame: Frame,
    names: Iterable[Name],
    class_of: IntArray,
    rows: IntArray | slice = slice(None),
) -> dict[str, int]:
    """Return for columns how many classes of rows, by default all, share one value."""
    return {
        str(name): single_valued(class_of, frame.column(name).codes[rows])
        for name in names
    }


def learnt_lines(shared: Mapping[str, int], classes: int, noun: str) -> Iterator[str]:
    """Yield the lines on columns of which classes share one value, the worst first."""
    worst = sorted(shared.items(), key=itemgetter(1), reverse=True)
    label = "learnt"
    for name, count in worst[:_MOST_COLUMNS]:
        if count:
            yield f"  {label:12}{name}: one value in {count} of {classes} {noun}"
            label = ""


def _told(risk: Risk) -> dict[str, float]:
    return {"unique": risk.unique, "highest": risk.highest, "mean": risk.mean}
