"""``atleastk partition``: a map in connected parts."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.cli.console import Exit
from atleastk.cli.options import Either, option
from atleastk.cli.outputs import POLYGONS, table_named
from atleastk.cli.readers import amount, gap, level, names
from atleastk.cli.table_command import Grouping, as_request, exit_of, read_lists
from atleastk.doors.partitioning.alike import MINIMISED
from atleastk.doors.partitioning.partition import (
    MAXIMISED,
    MapRequest,
    Partitioned,
    is_polygons,
    partition_read,
)
from atleastk.frames.csv_frame import TextFrame
from atleastk.frames.open_frame import write_frame
from atleastk.instances.datasets.counties import table_of
from atleastk.instances.datasets.map_files import read_map_file
from atleastk.instances.datasets.maps import polygons_from_file
from atleastk.instances.fields.attributes import USUAL
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files import files
from atleastk.instances.files.csv_rows import DELIMITERS, best_delimiter
from atleastk.instances.files.files import read_text
from atleastk.instances.foreign.coordinate_systems import misread
from atleastk.plots.drawing import save
from atleastk.runs.ask import Ask

_PART: Final = "part"
"""The name of the column or property that holds the part of a region."""

_HEAVY: Final = Either("how heavy")


@dataclass(frozen=True, kw_only=True)
class Options(Grouping):
    epilog: ClassVar = (
        "Polygons are neighbours if they share a border. For tables, --edges lists the "
        "pairs of neighbours: their codes in two columns, such as fips_u and fips_v if "
        "there are more."
    )

    map: str = option(
        "MAP",
        ".geojson, .shp, .gpkg, or .csv of regions (or .gz, .bz2, .zip)",
        reads="the original table",
    )
    k: int | None = option("-k K", "least weight of a part", level)
    parts: int | None = option(
        "--parts P",
        "a number of parts in place of K, which is the total weight divided by it; "
        "exactly so many with --maximise lightest or --alike, which takes both",
        level,
    )
    within: float | None = option(
        "--within SHARE",
        "with --parts: how much lighter parts may be, as 0.05 or 5%%",
        gap,
    )
    maximise: str | None = option(
        "--maximise GOAL",
        "parts: as many parts of at least K as possible; lightest: exactly --parts P, "
        "the lightest as heavy as can be",
        choices=MAXIMISED,
    )
    minimise: str | None = option(
        "--minimise",
        "the weight of the heaviest part (default), or with --alike what regions of "
        "one part differ by: in squares about the mean, or in pairs",
        choices=MINIMISED,
    )
    alike: Sequence[str] = option(
        "--alike NAMES",
        "columns or properties of numbers that regions of one part are to be alike in",
        names,
        default=(),
    )
    together: str | None = option(
        "--together FILE",
        "regions that share a part: a line of headings, then a list of names a line",
        reads="the regions that stay together",
    )
    edges: str | None = option(
        "--edges FILE",
        "with a .csv: the table of neighbours",
        reads="the table of neighbours",
    )
    weight: str | None = option(
        "--weight NAME",
        "column or property of the weights (default: weight or population)",
        either=_HEAVY,
    )
    unweighted: bool = option("--unweighted", "let every region weigh 1", either=_HEAVY)
    name: str | None = option(
        "--name NAME", "column or property of the regions' names (default: name)"
    )
    state: str | None = option(
        "--state STATE", "with a .csv: take the rows of this state only"
    )
    code: str | None = option(
        "--code NAME", "with a .csv: column of the codes (default: fips or geoid)"
    )
    tolerance: float | None = option(
        "--tolerance T",
        "with polygons: how far shared borders may be apart, in the unit of the map "
        "(default: they fit exactly)",
        amount,
    )
    layer: str | None = option(
        "--layer NAME", "with polygons: which map of a file that holds several"
    )
    gap: float | None = option(
        "--gap G",
        "end when the heaviest part is above the bound by at most this, as 0.01 or 1%%",
        gap,
    )
    certify: bool = option("--certify", "look for a certificate of the bound")
    output: str | None = option(
        "-o --output OUT",
        "write MAP with the part of every region; polygons as .geojson",
        writes=lambda options: (
            POLYGONS if options.polygons else table_named(options.output, options.map)
        ),
    )

    def ask(self, **more: Any) -> Ask:
        return super().ask(gap=self.gap, certify=self.certify, **more)

    @property
    def polygons(self) -> bool:
        return is_polygons(self.map, self.edges)


def run(options: Options) -> Exit:
    ask = options.ask()
    weight = None if options.unweighted else options.weight or USUAL
    together = read_lists(options.together)
    request = as_request(MapRequest, options, weight=weight, together=together)
    with options.watching(ask, options.map) as watched:
        read = request.read(options.map)
        if options.output and any(_PART in own for own in read.regions or ()):
            kind = "property" if options.polygons else "column"
            raise InvalidInstanceError(
                f'{options.map}: there is a {kind} "{_PART}" already; rename it'
            )
        made, outcome = partition_read(read, request, watched)
    options.write(made.instance, made.result, lambda path: _write(made, options, path))

    def polygons() -> list[list[Any]] | None:
        if not options.polygons:
            return None
        return made.of_nodes(polygons_from_file(options.map, options.layer))

    options.write_report(made, options.map, lambda name: made.to_html(name, polygons()))
    report = f"{options.map}: {made}"
    options.print_made(report, made.to_dict, solved=made.part is not None)
    if options.plot and made.part is not None:
        save(made.draw(polygons()), Path(options.plot))
    return exit_of([outcome])


def _write(made: Partitioned, options: Options, path: Path) -> None:
    if options.polygons:
        document = read_map_file(options.map, options.layer)
        features = document["features"]
        for feature, part in zip(features, made.part or (), strict=True):
            feature["properties"] = {**(feature.get("properties") or {}), _PART: part}
        files.write(path, document)
        wrong = misread(document, made.map.positions or ())
        if wrong:
            print(f"atleastk: {path}: {wrong}", file=sys.stderr)
        return
    columns, rows = table_of(options.map, options.state)
    cells = [
        [*(row[column] for column in columns), str(part)]
        for row, part in zip(rows, made.part or (), strict=True)
    ]
    between = best_delimiter(read_text(options.map), DELIMITERS)
    write_frame(TextFrame.of((*columns, _PART), cells, between), path)
