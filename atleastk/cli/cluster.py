"""What ``atleastk cluster`` does with the table of a file."""

from __future__ import annotations

import csv
import gzip
import io
import json
import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from atleastk import api
from atleastk.anonymizing.anonymize import sparing
from atleastk.cli.anonymize_words import listed
from atleastk.cli.console import NO, OK, Exit, watched
from atleastk.cli.outputs import (
    JSON,
    TABLE,
    Paths,
    picture,
    through_the_door,
    write_results,
)
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
from atleastk.instances.errors import AtleastkError
from atleastk.instances.writing import write_bytes
from atleastk.plots.drawing import axes, save
from atleastk.registry import drawing_of

__all__ = ["cluster"]

_SHOWN: Final = 20
"""So many clusters are told of on a page."""


def _paths(args: Namespace) -> Paths:
    return Paths(
        [("the original table", args.table)],
        [
            (args.output, TABLE),
            (args.result, JSON),
            (args.instance, JSON),
            (args.plot, picture(args.plot)),
        ],
    )


@through_the_door(_paths)
def cluster(args: Namespace) -> Exit:
    """Publish centres of clusters of at least r rows in place of a table's rows."""
    budget = api.budget_of(args.time_limit, args.workers, args.seed, args.memory_limit)
    began = time.monotonic()
    ax = axes(None) if args.plot else None  # no matplotlib? better told now
    frame = read_frame(Path(args.table), args.delimiter)
    wishes = ClusterWishes(
        metric=args.metric,
        units=_units(args.unit),
        total=args.total,
        facility_cost=args.facility_cost,
        max_clusters=args.max_clusters,
        max_outliers=args.max_outliers,
        centres=args.centres,
    )
    with watched(args.table, args.events, args.json) as on_event:
        run = cluster_within(
            frame,
            args.r,
            None if args.columns is None else listed(args.columns),
            sparing(budget, time.monotonic() - began),
            wishes,
            sensitive=[] if args.sensitive is None else listed(args.sensitive),
            method=args.method,
            on_event=on_event,
        )
    made = run.clustered
    if args.output and made.clusters is not None:
        _write(made, Path(args.output))
    if args.result:
        write_results(args.result, [made.result])
    if args.instance:
        files.write(args.instance, made.instance.to_dict())
    _print(made, args)
    if ax is not None:
        save(drawing_of(made.instance)(made.instance, made.result, ax), Path(args.plot))
    code = OK if made.clusters is not None else NO
    if run.outcome.signalled is not None:
        code = 128 + run.outcome.signalled
    return Exit(code, run.outcome.abandoned)


def _units(given: list[str]) -> dict[Name, str]:
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


def _print(made: Clustered, args: Namespace) -> None:
    if args.json:
        document = {
            "status": made.result.status,
            "trust": made.result.trust,
            "radius": made.radius,
            "total": made.total,
            "bound": made.in_units(made.result.bound),
            "clusters": None if made.clusters is None else made.rows(),
            "outliers": made.outliers,
            "seconds": made.result.seconds,
        }
        print(json.dumps(document, default=str), flush=True)
        return
    print(f"{args.table}: {made}")
    if args.output:
        nothing = made.clusters is None
        print(f"  written     {'nothing' if nothing else args.output}", flush=True)
    rows = list(_cells(made))
    if rows and len(rows) <= _SHOWN:
        flush = [
            f"{name}>" if name in ("points", "radius") else name for name in rows[0]
        ]
        print_table(flush, [tuple(row.values()) for row in rows])
