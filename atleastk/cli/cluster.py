"""What ``atleastk cluster`` does with the table of a file."""

from __future__ import annotations

import csv
import gzip
import io
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.anonymizing.anonymize import sparing
from atleastk.cli.anonymize_words import listed
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import (
    JSON,
    TABLE,
    Paths,
    picture,
    through_the_door,
    write_results,
)
from atleastk.cli.progress import watched
from atleastk.cli.readers import amount, count, level
from atleastk.cli.shared_options import TableRunning, delimited
from atleastk.cli.tables import print_table
from atleastk.clustering.cluster import (
    Clustered,
    ClusterWishes,
    cluster_within,
    in_short,
)
from atleastk.frames.frame import Name
from atleastk.frames.framed import read_frame
from atleastk.instances import files
from atleastk.instances.clustering import CENTRES
from atleastk.instances.errors import AtleastkError
from atleastk.instances.metric_spaces import METRICS
from atleastk.instances.writing import write_bytes
from atleastk.plots.drawing import axes, save
from atleastk.registry import drawing_of

__all__ = ["Options", "run"]

_SHOWN: Final = 20
"""So many clusters are told of on a page."""


@dataclass(frozen=True, kw_only=True)
class Options(TableRunning):
    """What ``atleastk cluster`` is asked."""

    epilog: ClassVar = (
        "Only the chosen columns, the sensitive ones, sizes and radii are published."
    )

    table: str = option(
        metavar="TABLE", help=".csv, .tsv (or .gz of them), or .parquet"
    )
    r: int = option(
        "-r", reader=level, required=True, metavar="R", help="least rows of a cluster"
    )
    columns: str | None = option(
        "--columns", metavar="NAMES", help="where rows are (default: all others)"
    )
    sensitive: str | None = option(
        "--sensitive", metavar="NAMES", help="columns to publish for every cluster"
    )
    metric: str = option(
        "--metric", choices=METRICS, default="manhattan", help="default: manhattan"
    )
    unit: Sequence[str] = option(
        "--unit",
        action="append",
        default=[],
        metavar="NAME=SIZE",
        help="how much of a column makes a unit of distance (default: 1)",
    )
    total: bool = option(
        "--total",
        action="store_true",
        help="minimise the sum of size times radius, not the greatest radius",
    )
    facility_cost: float = option(
        "--facility-cost",
        reader=amount,
        default=0.0,
        metavar="C",
        help="with --total: what a cluster pays besides, in units of distance",
    )
    max_clusters: int | None = option(
        "--max-clusters", reader=level, metavar="N", help="default: any number"
    )
    max_outliers: int = option(
        "--max-outliers", reader=count, default=0, metavar="N", help="rows left out"
    )
    centres: str = option(
        "--centres",
        choices=CENTRES,
        default="input",
        help="any row (default), a row of the cluster, or between rows",
    )
    output: str | None = option(
        "-o", "--output", metavar="OUT", help="write the published table: .csv, .tsv"
    )
    delimiter: str | None = delimited()
    plot: str | None = option("--plot", metavar="FILE", help="draw the clusters")
    json: bool = option(
        "--json", action="store_true", help="print what is published as a JSON object"
    )


def _paths(options: Options) -> Paths:
    return Paths(
        [("the original table", options.table)],
        [
            (options.output, TABLE),
            (options.result, JSON),
            (options.instance, JSON),
            (options.plot, picture(options.plot)),
        ],
    )


@through_the_door(_paths)
def run(options: Options) -> Exit:
    """Publish centres of clusters of at least r rows in place of a table's rows."""
    budget = options.budget()
    began = time.monotonic()
    ax = axes(None) if options.plot else None  # no matplotlib? better told now
    frame = read_frame(Path(options.table), options.delimiter)
    wishes = ClusterWishes(
        metric=options.metric,
        units=_units(options.unit),
        total=options.total,
        facility_cost=options.facility_cost,
        max_clusters=options.max_clusters,
        max_outliers=options.max_outliers,
        centres=options.centres,
    )
    with watched(options.table, options.events, options.json) as on_event:
        run = cluster_within(
            frame,
            options.r,
            None if options.columns is None else listed(options.columns),
            sparing(budget, time.monotonic() - began),
            wishes,
            sensitive=[] if options.sensitive is None else listed(options.sensitive),
            method=options.method,
            on_event=on_event,
        )
    made = run.clustered
    if options.output and made.clusters is not None:
        _write(made, Path(options.output))
    if options.result:
        write_results(options.result, [made.result])
    if options.instance:
        files.write(options.instance, made.instance.to_dict())
    _print(made, options)
    if ax is not None and options.plot:
        save(
            drawing_of(made.instance)(made.instance, made.result, ax),
            Path(options.plot),
        )
    code = OK if made.clusters is not None else NO
    if run.outcome.signalled is not None:
        code = 128 + run.outcome.signalled
    return Exit(code, run.outcome.abandoned)


def _units(given: Sequence[str]) -> dict[Name, str]:
    units: dict[Name, str] = {}
    for text in given:
        name, equals, size = text.rpartition("=")
        if not equals or not name:
            message = f'--unit: expected NAME=SIZE, got "{text}"'
            raise AtleastkError(message)
        units[name] = size
    return units


def _cells(made: Clustered) -> Iterator[dict[str, Any]]:
    """Give the published rows as they are written."""
    for row in made.rows():
        yield {
            str(name): "; ".join(map(str, cell))
            if isinstance(cell, list)
            else in_short(cell)
            if name == "radius"
            else cell
            for name, cell in row.items()
        }


def _write(made: Clustered, path: Path) -> None:
    """Write the published table; compressed if the name ends in ``.gz``."""
    rows = list(_cells(made))
    text = io.StringIO(newline="")
    tabs = path.name.removesuffix(".gz").endswith(".tsv")
    writer = csv.writer(text, delimiter="\t" if tabs else ",", lineterminator="\n")
    if rows:
        writer.writerow(rows[0])
        writer.writerows(row.values() for row in rows)
    data = text.getvalue().encode()
    write_bytes(path, gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def _print(made: Clustered, options: Options) -> None:
    if options.json:
        document = {
            "status": made.result.status,
            "trust": made.result.trust,
            "radius": made.radius,
            "total": made.total,
            "bound": made.in_units(made.result.bound),
            "clusters": None if made.clusters is None else made.rows(),
            "outliers": made.outliers,
            "seconds": made.result.seconds,
            "note": made.result.note,
        }
        print(json.dumps(document, default=str), flush=True)
        return
    print(f"{options.table}: {made}")
    if options.output:
        nothing = made.clusters is None
        print(f"  written     {'nothing' if nothing else options.output}", flush=True)
    rows = list(_cells(made))
    if rows and len(rows) <= _SHOWN:
        flush = [
            f"{name}>" if name in ("points", "radius") else name for name in rows[0]
        ]
        print_table(flush, [tuple(row.values()) for row in rows])
