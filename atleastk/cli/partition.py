"""What ``atleastk partition`` does with a map in files."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from atleastk import api
from atleastk.anonymizing.anonymize import sparing
from atleastk.cli.console import NO, OK, Exit, watched
from atleastk.cli.outputs import (
    JSON,
    POLYGONS,
    Paths,
    picture,
    table_like,
    through_the_door,
    write_results,
)
from atleastk.frames.texts import TextFrame
from atleastk.instances import files
from atleastk.instances.attributes import USUAL
from atleastk.instances.datasets.counties import table_of
from atleastk.instances.datasets.maps import polygons_from_geojson
from atleastk.instances.errors import InvalidInstanceError
from atleastk.partitioning.partition import (
    Partitioned,
    is_polygons,
    map_of,
    partition_within,
)
from atleastk.plots import connected_partition as plot
from atleastk.plots.drawing import axes, save

__all__ = ["partition"]

_PART: Final = "part"
"""What the column or property is called that tells the part of a region."""


def _paths(args: Namespace) -> Paths:
    return Paths(
        [("the original table", args.map), ("the table of neighbours", args.edges)],
        [
            (
                args.output,
                POLYGONS if is_polygons(args.map, args.edges) else table_like(args.map),
            ),
            (args.result, JSON),
            (args.instance, JSON),
            (args.plot, picture(args.plot)),
        ],
    )


@through_the_door(_paths)
def partition(args: Namespace) -> Exit:
    """Partition a map into connected parts of at least k, the heaviest least."""
    budget = api.budget_of(args.time_limit, args.workers, args.seed, args.memory_limit)
    began = time.monotonic()
    ax = axes(None, 8.0, 6.0) if args.plot else None  # no matplotlib? better told now
    instance = map_of(
        args.map,
        args.k,
        parts=args.parts,
        edges=args.edges,
        weight=None if args.unweighted else args.weight or USUAL,
        name=args.name,
        state=args.state,
        code=args.code,
        tolerance=args.tolerance,
    )
    within = sparing(budget, time.monotonic() - began)
    with watched(args.map, args.events, args.json) as on_event:
        run = partition_within(instance, within, args.method, on_event, args.parts)
    made = run.partitioned
    if args.output and made.part is not None:
        _write(made, args)
    if args.result:
        write_results(args.result, [made.result])
    if args.instance:
        files.write(args.instance, instance.to_dict())
    _print(made, args)
    if ax is not None:
        polygons = (
            polygons_from_geojson(args.map)
            if is_polygons(args.map, args.edges)
            else None
        )
        save(plot.draw(instance, made.result, ax, polygons), Path(args.plot))
    code = OK if made.part is not None else NO
    if run.outcome.signalled is not None:
        code = 128 + run.outcome.signalled
    return Exit(code, run.outcome.abandoned)


def _write(made: Partitioned, args: Namespace) -> None:
    """Write the map as it was read, with the part of every region."""
    if is_polygons(args.map, args.edges):
        files.write(args.output, _with_parts(files.read(args.map), made))
        return
    columns, rows = table_of(args.map, args.state)
    if _PART in columns:
        message = f'{args.map}: there is a column "{_PART}" already; rename it'
        raise InvalidInstanceError(message)
    cells = [
        [*(row[column] for column in columns), str(part)]
        for row, part in zip(rows, made.part or (), strict=True)
    ]
    TextFrame((*columns, _PART), cells).write(Path(args.output))


def _with_parts(document: Mapping[str, Any], made: Partitioned) -> dict[str, Any]:
    features = [
        {
            **feature,
            "properties": {**(feature.get("properties") or {}), _PART: part},
        }
        for feature, part in zip(document["features"], made.part or (), strict=True)
    ]
    return {**document, "features": features}


def _print(made: Partitioned, args: Namespace) -> None:
    if args.json:
        document = {
            "status": made.result.status,
            "trust": made.result.trust,
            "parts": None if made.part is None else made.weights,
            "asked": made.asked,
            "cost": made.result.cost,
            "bound": made.result.bound,
            "part": made.part,
            "seconds": made.result.seconds,
        }
        print(json.dumps(document), flush=True)
        return
    print(f"{args.map}: {made}")
    if args.output:
        nothing = made.part is None
        print(f"  written     {'nothing' if nothing else args.output}", flush=True)
