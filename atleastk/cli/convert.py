"""``atleastk convert``: instances out of the files of other libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.cli.console import OK, Exit
from atleastk.cli.options import expect_none, option
from atleastk.cli.outputs import JSON, expect_lines, write_or_print
from atleastk.cli.readers import level
from atleastk.cli.shared_options import Reading
from atleastk.instances.datasets.map_files import MAP_FILES
from atleastk.instances.datasets.maps import connected_partition_from_file
from atleastk.instances.fields.attributes import USUAL
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    UnknownNameError,
    placed,
)
from atleastk.instances.files import files
from atleastk.instances.files.paths import plain_name
from atleastk.instances.foreign.dimacs import read_dimacs
from atleastk.instances.foreign.sizes import (
    sizes_of_bpplib,
    sizes_of_csv,
    sizes_of_or_library,
)
from atleastk.instances.foreign.tsplib import Tsplib
from atleastk.runs.registry import PROBLEMS, instance_from_dict, problem_named

_FORMATS: Final[Mapping[str, tuple[str, ...]]] = {
    "bpplib": (".bpp",),
    "csv": (".csv",),
    "dimacs": (".col", ".dimacs", ".graph"),
    "map": tuple(MAP_FILES),
    "or-library": (),
    "tsplib": (".tsp", ".vrp"),
}
"""The formats, and the ends of the names of their files."""

_OF: Final = {name: each.formats for name, each in PROBLEMS.items() if each.formats}
"""The formats that instances of each problem are made from."""


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    epilog: ClassVar = (
        "Sizes (bpplib, or-library, csv) become bins or intervals, TSPLIB files "
        "clusters or tilings, DIMACS graphs and maps (GeoJSON, shapefiles, "
        "GeoPackages) connected partitions."
    )

    problem: str = option("PROBLEM", ", ".join(_OF))
    file: str = option(
        "FILE", "what is read (or .gz, .bz2, .zip)", reads="the file that is read"
    )
    k: int | None = option(
        "-k K", "what a group has to reach (default: the capacity of bins)", level
    )
    form: str | None = option(
        "--from", "the format (default: as the name ends)", choices=tuple(_FORMATS)
    )
    column: str | None = option(
        "--column NAME",
        "csv: the column of the sizes; map: of the weights (default: weight or "
        "population)",
    )
    layer: str | None = option(
        "--layer NAME", "map: which one of a file that holds several"
    )
    output: str | None = option(
        "-o --output OUT", "write the instance (.jsonl for several)", writes=JSON
    )


def run(options: Options) -> Exit:
    problem = problem_named(options.problem).name
    form = options.form or _form_of(options.file)
    if form not in _OF.get(problem, ()):
        known = ", ".join(_OF.get(problem, ())) or "none"
        raise UnknownNameError(
            f"{problem} is not made of {form} files; those it takes: {known}"
        )
    read = {"csv": ("column",), "map": ("column", "layer")}.get(form, ())
    others = [name for name in ("column", "layer") if name not in read]
    expect_none(options, f"{options.file}: {form} files have none", others)
    documents = []
    for fields in _fields(problem, form, options):
        name = fields.get("name") or plain_name(options.file)
        document = {"problem": problem, **fields, "name": name}
        document["source"] = f"converted from {Path(options.file).name}"
        with placed(options.file):
            documents.append(instance_from_dict(document).to_dict())
    if len(documents) > 1:
        expect_lines(options.output or "-", "instances")
        files.write_lines(options.output or "-", documents)
    else:
        write_or_print(options.output, documents[0])
    return Exit(OK)


def _form_of(path: str) -> str:
    suffix = Path(plain_name(path)).suffix.lower()
    found = [form for form, suffixes in _FORMATS.items() if suffix in suffixes]
    if not found:
        raise UnknownNameError(
            f"{path}: which format is it? say --from {', '.join(_FORMATS)}"
        )
    return found[0]


def _fields(problem: str, form: str, options: Options) -> Sequence[dict[str, Any]]:
    path, k = options.file, options.k
    if form == "tsplib":
        return [_of_points(problem, Tsplib(path), _given(k))]
    if form == "dimacs":
        return [{**read_dimacs(path), "k": _given(k)}]
    if form == "map":
        weight = options.column or USUAL
        read = connected_partition_from_file(
            path, weight, _given(k), layer=options.layer
        )
        return [read.to_dict()]
    if form == "csv":
        found = sizes_of_csv(path, options.column)
    else:
        found = (sizes_of_bpplib if form == "bpplib" else sizes_of_or_library)(path)
    return [
        {"name": one.name, "sizes": one.sizes, "k": _given(k or one.capacity)}
        for one in found
    ]


def _given(k: int | None) -> int:
    if k is None:
        raise InvalidInstanceError(
            "-k: what does a group have to reach? the file does not say"
        )
    return k


def _of_points(problem: str, read: Tsplib, k: int) -> dict[str, Any]:
    named = {"name": read.name}
    if problem != "rectangle-tiling":
        scale = {"scale": 1} if problem == "cellular-clustering" else {}
        space = dict(read.space())
        return {**named, **space, **(scale if "points" in space else {}), "r": k}
    points = read.points()
    weights = read.weights() or [1] * len(points)
    listed = [[*place, w] for place, w in zip(points, weights, strict=True)]
    return {**named, "points": listed, "k": k}
