"""``atleastk cluster``: clusters in place of the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from atleastk.cli.console import Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import TABLE
from atleastk.cli.paths import Paths
from atleastk.cli.print_table import print_table
from atleastk.cli.readers import amount, count, level, names, sized
from atleastk.cli.table_command import TableMaking, ended
from atleastk.clustering.cluster import (
    MEASURES,
    Clustered,
    ClusterRequest,
    cluster_frame,
    in_short,
)
from atleastk.frames.csv_frame import TextFrame
from atleastk.instances.clustering import CENTRES
from atleastk.instances.metric_spaces import METRICS

__all__ = ["Options", "run"]

_SHOWN: Final = 20
"""The most clusters that are shown on a page: about what a screen holds."""


@dataclass(frozen=True, kw_only=True)
class Options(TableMaking):
    """What ``atleastk cluster`` is asked."""

    epilog: ClassVar = (
        "Published are the chosen columns, the sensitive ones, sizes and radii only."
    )

    r: int = option("-r R", "least number of rows in a cluster", level, required=True)
    columns: Sequence[str] | None = option(
        "--columns NAMES",
        "columns that say where a row is (default: all others)",
        names,
    )
    sensitive: Sequence[str] = option(
        "--sensitive NAMES", "columns to publish for every cluster", names, default=()
    )
    metric: str = option(
        "--metric",
        "distance of rows (default: manhattan)",
        choices=METRICS,
        default="manhattan",
    )
    units: Sequence[tuple[str, str]] = option(
        "--units NAME=SIZE",
        "how much of a column makes a unit of distance (default: 1); can be repeated",
        sized,
        action="append",
        default=[],
    )
    total: bool = option(
        "--total", "minimise the sum of size times radius, not the greatest radius"
    )
    facility_cost: float = option(
        "--facility-cost C",
        "with --total: what every cluster costs in addition, in units of distance",
        amount,
        default=0.0,
    )
    max_clusters: int | None = option(
        "--max-clusters N", "clusters at most (default: any number)", level
    )
    max_outliers: int = option(
        "--max-outliers N", "rows left out at most (default: 0)", count, default=0
    )
    centres: str = option(
        "--centres",
        "where a centre may be: any row (default), a row of its cluster, or any place",
        choices=CENTRES,
        default="input",
    )
    output: str | None = option(
        "-o --output OUT", "write the published table: .csv, .tsv"
    )

    def paths(self) -> Paths:
        return self._paths(TABLE, ("the original table", self.table))


def run(options: Options) -> Exit:
    """Publish centres of clusters of at least r rows in place of a table's rows."""
    work = options.work()
    frame = options.frame()
    request = ClusterRequest(
        r=options.r,
        columns=options.columns,
        metric=options.metric,
        units=dict(options.units),
        total=options.total,
        facility_cost=options.facility_cost,
        max_clusters=options.max_clusters,
        max_outliers=options.max_outliers,
        centres=options.centres,
        sensitive=options.sensitive,
    )
    with options.watching(work, options.table) as watched:
        made, outcome = cluster_frame(frame, request, watched)
    shown = _published(made)
    options.write(made.instance, made.result, shown.write)
    told = f"{options.table}: {made}"
    options.tell(told, made.to_dict(), solved=made.clusters is not None)
    if not options.json and 0 < shown.n <= _SHOWN:
        print_table(
            [f"{n}>" if n in MEASURES else str(n) for n in shown.names], shown.rows
        )
    options.draw(made.instance, made.result, steps=made.where.steps)
    return ended([outcome])


def _published(made: Clustered) -> TextFrame:
    """Return the table that is published, as it is written."""
    rows = made.rows()
    names = list(rows[0]) if rows else [*made.where.names, *MEASURES]
    return TextFrame(names, [[_told(n, row[n]) for n in names] for row in rows])


def _told(name: Any, cell: Any) -> str:
    if isinstance(cell, list):
        return "; ".join(map(str, cell))
    return in_short(cell) if name == "radius" else str(cell)
