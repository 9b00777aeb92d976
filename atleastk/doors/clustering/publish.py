"""Published clusters: a row for each, or every row with its centre.

The second is microaggregation [DomingoMateo02]: the cells of the columns that were
clustered by are those of the cluster's centre, and other columns stay as they are. The
table is read again and its equal rows are counted anew.

References
----------
[DomingoMateo02] J. Domingo-Ferrer, J. M. Mateo-Sanz, Practical data-oriented
microaggregation for statistical disclosure control. IEEE Transactions on Knowledge and
Data Engineering 14 (2002) 189-201.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice, repeat
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.doors.cells import Cell, with_commas
from atleastk.doors.clustering.points import Located
from atleastk.frames.frame import Frame, Name, chosen, codes_of
from atleastk.instances.clustering import CENTRES
from atleastk.instances.fields.errors import InvalidInstanceError, expect_one_of
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.hierarchies.decimal_commas import with_comma
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.models.tables.anonymity import strict
from atleastk.models.wording import counted

MEASURES: Final = ("points", "radius")
"""Published columns of a cluster that are no columns of the table."""

ANY: Final = "any"
MEAN: Final = "mean"
PLACES: Final = (*CENTRES, MEAN)
"""The centres that may be published."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A published cluster.

    Attributes
    ----------
    centre
        Where it is, by column.
    size
        How many rows it has.
    radius
        The greatest distance of a row to the centre.
    sensitive
        The values of the sensitive columns, sorted.
    rows
        Which rows of the table it has; this is not published.
    place
        The centre as the table writes it, column by column; numbers as decimals.
    row
        The row of the table that is the centre; None if it lies between rows.
    """

    centre: Mapping[Name, Any]
    size: int
    radius: float
    sensitive: Mapping[Name, tuple[Any, ...]]
    rows: tuple[int, ...]
    place: tuple[Cell, ...]
    row: int | None = None

    @property
    def cost(self) -> float:
        """Size times radius."""
        return self.size * self.radius


def reading_of(place: str, metric: str) -> str:
    """Return the centres of the instance for those to be published: means are any."""
    expect_one_of("centres", place, PLACES)
    if place in (ANY, MEAN) and metric == "great-circle":
        raise InvalidInstanceError(
            f'centres: "{place}" has no place on a sphere; take "input"'
        )
    return ANY if place == MEAN else place


def published(
    frame: Frame,
    where: Located,
    solution: Solution,
    sensitive: Sequence[Name],
    place: str,
) -> Iterator[Cluster]:
    """Yield the published clusters."""
    columns = {name: frame.column(name) for name in sensitive}
    values = {
        name: [column.values[code] for code in column.codes]
        for name, column in columns.items()
    }
    groups, rows = solution.groups, tuple[int, ...]()
    if place in (ANY, MEAN):
        middle = where.mean if place == MEAN else where.middle
        places = [middle(group) for group in groups]
    else:
        assert isinstance(solution, ClusteringSolution)  # it is completed
        rows = solution.centres
        places = [where.row(row) for row in rows]
    away = _away(where, groups, rows, places)
    for group, centre, row in zip(groups, places, rows or repeat(None), strict=False):
        yield Cluster(
            dict(zip(where.names, map(_plain, centre), strict=True)),
            len(group),
            max(islice(away, len(group))),
            {
                name: tuple(sorted((found[row] for row in group), key=str))
                for name, found in values.items()
            },
            group,
            centre,
            row,
        )


def _away(
    where: Located,
    groups: Sequence[Sequence[int]],
    centres: Sequence[int],
    places: Sequence[tuple[Cell, ...]],
) -> Iterator[float]:
    """Yield how far rows are from their centre, group after group."""
    if centres:
        held = PackedGroups.of(groups)
        centre = np.array(centres, dtype=np.int64)[held.homes]
        away = where.apart(held.items, centre)
        if away is not None:
            yield from away.tolist()
            return
    for group, place in zip(groups, places, strict=True):
        for row in group:
            yield where.distance(where.row(row), place)


class Member(NamedTuple):
    """Where a row belongs."""

    cluster: int
    """Its number, from 1."""
    centre: str
    """What the row at the centre is called, or the place between rows."""
    distance: float
    """How far the row is from it."""


@garbage_waits()
def members(
    frame: Frame, where: Located, clusters: Sequence[Cluster], name: Name | None
) -> list[Member | None]:
    """Return where every row belongs; None for rows that are left out.

    Rows are called as column `name` says, or by their numbers, from 1.
    """
    found: list[Member | None] = [None] * frame.n
    called = names_of(frame, where, clusters, name)
    groups, places = [c.rows for c in clusters], [c.place for c in clusters]
    rows = [c.row for c in clusters if c.row is not None]
    away = _away(where, groups, rows, places)
    for number, (cluster, centre) in enumerate(zip(clusters, called, strict=True), 1):
        for row in cluster.rows:
            found[row] = Member(number, centre, next(away))
    return found


def names_of(
    frame: Frame, where: Located, clusters: Sequence[Cluster], name: Name | None
) -> Iterator[str]:
    """Yield what the centre of every cluster is called; see `members`."""
    column = None if name is None else frame.column(*chosen(frame, [name]))
    for cluster in clusters:
        if cluster.row is None:
            place = zip(where.axes, map(str, cluster.centre.values()), strict=True)
            cells = (with_comma(x) if axis.commas else x for axis, x in place)
            yield ("; " if where.has_commas else ", ").join(cells)
        elif column is None:
            yield str(cluster.row + 1)
        else:
            yield str(column.values[column.codes[cluster.row]])


@garbage_waits()
def in_rows(
    frame: Frame, where: Located, clusters: Sequence[Cluster], outliers: int, r: int
) -> Frame:
    """Return the table with its cluster's centre in every row, counted anew.

    Raises
    ------
    InvalidInstanceError
        If rows are left out, which have no centre.
    WrongAnswerError
        If there are fewer than r equal rows somewhere.
    """
    if outliers:
        rows = counted(outliers, "row")
        raise InvalidInstanceError(
            f"max_outliers: {rows} left out without a centre; allow none"
        )
    cluster_of = np.empty(frame.n, dtype=np.int64)
    for number, cluster in enumerate(clusters):
        cluster_of[list(cluster.rows)] = number
    places = [cluster.place for cluster in clusters]
    made = filled(frame, where.names, places, cluster_of.tolist()).rebuilt()
    again = tuple(made.column(name) for name in where.names)
    strict(codes_of(again)).expect(r, "anonymous")
    return made


def filled(
    frame: Frame,
    names: Sequence[Name],
    places: Sequence[tuple[Cell, ...]],
    place_of: Sequence[int],
) -> Frame:
    """Return a table with one of some places in every row, as its columns write it."""
    cells: dict[Name, list[Any]] = {}
    for j, name in enumerate(names):
        column = frame.column(name)
        like = column.values[0] if column.values else None
        commas = with_commas(column.values)
        written = [_like(like, place[j], commas=commas) for place in places]
        cells[name] = [written[number] for number in place_of]
    return frame.refilled(cells)


def in_short(length: float) -> str:
    """Return a length in a few digits."""
    return f"{length:.6g}"


def _plain(cell: Cell) -> Any:
    """Return a decimal as an integer or a float."""
    if not isinstance(cell, Decimal):
        return cell
    return int(cell) if cell == cell.to_integral_value() else float(cell)


def _like(cell: Any, centre: Cell, *, commas: bool) -> Any:
    if not isinstance(centre, Decimal) or isinstance(cell, Decimal):
        return centre
    if isinstance(cell, str):
        return with_comma(f"{centre:f}") if commas else f"{centre:f}"
    return float(centre) if isinstance(cell, float) else _plain(centre)
