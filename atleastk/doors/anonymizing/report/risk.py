"""The part of a report on risk: re-identification, and disclosure of attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.doors.anonymizing.population import Population
from atleastk.doors.anonymizing.publish import Published
from atleastk.doors.anonymizing.report.part import Part
from atleastk.doors.anonymizing.report.unchanged import learnt_lines, unchanged
from atleastk.doors.anonymizing.selected import Selected
from atleastk.frames.frame import codes_of
from atleastk.instances.records import Records
from atleastk.models.tables.risk import Risk
from atleastk.models.tables.sample_risk import SampleRisk
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.wording import Warned, counted, labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure(Part):
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
        original = Records.coded(codes_of(selected.original.columns))
        more: dict[str, Any] = {}
        if weights is not None:
            persons, both = weights.persons, (original, published)
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
        shared, singling_out = unchanged(
            table.frame,
            table.others,
            published.record_of,
            needed=selected.request.needed,
        )
        if weights is not None:
            shared = {n: c for n, c in shared.items() if n != str(weights.column)}
        return cls(
            before=Risk.of(original.copies[original.record_of]),
            after=Risk.of(recount.alike),
            sizes=dict(sorted(Counter(recount.classes.tolist()).items())),
            shared=shared,
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

    def _sampled_lines(self, before: SampleRisk, after: SampleRisk) -> Iterator[str]:
        pitman, snb = (
            [persons_in_words(getattr(one, name)) for one in (after, before)]
            for name in ("pitman", "snb")
        )
        return labelled(
            "as sampled",
            [
                f"at most {after.highest:.2%} a row, {after.mean:.2%} on average "
                "(Benedetti-Franconi)",
                f"before {_in_short(before)}",
                f"persons like no other: {pitman[0]}, before {pitman[1]} (Pitman);",
                f"{snb[0]}, before {snb[1]} (SNB); estimates, nothing is proved",
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "before": asdict(self.before),
            "after": asdict(self.after),
            "classes": self.classes,
            "sizes": {str(size): count for size, count in self.sizes.items()},
            "shared": dict(self.shared),
            **self.singling_out.to_dict(),
        }
        if self.matching is not None:
            document["matching"] = asdict(self.matching)
        if self.weighed is not None:
            before, after = self.weighed
            document["weighed"] = {"before": asdict(before), "after": asdict(after)}
        if self.sampled is not None:
            one, other = self.sampled
            document["sampled"] = {"before": asdict(one), "after": asdict(other)}
        if self.mapped is not None and self.least is not None:
            document["population"] = {
                "rows": self.persons,
                "before": {"least": self.least[0], **asdict(self.mapped[0])},
                "after": {"least": self.least[1], **asdict(self.mapped[1])},
            }
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
            yield from self._sampled_lines(*self.sampled)
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


def _in_short(risk: Risk | SampleRisk) -> str:
    return f"{risk.highest:.2%} and {risk.mean:.2%}"


def persons_in_words(found: float | None) -> str:
    """Return an estimated number of persons, if the model fits."""
    return "no fit" if found is None else f"{found:.1f}"


def _estimated(records: Records, persons: FloatArray) -> Risk:
    """Return the risk if rows stand for persons, each for as many as given."""
    sums = np.zeros(records.distinct)
    np.add.at(sums, records.record_of, persons)
    of_row = records.record_of
    return Risk.estimated(records.copies[of_row], sums[of_row])
