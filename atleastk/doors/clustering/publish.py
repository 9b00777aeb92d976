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
from itertools import repeat
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.doors.cells import Cell, with_commas
from atleastk.doors.clustering.points import Located
from atleastk.frames.frame import Frame, Name, chosen, codes_of
from atleastk.instances.clustering import CENTRES
from atleastk.instances.fields.errors import InvalidInstanceError, expect_one_of
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.hierarchies.decimal_commas import with_comma
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, labels_of
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
    values = {name: frame.column(name).cells for name in sensitive}
    groups, rows = solution.groups, tuple[int, ...]()
    if place in (ANY, MEAN):
        middle = where.mean if place == MEAN else where.middle
        places = [middle(group) for group in groups]
        plain = [tuple(map(_plain, centre)) for centre in places]
    else:
        assert isinstance(solution, ClusteringSolution)  # it is completed
        rows = solution.centres
        places = where.rows(rows)
        plain = where.rows(rows, _plain)
    away, starts = _away(where, groups, rows, places), PackedGroups.of(groups).starts
    radii = np.maximum.reduceat(away, starts[:-1]).tolist()
    each = zip(groups, places, plain, radii, rows or repeat(None), strict=False)
    for group, cells, shown, radius, row in each:
        told = {
            name: tuple(sorted((found[row] for row in group), key=str))
            for name, found in values.items()
        }
        centre = dict(zip(where.names, shown, strict=True))
        yield Cluster(centre, len(group), radius, told, group, cells, row)


def _away(
    where: Located,
    groups: Sequence[Sequence[int]],
    centres: Sequence[int],
    places: Sequence[tuple[Cell, ...]],
) -> FloatArray:
    """Return how far rows are from their centre, group after group.

    Centres are rows, or else places between them.
    """
    held, rows = PackedGroups.of(groups), np.array(centres, dtype=np.int64)
    if places and not centres:
        rows = len(where.points) + np.arange(len(places))
        where = where.beside(places)
    return where.apart(held.items, rows[held.homes])


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
    """Return where every row belongs; see `Clustered.members`."""
    found: list[Member | None] = [None] * frame.n
    called = names_of(frame, where, clusters, name)
    groups, places = [c.rows for c in clusters], [c.place for c in clusters]
    rows = [c.row for c in clusters if c.row is not None]
    away = iter(_away(where, groups, rows, places).tolist())
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

    Raises WrongAnswerError if there are fewer than r equal rows somewhere; see
    `Clustered.frame`, too.
    """
    if outliers:
        rows = counted(outliers, "row")
        raise InvalidInstanceError(
            f"max_outliers: {rows} left out without a centre; allow none"
        )
    cluster_of = labels_of([cluster.rows for cluster in clusters], frame.n)
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
