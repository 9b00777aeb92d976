"""``atleastk tradeoff``: cost and bound of a table or an instance as functions of k."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from atleastk.cli.anonymize_wishes import Choosing, every_wish, request_of
from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import expect_none, option
from atleastk.cli.outputs import (
    JSON,
    REPORT,
    expect_lines,
    picture,
    write_report,
    write_results,
)
from atleastk.cli.print_table import print_table
from atleastk.cli.readers import levels
from atleastk.cli.shared_options import Running
from atleastk.doors.anonymizing.selected import Selected
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files.paths import plain_name
from atleastk.instances.instance import Instance
from atleastk.plots.tradeoff import FIGURES, figures
from atleastk.runs import api
from atleastk.runs.ask import Ask, SearchLimits
from atleastk.runs.tradeoff import Tradeoff, traded


@dataclass(frozen=True, kw_only=True)
class Options(Choosing, Running):
    """The options of ``atleastk tradeoff``."""

    epilog: ClassVar = (
        "A solution for k + 1 is one for k, and a bound for k is one for k + 1. "
        "Example: atleastk tradeoff people.csv -k 2..50 --columns age,zip --report "
        "curve.html"
    )

    shown: ClassVar = (
        *("table", "k", "output", "plot", "report", "columns", "exempt"),
        *("hierarchies", "on", "suppress_rows", "sensitive", "l", "t"),
        *("time_limit", "workers", "seed", "json", "sheet"),
    )

    table: str = option(
        "FILE",
        "a table, as anonymize reads it, or an instance: .json (or packed)",
        reads="the table or instance",
    )
    k: tuple[int, ...] = option(
        "-k K", "the k, or r, to compare: 2..50, or 2,5,10", levels, required=True
    )
    output: str | None = option(
        "-o --output OUT", "write the results, one for each k (.jsonl)", writes=JSON
    )
    plot: str | None = option(
        "--plot FILE",
        "draw cost and bound against k",
        writes=lambda options: picture(options.plot),
    )
    report: str | None = option(
        "--report FILE",
        "write the report: a page to be filed (.html), or .json",
        writes=REPORT,
    )

    @property
    def of_instance(self) -> bool:
        """Whether an instance is read, not a table."""
        suffix = Path(plain_name(self.table)).suffix.lower()
        return suffix in JSON.suffixes


def run(options: Options) -> Exit:
    """Solve for every k; print, draw and write what was found."""
    limits = SearchLimits(
        time_limit=options.time_limit,
        workers=options.workers,
        seed=options.seed,
        method=options.method,
        memory_limit=options.memory_limit,
    )
    if len(options.k) > 1:
        expect_lines(options.output, "results")
    instance = _instance_of(options)

    def watching(ask: Ask, k: int) -> AbstractContextManager[Ask]:
        return options.watching(ask, f"{options.table}, k = {k}")

    made, signalled, abandoned = traded(instance, options.k, limits, watching)
    if options.output:
        write_results(options.output, [point.result for point in made])
    write_report(
        options.report,
        lambda: made.to_html(Path(options.table).name),
        [made.to_dict()],
    )
    if options.plot:
        made.plot(options.plot)
    if options.json:
        for point in made:
            print(json.dumps(point.to_dict()))
    else:
        _print(made, options.table)
    solved = any(point.cost is not None for point in made)
    code = 128 + signalled if signalled is not None else OK if solved else NO
    return Exit(code, abandoned)


def _instance_of(options: Options) -> Instance:
    """Return the instance that is read, or that a table and wishes make."""
    if options.of_instance:
        why = f"{options.table}: is an instance, which says all but k"
        expect_none(options, why, ("columns", "exempt", "delimiter", "encoding"))
        expect_none(options, why, every_wish())
        return api.load(options.table)
    expect_none(options, "no table is published", ["shuffle"])
    frame = options.frame()
    request = request_of(options, frame)
    if request.maximises_k:
        raise AtleastkError("a maximised k has no trade-off; minimise something else")
    return Selected.of(frame, request).asking(options.k[0]).instance()


def _print(made: Tradeoff, title: str) -> None:
    """Print a row for every k."""
    title += ", interrupted" * made.interrupted
    print_table(FIGURES, figures(made.points), title=title)
