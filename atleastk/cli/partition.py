"""What ``atleastk partition`` does with a map in files."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.anonymizing.anonymize import sparing
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import Either, option
from atleastk.cli.outputs import (
    JSON,
    POLYGONS,
    Paths,
    picture,
    table_like,
    through_the_door,
    write_results,
)
from atleastk.cli.progress import watched
from atleastk.cli.readers import amount, level
from atleastk.cli.shared_options import TableRunning
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

__all__ = ["Options", "run"]

_PART: Final = "part"
"""What the column or property is called that tells the part of a region."""


_HOW_MANY: Final = Either("how many", required=True)
_HEAVY: Final = Either("how heavy")


@dataclass(frozen=True, kw_only=True)
class Options(TableRunning):
    """What ``atleastk partition`` is asked."""

    epilog: ClassVar = (
        "Neighbours are regions that share a border; of tables, the pairs that --edges "
        "lists, codes in two columns as fips_u and fips_v."
    )

    map: str = option(
        metavar="MAP", help=".geojson, or .csv of regions (or .gz of them)"
    )
    k: int | None = option(
        "-k", either=_HOW_MANY, reader=level, metavar="K", help="least weight of a part"
    )
    parts: int | None = option(
        "--parts",
        either=_HOW_MANY,
        reader=level,
        metavar="P",
        help="take the total divided by P for K",
    )
    edges: str | None = option(
        "--edges", metavar="FILE", help="of a .csv: the table of neighbours"
    )
    weight: str | None = option(
        "--weight",
        either=_HEAVY,
        metavar="NAME",
        help="column or property of the weights (default: weight or population)",
    )
    unweighted: bool = option(
        "--unweighted",
        either=_HEAVY,
        action="store_true",
        help="let every region weigh 1",
    )
    name: str | None = option(
        "--name", metavar="NAME", help="column or property of the regions' names"
    )
    state: str | None = option(
        "--state", metavar="STATE", help="of a .csv: take the rows of this state only"
    )
    code: str | None = option(
        "--code", metavar="NAME", help="of a .csv: the codes (default: fips or geoid)"
    )
    tolerance: float | None = option(
        "--tolerance",
        reader=amount,
        metavar="T",
        help="of polygons: borders so near are shared (default: they fit exactly)",
    )
    output: str | None = option(
        "-o",
        "--output",
        metavar="OUT",
        help="write MAP with the part of every region",
    )
    plot: str | None = option("--plot", metavar="FILE", help="draw the parts")
    json: bool = option(
        "--json", action="store_true", help="print the parts as a JSON object"
    )


def _paths(options: Options) -> Paths:
    return Paths(
        [
            ("the original table", options.map),
            ("the table of neighbours", options.edges),
        ],
        [
            (
                options.output,
                POLYGONS
                if is_polygons(options.map, options.edges)
                else table_like(options.map),
            ),
            (options.result, JSON),
            (options.instance, JSON),
            (options.plot, picture(options.plot)),
        ],
    )


@through_the_door(_paths)
def run(options: Options) -> Exit:
    """Partition a map into connected parts of at least k, the heaviest least."""
    budget = options.budget()
    began = time.monotonic()
    ax = (
        axes(None, 8.0, 6.0) if options.plot else None
    )  # no matplotlib? better told now
    instance = map_of(
        options.map,
        options.k,
        parts=options.parts,
        edges=options.edges,
        weight=None if options.unweighted else options.weight or USUAL,
        name=options.name,
        state=options.state,
        code=options.code,
        tolerance=options.tolerance,
    )
    within = sparing(budget, time.monotonic() - began)
    with watched(options.map, options.events, options.json) as on_event:
        run = partition_within(
            instance, within, options.method, on_event, options.parts
        )
    made = run.partitioned
    if options.output and made.part is not None:
        _write(made, options, options.output)
    if options.result:
        write_results(options.result, [made.result])
    if options.instance:
        files.write(options.instance, instance.to_dict())
    _print(made, options)
    if ax is not None and options.plot:
        polygons = (
            polygons_from_geojson(options.map)
            if is_polygons(options.map, options.edges)
            else None
        )
        save(plot.draw(instance, made.result, ax, polygons), Path(options.plot))
    code = OK if made.part is not None else NO
    if run.outcome.signalled is not None:
        code = 128 + run.outcome.signalled
    return Exit(code, run.outcome.abandoned)


def _write(made: Partitioned, options: Options, output: str) -> None:
    """Write the map as it was read, with the part of every region."""
    if is_polygons(options.map, options.edges):
        files.write(output, _with_parts(files.read(options.map), made))
        return
    columns, rows = table_of(options.map, options.state)
    if _PART in columns:
        message = f'{options.map}: there is a column "{_PART}" already; rename it'
        raise InvalidInstanceError(message)
    cells = [
        [*(row[column] for column in columns), str(part)]
        for row, part in zip(rows, made.part or (), strict=True)
    ]
    TextFrame((*columns, _PART), cells).write(Path(output))


def _with_parts(document: Mapping[str, Any], made: Partitioned) -> dict[str, Any]:
    features = [
        {
            **feature,
            "properties": {**(feature.get("properties") or {}), _PART: part},
        }
        for feature, part in zip(document["features"], made.part or (), strict=True)
    ]
    return {**document, "features": features}


def _print(made: Partitioned, options: Options) -> None:
    if options.json:
        document = {
            "status": made.result.status,
            "trust": made.result.trust,
            "parts": None if made.part is None else made.weights,
            "asked": made.asked,
            "cost": made.result.cost,
            "bound": made.result.bound,
            "part": made.part,
            "seconds": made.result.seconds,
            "note": made.result.note,
        }
        print(json.dumps(document), flush=True)
        return
    print(f"{options.map}: {made}")
    if options.output:
        nothing = made.part is None
        print(f"  written     {'nothing' if nothing else options.output}", flush=True)
