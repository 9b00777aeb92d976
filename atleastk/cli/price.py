"""``atleastk price``: what a restriction costs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Final

from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.generate import given_parameters, parameter_of
from atleastk.cli.options import Paths, option
from atleastk.cli.outputs import RUNS, picture
from atleastk.cli.print_table import print_table
from atleastk.cli.progress import shown
from atleastk.cli.readers import level, seconds_or_none
from atleastk.cli.shared_options import Reading, printed, seeded
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.paths import plain_name
from atleastk.research.pricing import price, problem_of_restriction
from atleastk.runs.registry import family_named, problem_named

_MOST_SHOWN: Final = 10
"""The most instances that are printed, the dearest: --export has them all."""


@dataclass(frozen=True, kw_only=True)
class Options(Reading):
    epilog: ClassVar = (
        "Parameters of a family follow as --NAME VALUE or --NAME V1,V2. Example: "
        "atleastk price order uniform --n 8 --k 60,90 --export prices.csv"
    )
    takes_extra: ClassVar = True

    restriction: str = option(
        "RESTRICTION",
        "connectivity, order, straight-cuts, members, disjointness or suppression",
    )
    instances: str = option("FAMILY|FILE", "a family, or a file of instances (.json)")
    problem: str | None = option("--problem P", "its problem, if it is of several")
    seeds: int = option("--seeds N", "of a family (default: 20)", level, default=20)
    set: Sequence[str] = option(
        "--set NAME=VALUE",
        "a parameter of the family; needed if this command has an option of its name",
        action="append",
        default=[],
    )
    time_limit: float | None = option(
        "--time-limit S",
        "seconds for each optimum, or none (default: 60)",
        seconds_or_none,
        default=60.0,
    )
    seed: int = seeded()
    json: bool = printed()
    export: str | None = option(
        "--export FILE", "write all prices (.csv or .parquet)", writes=RUNS
    )
    plot: str | None = option("--plot FILE", "draw how the prices are distributed")
    extra: Sequence[str]

    def paths(self) -> Paths:
        read, written = super().paths()
        drawn = [(self.plot, picture(self.plot))] if self.plot else []
        return Paths(read, [*written, *drawn])


def run(options: Options) -> Exit:
    """Solve every instance with and without, and print what that costs."""
    with shown("prices"):
        found = price(
            options.restriction,
            options.instances,
            problem=options.problem,
            seeds=options.seeds,
            time_limit=options.time_limit,
            seed=options.seed,
            **_parameters(options),
        )
    if options.json:
        for one in found.dearest:
            record = {"instance": one.instance.to_dict(), "restricted": one.restricted}
            print(json.dumps(record | {"free": one.free, "price": one.ratio}))
    else:
        print_table(found.heads, islice(found.cells, _MOST_SHOWN))
        print(found)
    if options.export:
        found.export(options.export)
    if options.plot:
        found.plot(options.plot)
    return Exit(OK if found.each else NO)


def _parameters(options: Options) -> dict[str, Any]:
    """Return the parameters of a family, each a list; files have none."""
    words = [*given_parameters(options.set, options.extra)]
    if Path(plain_name(options.instances)).suffix in (".json", ".jsonl"):
        if words:
            raise InvalidInstanceError(f"{words[0][0]}: only families have parameters")
        return {}
    problem = options.problem or problem_of_restriction(options.restriction)
    family = family_named(problem_named(problem), options.instances)
    return {
        name: [parameter_of(family, name, each) for each in text.split(",")]
        for name, text in words
    }
