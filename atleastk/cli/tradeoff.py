"""``atleastk tradeoff``: cost and bound of a table or an instance as functions of k."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from atleastk.cli.anonymize_wishes import (
    Choosing,
    calling_options,
    every_wish,
    hierarchies_of,
    request_of,
)
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
from atleastk.cli.readers import allowances, levels
from atleastk.cli.shared_options import Running
from atleastk.cli.table_command import HOW_TO_READ, as_request
from atleastk.doors.anonymizing.tradeoff import Questions, traded_table
from atleastk.instances.fields.visible import visible
from atleastk.instances.files.digest import digest_lines, digest_object, filed
from atleastk.instances.files.paths import plain_name
from atleastk.models.results.tradeoff import Case
from atleastk.plots.tradeoff import figures, price_figures
from atleastk.runs import api
from atleastk.runs.ask import Ask, SearchLimits
from atleastk.runs.earlier import Lines
from atleastk.runs.tradeoff import Traded, Tradeoff, sizes, traded

_JOINED = " + "
"""What joins the parts of a rule."""


@dataclass(frozen=True, kw_only=True)
class Options(Choosing, Running):
    """The options of ``atleastk tradeoff``."""

    command: ClassVar = "tradeoff"
    aside: ClassVar = ("recipe", "events", "json")
    epilog: ClassVar = (
        "A solution for k + 1 is one for k, and a bound for k is one for k + 1. "
        "Example: atleastk tradeoff people.csv -k 2..50 --columns age,zip --rule auto "
        "--suppress-rows 0,1%,5% --loss precision -o curve.jsonl --report curve.html"
    )

    shown: ClassVar = (
        *("table", "k", "output", "plot", "report", "columns", "exempt", "drop"),
        *("hierarchies", "rule", "prices", "on", "loss", "suppress_rows"),
        *("time_limit", "workers", "seed", "json", "sheet", "recipe"),
    )

    idle: ClassVar = ("shuffle",)

    table: str = option(
        "FILE",
        "a table, as anonymize reads it, or an instance: .json (or packed)",
        reads="the table or instance",
    )
    k: tuple[int, ...] = option(
        "-k K", "the k, or r, to compare: 2..50, or 2,5,10", levels, required=True
    )
    output: str | None = option(
        "-o --output OUT",
        "write the results, one for each k (.jsonl); what an earlier run has left "
        "there is checked and taken over",
        writes=JSON,
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
    rule: Sequence[str] = option(
        "--rule WHAT",
        "one of several ways to generalise, a curve each: what --hierarchies takes, "
        "parts of it joined by ' + ', as in 'age=bands:5,10 + zip=prefix'; repeat it",
        action="append",
        default=[],
    )
    suppress_rows: Sequence[str] | None = option(
        "--suppress-rows N",
        "suppress at most N rows altogether, so that the others lose less, or a share "
        "of them, as in 5%%; several, as 0,1%%,5%%, are a curve each",
        allowances,
    )
    prices: tuple[int, ...] = option(
        "--prices K",
        "of these k also what the cost falls by if a column is left out",
        levels,
        default=(),
    )

    @property
    def of_instance(self) -> bool:
        suffix = Path(plain_name(self.table)).suffix.lower()
        return suffix in JSON.suffixes


def run(options: Options) -> Exit:
    """Solve for every k; print, draw and write what was found."""
    limits = as_request(SearchLimits, options)
    if len(options.k) > 1:
        expect_lines(options.output, "results")
    lines = Lines.of(options.output)
    made, signalled, abandoned = _traded(options, limits, lines)
    if made.taken_over:
        told = f"{made.taken_over} results were there; taken over once checked"
        print(f"atleastk: {options.output}: {told}", file=sys.stderr)
    if options.output and lines is None:
        write_results(options.output, [point.result for point in made])
    found = (*filed("table", options.table), *filed("results", options.output))
    write_report(
        options.report,
        lambda: made.to_html(
            Path(options.table).name, files=found, words=options.again
        ),
        [{**made.to_dict(), "files": digest_object(found)}],
    )
    if options.plot:
        made.plot(options.plot)
    if options.json:
        for one in (*made, *made.prices):
            print(json.dumps(one.to_dict()))
    else:
        _print(made, options.table)
        for line in digest_lines(found):
            print(line)
    solved = any(point.cost is not None for point in made)
    code = 128 + signalled if signalled is not None else OK if solved else NO
    return Exit(code, abandoned)


def _traded(options: Options, limits: SearchLimits, lines: Lines | None) -> Traded:
    def watching(ask: Ask, case: Case) -> AbstractContextManager[Ask]:
        return options.watching(ask, f"{options.table}, {case}")

    if options.of_instance:
        why = f"{options.table}: is an instance, which says all but k"
        of_table = ("recipe", "columns", "exempt", "drop", *HOW_TO_READ)
        expect_none(options, why, (*of_table, *every_wish(), "rule", "prices"))
        instance = api.load(options.table)
        return traded(instance, options.k, limits, watching, lines)
    frame = options.frame()
    with calling_options(options):
        request = request_of(options, frame, without=("suppress_rows",))
        columns = tuple(request.columns or ())
        rules: dict[str, Any] = {
            text: hierarchies_of(text.split(_JOINED), columns) for text in options.rule
        }
        questions = Questions(
            ks=sizes(options.k),
            rules=rules,
            allowances=tuple(options.suppress_rows or ()),
            prices=options.prices,
        )
        return traded_table(frame, request, questions, limits, watching, lines)


def _print(made: Tradeoff, title: str) -> None:
    title += ", interrupted" * made.interrupted
    title += f"; cost: {made.unit}" * bool(made.unit)
    print_table(*figures(made.points), title=title)
    if made.prices:
        title = "what the cost falls by without a column"
        print_table(*price_figures(made.prices), title=title)
    for warned in made.warned:
        for line in warned.lines():
            print(visible(line))
