"""``atleastk assign``: rows of a table in groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from atleastk.cli.console import Exit
from atleastk.cli.options import option
from atleastk.cli.outputs import table_named
from atleastk.cli.print_table import SHOWN, print_table
from atleastk.cli.readers import level, names, sized, window, windowed
from atleastk.cli.table_command import (
    Grouping,
    TableMaking,
    as_request,
    exit_of,
    read_lists,
    with_numbers,
)
from atleastk.doors.assigning.assign import assign_frame
from atleastk.doors.assigning.request import LISTS, AssignRequest, Window
from atleastk.doors.assigning.terms import METRICS, TERMS
from atleastk.frames.open_frame import FileFrame


@dataclass(frozen=True, kw_only=True)
class Options(Grouping, TableMaking):
    epilog: ClassVar = (
        "Lists are tables with a line of headings: names in the first two columns, a "
        "weight in the third, if there is one; or columns of TABLE, each cell the name "
        "of another row. Example: atleastk assign students.csv "
        "--name name --size 4..5 --with sex:2 --friends friends.csv --balance score "
        "-o teams.csv"
    )

    size: int | tuple[int, int | None] | None = option(
        "--size LOW..HIGH",
        "rows of a group: 4, or 4..5, or 4.. (default: as even as --groups can be)",
        window,
    )
    groups: int | None = option("--groups N", "how many groups (default: any)", level)
    name: str | None = option(
        "--name COLUMN", "what rows are called in lists (default: 1, 2, ...)"
    )
    having: Sequence[tuple[str, Window]] = option(
        "--with COLUMN:LOW..HIGH",
        "rows of a group with each value of a column, at least LOW; COLUMN=VALUE for "
        "one value; can be repeated",
        windowed,
        action="append",
        default=[],
    )
    sums: Sequence[tuple[str, Window]] = option(
        "--sum COLUMN:LOW..HIGH",
        "the sum of a column over a group; can be repeated",
        windowed,
        action="append",
        default=[],
    )
    together: str | None = option(
        "--together LIST", "rows of one group: a list a line", reads="rows together"
    )
    apart: str | None = option(
        "--apart LIST", "rows of different groups: a list a line", reads="rows apart"
    )
    friends: str | None = option(
        "--friends LIST", "pairs to be together, if possible", reads="the friends"
    )
    at_least_one_friend: bool = option(
        "--at-least-one-friend", "everyone with friends has one in the group"
    )
    avoid: str | None = option(
        "--avoid LIST", "pairs not to be together, if possible", reads="the pairs"
    )
    near: Sequence[str] = option(
        "--near COLUMNS", "let groups be close together: lat,lon", names, default=()
    )
    metric: str | None = option(
        "--metric",
        "distance of --near (default: great-circle for lat and lon, in kilometres)",
        choices=METRICS,
    )
    distances: str | None = option(
        "--distances FILE",
        "a matrix of distances, with names in the first line and column",
        reads="the distances",
    )
    alike: Sequence[str] = option(
        "--alike COLUMNS", "let rows of a group be alike in these", names, default=()
    )
    mixed: Sequence[str] = option(
        "--mixed COLUMNS", "let rows of a group differ in these", names, default=()
    )
    balance: Sequence[str] = option(
        "--balance COLUMNS", "let groups be even in these numbers", names, default=()
    )
    weights: Sequence[tuple[str, str]] = option(
        "--weight TERM=W",
        f"what a term counts (default: 1), of {', '.join(TERMS)}; can be repeated",
        sized,
        action="append",
        default=[],
    )
    output: str | None = option(
        "-o --output OUT",
        'write the table with a column "group", in the format of the name',
        writes=lambda options: table_named(options.output),
    )


def run(options: Options) -> Exit:
    ask, frame = options.ask(), options.frame()
    write = with_numbers(options, frame, "group")
    listed = read_lists(options.distances)
    distances = None if options.distances is None else [row[1:] for row in listed]
    request = as_request(
        AssignRequest,
        options,
        having={_column(what): limits for what, limits in options.having},
        sums=dict(options.sums),
        weights=dict(options.weights),
        distances=distances,
        **{name: _lists(getattr(options, name), frame) for name in LISTS},
    )
    with options.watching(ask, options.table) as watched:
        made, outcome = assign_frame(frame, request, watched)
    options.write(made.instance, made.result, lambda path: write(path, made.group))
    options.write_report(made, options.table)
    report = f"{options.table}: {made}"
    options.print_made(report, made.to_dict, solved=made.group is not None)
    headings, figures = made.by_group
    if not options.json and len(headings) > 2 and 0 < len(figures) <= SHOWN:
        print_table(headings, figures)
    options.draw(made.instance, made.result, **made.drawing)
    return exit_of([outcome])


def _lists(given: str | None, frame: FileFrame) -> Sequence[Any]:
    """Return the lists of a file, or the columns of the table that are named."""
    if given is None:
        return ()
    columns = names(given)
    known = given != "-" and {*columns} & {*frame.names}
    by_columns = known and not (len(columns) == 1 and Path(given).is_file())
    return columns if by_columns else read_lists(given)


def _column(what: str) -> Any:
    column, equals, value = what.partition("=")
    return (column, value) if equals else column
