"""The part of a report on sensitive values: what a class gives away of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.hierarchies import written_of
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import Selected, conditions_of
from atleastk.frames.frame import Column, Frame, Name, Selection, merged
from atleastk.frames.oddities import made_equal, nearly_equal
from atleastk.instances.diversity import Diversity
from atleastk.instances.fields.errors import quoted
from atleastk.instances.instance import Instance
from atleastk.instances.records import Records
from atleastk.models.diversity import Standing, failing, obstacles
from atleastk.models.wording import Warned, counted, labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """How the values of a sensitive column are spread over classes of equal rows."""

    classes: int
    single: int
    """`classes`, `single`: how many classes there are, and in how many all rows have
    one value."""
    least: int
    """The fewest different values of a class."""
    most: float
    """The largest share that a value has of a class."""
    distance: float
    """The largest distance between the values of a class and of the table: how much of
    the one distribution has to move to get the other."""

    @property
    def measures(self) -> tuple[str, str, str, str]:
        return (
            f"one value in {self.single} of {self.classes} classes",
            f"at least {counted(self.least, 'value')}",
            f"at most {self.most:.2%} alike",
            f"distance at most {self.distance:.4g}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sensitive:
    """What can be learnt from the sensitive columns, before and after."""

    asked: str
    """The conditions on every class, in words; empty without any."""
    before: Mapping[str, Exposure]
    after: Mapping[str, Exposure]
    """`before`, `after`: the exposure by every sensitive column; after is empty if
    nothing is published."""
    obstacles: Mapping[str, str]
    """Why no table meets them, by the sensitive columns where that is proved."""
    warnings: tuple[Warned, ...] = ()
    """What classes would give away if nearly equal values were equal."""

    @classmethod
    def of(
        cls, selected: Selected, instance: Instance, published: Sequence[Column]
    ) -> Sensitive:
        request, frame = selected.request, selected.table.frame
        names = selected.sensitive
        asked, flaws = "", dict[int, str]()
        if isinstance(instance, Diversity) and request.household is None:
            asked, flaws = _in_words(instance), obstacles(instance)
        before = exposures(frame, names, _classes(selected.original.columns))
        after = exposures(frame, names, _classes(published)) if published else {}
        return cls(
            asked=asked,
            before=before,
            after=after,
            obstacles={str(names[j]): why for j, why in flaws.items()},
            warnings=tuple(spelling_warnings(frame, published, request)),
        )

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "warnings": [*map(str, self.warnings)]}

    def lines(self) -> Iterator[str]:
        lines = []
        for name, after in self.after.items():
            pairs = zip(after.measures, self.before[name].measures, strict=True)
            lines += [name, *(f"  {now}, before {then}" for now, then in pairs)]
        yield from labelled("sensitive", lines)
        for warned in self.warnings:
            yield from warned.lines()

    def why_not(self) -> Iterator[str]:
        """Yield a line for every sensitive column whose conditions no table meets."""
        for name, why in self.obstacles.items():
            yield f"  sensitive   {name} {why}"


def exposed(selection: Selection, request: Request) -> dict[str, Any]:
    """Return what a table as it stands discloses of sensitive values, if asked.

    ``"sensitive"`` has the exposure by column; if there are conditions,
    ``"conditions"`` has them in words, ``"failing"`` how many classes break them, and
    ``"failing_rows"`` their rows.
    """
    names, frame, columns = request.sensitive_names, selection.frame, selection.columns
    if not names:
        return {}
    classes = _classes(columns)
    found: dict[str, Any] = {
        "sensitive": exposures(frame, names, classes),
        "respelled": tuple(spelling_warnings(frame, columns, request)),
    }
    if request.counts_values:
        found["failing"], found["failing_rows"] = failing_rows(frame, classes, request)
        found["conditions"] = _in_words(_conditions(frame, request))
    return found


def failing_rows(
    frame: Frame, classes: IntArray, request: Request
) -> tuple[int, IntArray]:
    """Return how many classes break what is asked of their values, and their rows."""
    if not (request.counts_values and frame.n):
        return 0, np.empty(0, dtype=np.int64)
    broken = failing(_conditions(frame, request), classes)
    return int(broken.sum()), np.flatnonzero(broken[classes])


def spelling_warnings(
    frame: Frame, columns: Sequence[Column], request: Request
) -> Iterator[Warned]:
    """Yield what is warned of where spellings of one value count as several.

    That is if other classes of these columns had one value, or broke a condition, were
    nearly equal values of a sensitive column equal.
    """

    def given_away(frame: Frame, name: Name) -> tuple[int, int]:
        single = exposures(frame, [name], classes)[str(name)].single
        return single, failing_rows(frame, classes, request)[0]

    classes = _classes(columns) if columns else np.empty(0, dtype=np.int64)
    for name in request.sensitive_names if columns else ():
        column = frame.column(name)
        texts = written_of(column)
        groups = nearly_equal(column, texts)
        if not groups:
            continue
        firsts = made_equal(texts)
        equal = merged(column.codes, [text or None for text in firsts], text=True)
        single, broken = now = given_away(frame.relabelled({name: equal}), name)
        if now == given_away(frame, name):
            continue
        (first, _), (second, _), *_ = groups[0]
        broken_too = f", {broken} break what is asked" * request.counts_values
        yield Warned(
            f"sensitive {quoted(name)}: {quoted(first)} and {quoted(second)} are "
            "nearly equal",
            f"made equal, {single} of {classes.max() + 1} classes have one value"
            f"{broken_too}; --recode {name}=FILE with a line for each value, as "
            f"{second};{first}",
        )


def exposures(
    frame: Frame, sensitive: Sequence[Name], classes: IntArray
) -> dict[str, Exposure]:
    """Return the exposure by each sensitive column in classes of rows."""
    found: dict[str, Exposure] = {}
    for name in sensitive if frame.n else ():
        values = frame.column(name).codes
        stand = Standing.of(classes, values, np.bincount(values))
        found[str(name)] = Exposure(
            classes=len(stand.rows),
            single=int((stand.different == 1).sum()),
            least=int(stand.different.min()),
            most=float((stand.most / stand.rows).max()),
            distance=float((stand.apart / (stand.rows * frame.n)).max()),
        )
    return found


def _conditions(frame: Frame, request: Request) -> Diversity:
    return Diversity([()] * frame.n, 1, (), **conditions_of(frame, request))


def _in_words(instance: Diversity) -> str:
    reading = "" if instance.reading == "distinct" else f" by {instance.reading}"
    times = "" if instance.c is None else f", c = {instance.c}"
    asks = instance.l > 1 or instance.c is not None
    diverse = [f"l = {instance.l}{reading}{times}"] if asks else []
    order = " in order" if instance.ordered else ""
    close = [] if instance.t is None else [f"t = {instance.t}{order}"]
    return ", ".join(diverse + close)


def _classes(columns: Sequence[Column]) -> IntArray:
    return Records.of_columns([c.codes for c in columns]).record_of
