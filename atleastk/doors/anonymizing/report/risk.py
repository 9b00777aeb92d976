"""The part of a report on risk: re-identification, and disclosure of attributes.

If all rows of a class share a value of a column that is published unchanged, it is
learnt of everybody in the class, and a value that no other row has reveals whose row it
is. Columns whose values cannot be compared, such as lists, are left out.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray, tallied
from atleastk.doors.anonymizing.hierarchies import told_by
from atleastk.doors.anonymizing.population import Population
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import Column, Frame, IncomparableError, Name
from atleastk.instances.records import Records, keys_of
from atleastk.models.tables.identifying import signs_of
from atleastk.models.tables.risk import Risk, single_valued
from atleastk.models.tables.sample_risk import SampleRisk
from atleastk.models.tables.singling_out import SinglingOut, rows_of_own_value
from atleastk.models.wording import Warned, counted, labelled

_MOST_COLUMNS: Final = 10
"""Columns that are listed, those with most such classes first."""


def unchanged(
    frame: Frame,
    names: Iterable[Name],
    class_of: IntArray,
    rows: IntArray | slice = slice(None),
    needed: Mapping[str, str] | None = None,
) -> tuple[dict[str, int], SinglingOut]:
    """Return the disclosure by columns that are published unchanged, as of these rows.

    For every column the number of classes whose rows share one value of it, and that of
    rows with a value that no other row has. `class_of` has the class of each of these
    rows; `needed` is as in `SinglingOut`.
    """
    known = dict(_comparable(frame, names))
    shared = {
        name: single_valued(class_of, column.codes[rows])
        for name, column in known.items()
    }
    return shared, _singling_out(known, len(class_of), rows, needed or {})


def singling_out(
    frame: Frame, names: Iterable[Name], needed: Mapping[str, str]
) -> SinglingOut:
    """Return how many rows columns single out, see `SinglingOut`."""
    return _singling_out(dict(_comparable(frame, names)), frame.n, slice(None), needed)


def _singling_out(
    columns: Mapping[str, Column],
    count: int,
    rows: IntArray | slice,
    needed: Mapping[str, str],
) -> SinglingOut:
    alone = {
        name: rows_of_own_value(column.codes[rows], column.values)
        for name, column in columns.items()
    }
    return SinglingOut(
        rows=count, by_column=alone, signs=_signs(columns), needed=needed
    )


def singling_out_elsewhere(
    source: DuckSource, needed: Mapping[str, str] | None = None
) -> SinglingOut:
    """Return how many rows columns single out that an engine has not grouped by.

    What values look like is what a thousand of them do.
    """
    others = [name for name in source.names if name not in source.chosen]
    known: dict[str, Column] = {}
    alone: dict[str, int] = {}
    source.expect_counts([name] for name in others)
    for name in others:
        with suppress(IncomparableError):
            known[str(name)], alone[str(name)] = source.looked_at(name)
    return SinglingOut(
        rows=source.n, by_column=alone, signs=_signs(known), needed=needed or {}
    )


def _signs(columns: Mapping[str, Column]) -> dict[str, str]:
    signs: dict[str, str] = {}
    for name, column in columns.items():
        for sign in signs_of(name, told_by(column)[0]):
            signs.setdefault(name, sign)
    return signs


def learnt_lines(shared: Mapping[str, int], classes: int, noun: str) -> Iterator[str]:
    """Yield the lines on columns of which classes share one value, the worst first."""
    worst = sorted(shared.items(), key=itemgetter(1), reverse=True)
    return labelled(
        "learnt",
        (
            f"{name}: one value in {count} of {classes} {noun}"
            for name, count in worst[:_MOST_COLUMNS]
            if count
        ),
    )


def _comparable(frame: Frame, names: Iterable[Name]) -> Iterator[tuple[str, Column]]:
    for name in names:
        with suppress(IncomparableError):
            yield str(name), frame.column(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """The risk of a table, before and after."""

    before: Risk
    after: Risk
    """`before`, `after`: how easily rows are found by the columns that were anonymised,
    if one looks for equal rows; see :mod:`atleastk.models.tables.risk`."""
    sizes: Mapping[int, int]
    """How many of the published classes have how many equal rows."""
    shared: Mapping[str, int]
    """For every other column, the number of classes whose rows share one value of it:
    that value is learnt of a person who is known to be in the class. Columns whose
    values cannot be compared, such as lists, are not here."""
    singling_out: SinglingOut
    """How many rows each other column singles out, weights and sensitive ones
    included."""
    matching: Risk | None = None
    """The same after, if rows that match count as alike; None if that was not asked."""
    weighed: tuple[Risk, Risk] | None = None
    """The same in a population that the rows stand for, if their weights are given:
    before and after."""
    sampled: tuple[SampleRisk, SampleRisk] | None = None
    """What models of samples say, if weights are given: before and after."""
    mapped: tuple[Risk, Risk] | None = None
    """The same in a table of the population, if there is one: before and after."""
    persons: int | None = None
    least: tuple[int, int] | None = None
    """`persons`, `least`: the rows of that table, and the fewest of them that a row may
    be, before and after: the k of k-map."""

    @classmethod
    def of(
        cls, selected: Selected, made: Published, population: Population | None = None
    ) -> Disclosure | None:
        recount, published = made.recount, made.records
        if recount is None or published is None or made.hidden is None:
            return None
        table, weights = selected.table, selected.row_weights
        original = [column.codes for column in selected.original.columns]
        keys = keys_of(original, selected.original.frame.n)
        more: dict[str, Any] = {}
        if weights is not None:
            before = Records.of_columns(original)
            persons, both = weights.persons, (before, published)
            more["weighed"] = tuple(_estimated(each, persons) for each in both)
            more["sampled"] = tuple(
                SampleRisk.of(each.record_of, persons) for each in both
            )
        if population is not None:
            found = population.before_and_after(made)
            more["mapped"] = tuple(map(Risk.of, found))
            more["persons"] = population.rows
            more["least"] = population.least(found)
        if made.matching is not None:
            more["matching"] = Risk.of(made.matching.alike)
        of, needed = (table.frame, table.others), selected.request.needed
        shared, singling_out = unchanged(*of, published.record_of, needed=needed)
        weighing = None if weights is None else str(weights.column)
        return cls(
            before=Risk.of_classes(tallied(keys)[1]),
            after=recount.risk,
            sizes=dict(
                zip(*(x.tolist() for x in tallied(recount.classes)), strict=True)
            ),
            shared={name: n for name, n in shared.items() if name != weighing},
            singling_out=singling_out,
            **more,
        )

    @property
    def classes(self) -> int:
        return sum(self.sizes.values())

    @property
    def warnings(self) -> Iterator[Warned]:
        """Warnings: fewer rows are equal than match; columns that single out rows."""
        yield from self._unprotected
        yield from self.singling_out.warnings

    @property
    def _unprotected(self) -> Iterator[Warned]:
        if self.matching is not None and self.after.highest > self.matching.highest:
            yield self.after.despite_matches

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            **_as_dicts(self.before, self.after),
            "classes": self.classes,
            "sizes": {str(size): count for size, count in self.sizes.items()},
            "shared": dict(self.shared),
            **self.singling_out.to_dict(),
        }
        if self.matching is not None:
            document["matching"] = asdict(self.matching)
        if self.weighed is not None:
            document["weighed"] = _as_dicts(*self.weighed)
        if self.sampled is not None:
            document["sampled"] = _as_dicts(*self.sampled)
        if self.mapped is not None and self.least is not None:
            both = zip(self.least, _as_dicts(*self.mapped).items(), strict=True)
            mapped = {when: {"least": least, **risk} for least, (when, risk) in both}
            document["population"] = {"rows": self.persons, **mapped}
        return document

    def lines(self, exposed: Container[str] = ()) -> Iterator[str]:
        """Yield the lines of this part.

        Of columns that are `exposed` another part says what is learnt.
        """
        yield from risk_lines(self.before, self.after)
        if self.matching is not None and self.matching.highest:
            others = counted(round(1 / self.matching.highest) - 1, "other row")
            yield f"  matches     every row matches at least {others}"
            yield f"{'':14}as if these were equal: {self.matching}"
        for warned in self._unprotected:
            yield from warned.lines()
        if self.weighed is not None:
            then, now = self.weighed
            alone = f"about {then.unique:.1f} of these like no other person"
            lines = [str(now), f"before {_in_short(then)}, {alone}"]
            yield from labelled("by weights", lines)
        if self.sampled is not None:
            yield from labelled("as sampled", _in_lines(*self.sampled))
        if self.mapped is not None and self.least is not None:
            (then, now), persons = self.mapped, counted(self.persons or 0, "person")
            most = f"every row may be at least {self.least[1]} of {persons}"
            lines = [most, str(now), f"before {self.least[0]}, {_in_short(then)}"]
            yield from labelled("population", lines)
        yield from self.singling_out.lines()
        shared = {name: n for name, n in self.shared.items() if name not in exposed}
        yield from learnt_lines(shared, self.classes, "classes")


def risk_lines(before: Risk, after: Risk) -> Iterator[str]:
    """Yield the lines on how easily rows are found by equal ones."""
    unique = counted(int(before.unique), "row")
    then = f"before {_in_short(before)}, {unique} like no other"
    return labelled("risk", [after.with_unique, then])


def _in_lines(before: SampleRisk, after: SampleRisk) -> Iterator[str]:
    most, mean = f"at most {after.highest:.2%} a row", f"{after.mean:.2%} on average"
    pitman, snb = (
        [persons_in_words(getattr(one, name)) for one in (after, before)]
        for name in ("pitman", "snb")
    )
    yield f"{most}, {mean} (Benedetti-Franconi)"
    yield f"before {_in_short(before)}"
    yield f"persons like no other: {pitman[0]}, before {pitman[1]} (Pitman);"
    yield f"{snb[0]}, before {snb[1]} (SNB); estimates, nothing is proved"


def _in_short(risk: Risk | SampleRisk) -> str:
    return f"{risk.highest:.2%} and {risk.mean:.2%}"


def persons_in_words(found: float | None) -> str:
    """Return an estimated number of persons, if the model fits."""
    return "no fit" if found is None else f"{found:.1f}"


def _as_dicts(before: Any, after: Any) -> dict[str, dict[str, Any]]:
    return {"before": asdict(before), "after": asdict(after)}


def _estimated(records: Records, persons: FloatArray) -> Risk:
    """Return the risk if rows stand for persons, each for as many as given."""
    of_row = records.record_of
    sums = np.zeros(records.distinct)
    np.add.at(sums, of_row, persons)
    return Risk.estimated(records.copies[of_row], sums[of_row])
