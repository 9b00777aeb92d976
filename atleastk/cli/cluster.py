"""``atleastk cluster``: clusters in place of the rows of a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.cli.console import Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import table_named
from atleastk.cli.print_table import SHOWN, print_table
from atleastk.cli.readers import allowance, amount, level, names, sized
from atleastk.cli.table_command import TableMaking, as_request, exit_of, rows_of
from atleastk.doors.clustering.cluster import (
    MINIMISED,
    Clustered,
    ClusterRequest,
    cluster_frame,
)
from atleastk.doors.clustering.points import SCALES
from atleastk.doors.clustering.publish import MEASURES, PLACES, in_short, names_of
from atleastk.frames.csv_frame import TextFrame
from atleastk.frames.frame import Frame, Name
from atleastk.frames.open_frame import FileFrame, write_frame
from atleastk.frames.rows import numbered_cells
from atleastk.instances.fields.allowance import allowed_rows
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.fields.spelling import usual
from atleastk.instances.hierarchies.decimal_commas import with_comma
from atleastk.instances.pair_partition import PairPartition
from atleastk.instances.spaces.metric_spaces import METRICS

_ADDED: Final = ("cluster", "centre", "distance", "distance_km")
"""The columns that say where a row belongs."""

_FIGURES: Final = ("cluster", *MEASURES, "radius_km")
"""Columns of numbers that are no columns of the table."""


@dataclass(frozen=True, kw_only=True)
class Options(TableMaking):
    epilog: ClassVar = (
        "OUT of -o has numbers, the chosen columns, the sensitive ones, sizes and "
        "radii only, and with --name what centres are called; that of --rows has all "
        "columns, and so has that of --assign, which hides nothing: it is a plan, and "
        "no publication."
    )

    r: int = option(
        "-r -k R", "least number of rows in a cluster", level, required=True
    )
    columns: Sequence[str] | None = option(
        "--columns NAMES",
        "columns that say where a row is (default: all others)",
        names,
    )
    sensitive: Sequence[str] = option(
        "--sensitive NAMES", "columns to publish for every cluster", names, default=()
    )
    metric: str | None = option(
        "--metric",
        "distance of rows (default: manhattan; of squares: euclidean)",
        choices=METRICS,
    )
    units: Sequence[tuple[str, str]] = option(
        "--units NAME=SIZE",
        "how much of a column makes a unit of distance (default: 1); can be repeated",
        sized,
        action="append",
        default=[],
    )
    scale: str = option(
        "--scale",
        "units of other columns of numbers: their range or deviation (default: none)",
        partial(usual, known=SCALES),
        choices=SCALES,
        default="none",
    )
    minimise: str | None = option(
        "--minimise",
        "the sum of size times radius (total: default), the greatest radius, the sum "
        "of squares about the mean (microaggregation), or that of distances between "
        "any two rows of a cluster (pairs)",
        choices=MINIMISED,
    )
    total: bool = option("--total", "the same as --minimise total")
    facility_cost: float = option(
        "--facility-cost C",
        "what every cluster adds to the total, in units of distance; metres on the "
        "earth",
        amount,
        default=0.0,
    )
    max_clusters: int | None = option(
        "--max-clusters N", "clusters at most (default: any number)", level
    )
    max_outliers: str = option(
        "--max-outliers N",
        "rows left out at most, a number or a share such as 2%% (default: 0)",
        allowance,
        default="0",
    )
    centres: str | None = option(
        "--centres",
        "where a centre may be: any row (default), a row of its cluster, any place, or "
        "the mean of its rows (default of squares and pairs)",
        choices=PLACES,
    )
    output: str | None = option(
        "-o --output OUT",
        "write the table of clusters, in the format of the name",
        writes=lambda options: table_named(options.output),
    )
    rows: str | None = option(
        "--rows OUT",
        "write the table of all rows, their centres in place of the columns clustered "
        "by, other columns as they are",
        writes=lambda options: table_named(options.rows, options.table),
    )
    assign: str | None = option(
        "--assign OUT",
        "write the table of all rows as they are, with their cluster, its centre and "
        "the distance to it, in the format of the name",
        writes=lambda options: table_named(options.assign),
    )
    name: str | None = option(
        "--name COLUMN",
        "what rows are called, with --assign (default: 1, 2, ...) and -o (default: "
        "centres have no names)",
    )

    @property
    def outputs(self) -> list[str]:
        return [path for path in (self.output, self.rows, self.assign) if path]


def run(options: Options) -> Exit:
    ask = options.ask()
    frame = options.frame()
    outliers = allowed_rows(options.max_outliers, frame.n, "max_outliers")
    if options.rows and outliers:
        raise InvalidInstanceError(
            "--rows: rows that --max-outliers leaves out have no centre"
        )
    for name in frame.names if options.assign else ():
        if str(name) in _ADDED:
            raise InvalidInstanceError(
                f'{options.table}: there is a column "{name}" already; rename it'
            )
    units, total = dict(options.units), options.total or None
    request = as_request(
        ClusterRequest, options, units=units, total=total, max_outliers=outliers
    )
    with options.watching(ask, options.table) as watched:
        made, outcome = cluster_frame(frame, request, watched)
    _tell(options, frame, made)
    return exit_of([outcome])


@garbage_waits()
def _tell(options: Options, frame: FileFrame, made: Clustered) -> None:
    """Write what was made, and print the report."""
    shown = _published(made, options.name)
    options.write(made.instance, made.result, partial(write_frame, shown))
    rows = made.in_rows() if options.rows else None
    if options.rows and rows is not None:
        assert isinstance(rows, FileFrame)  # it was read from a file
        write_frame(rows, Path(options.rows))
    if options.assign and made.clusters is not None:
        write_frame(_assigned(frame, made, options.name), Path(options.assign))
    report = f"{options.table}: {made.report(rows=bool(options.rows))}"
    options.print_made(report, made.to_dict, solved=made.clusters is not None)
    if not options.json and 0 < shown.n <= SHOWN:
        print_table(
            [f"{n}>" if n in _FIGURES else str(n) for n in shown.names],
            list(shown.each_row()),
        )
    squares = isinstance(made.instance, PairPartition)
    how = {} if squares else {"steps": made.where.steps}
    options.draw(made.instance, made.result, **how)


@garbage_waits()
def _assigned(frame: FileFrame, made: Clustered, name: str | None) -> TextFrame:
    earth = made.where.metric == "great-circle"
    added = [*_ADDED[:2], _ADDED[3] if earth else _ADDED[2]]
    commas = made.where.has_commas
    members = made.members(name)

    def cells() -> Iterator[list[str]]:
        for row, member in zip(rows_of(frame), members, strict=True):
            known = ["" if cell is None else str(cell) for cell in row]
            new = ["", "", ""]
            if member is not None:
                away = _length(member.distance, earth=earth)
                away = with_comma(away) if commas else away
                new = [str(member.cluster), member.centre, away]
            yield known + new

    return TextFrame.of([*map(str, frame.names), *added], cells(), _between(frame))


@garbage_waits()
def _published(made: Clustered, name: str | None) -> TextFrame:
    """Return the published table as a file of text has it, numbered as the plan is.

    On the earth radii are in kilometres. With a `name` it says what centres are called;
    columns of the table that are called as what is added take its place.
    """
    clusters, (size, radius) = made.clusters or (), MEASURES
    sensitive = list(clusters[0].sensitive) if clusters else []
    names = [*made.where.names, size, radius, *sensitive]
    added = [n for n in _ADDED[: 1 if name is None else 2] if n not in names]
    earth = made.where.metric == "great-circle"
    commas = {axis.name for axis in made.where.axes if axis.commas}
    commas |= {radius} if commas else set()
    cells: dict[Name, Iterable[Any]] = {"cluster": range(1, len(clusters) + 1)}
    if name is not None:
        cells["centre"] = names_of(made.source, made.where, clusters, name)
    cells |= {n: [c.centre[n] for c in clusters] for n in made.where.names}
    cells[size] = [c.size for c in clusters]
    cells[radius] = [_length(c.radius, earth=earth) for c in clusters]
    cells |= {n: [list(c.sensitive[n]) for c in clusters] for n in sensitive}
    plain = {*cells} - {*sensitive} - commas
    columns = [
        numbered_cells(
            map(str, cells[n])
            if n in plain
            else (_cell(x, n in commas) for x in cells[n])
        )
        for n in (*added, *names)
    ]
    shown = [f"{n}_km" if earth and n == radius else n for n in names]
    return TextFrame([*added, *shown], columns, _between(made.source))


def _between(frame: Frame) -> str:
    """Return what parts the cells of a table, as its file does if it is one of text."""
    return frame.delimiter if isinstance(frame, TextFrame) else ","


def _length(away: float, *, earth: bool) -> str:
    """Return a distance as a file has it: on the earth in kilometres."""
    return f"{away / 1000:.3f}" if earth else in_short(away)


def _cell(cell: Any, comma: bool) -> str:
    text = "; ".join(map(str, cell)) if isinstance(cell, list) else str(cell)
    return with_comma(text) if comma else text
