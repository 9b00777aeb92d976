"""The command line."""

from __future__ import annotations

import errno
import io
import os
import sys
from argparse import (
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
    RawDescriptionHelpFormatter,
    _SubParsersAction,
)
from collections.abc import Callable, Sequence
from decimal import Decimal
from signal import SIGINT, SIGTERM
from typing import Any, Final, NoReturn, TypeVar

from atleastk.anonymizing.anonymize import MARKER
from atleastk.anonymizing.report_limits import WORDS
from atleastk.api import budget_of, goal_of
from atleastk.cli import anonymize as table_commands
from atleastk.cli import cluster as cluster_commands
from atleastk.cli import general as commands
from atleastk.cli import partition as partition_commands
from atleastk.cli import reduce as reduce_commands
from atleastk.cli.anonymize_words import MINIMISED
from atleastk.cli.console import BAD_INPUT, Exit, complain
from atleastk.instances.clustering import CENTRES
from atleastk.instances.errors import AtleastkError, WrongAnswerError
from atleastk.instances.generalization import LOSSES
from atleastk.instances.metric_spaces import METRICS
from atleastk.instances.reading import input_limit, reason_of
from atleastk.solvers.backends.highs import runs_left_behind
from atleastk.solving import AUTO
from atleastk.versions import __version__
from atleastk.watch import hearing

__all__ = ["main"]

N = TypeVar("N", int, float)

CONTRADICTION: Final = 3
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

_UNWRITABLE: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What is wrong with standard output if nothing can be written to it."""

_SECONDS: Final = 60
"""The default time limit of whoever just wants a good table."""

_MOST: Final = {
    "rows": "rows with a suppressed cell",
    "columns": "columns with a suppressed cell; of rows and columns, the union",
    "entries": "suppressed cells in all",
    "per_row": "suppressed cells in a row",
    "per_column": "suppressed cells in a column",
}

_EPILOG = """\
exit codes:
  0    a solution was found, optimal or not; for check: nothing is false
  1    no solution was found, or there is none; for check: something does not hold,
       or is only claimed and --require proof;
       for anonymize --check: the table is not k-anonymous
  2    bad input or usage, told on one line of standard error
  3    a solver contradicted the checker, another solver, or itself
  130  interrupted (SIGINT); the best solution and bound are given all the same
  141  whoever read standard output has left
  143  terminated (SIGTERM); likewise

The file - is standard input, or standard output; what else is told goes to standard
error then.
"""


class _Parser(ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        complain(message)
        sys.exit(BAD_INPUT)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help and version: where it cannot be, the base class hides that."""
        (file or sys.stderr).write(message)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    if sys.stdout is None or sys.stderr is None:
        # The shell has closed it, as by >&-; whatever is said to it is lost.
        nowhere = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    ended = _run(argv)
    if argv is None and (ended.abandoned or runs_left_behind()):
        # A solver that does not stop would keep the process from ending.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended.code)
    return ended.code


def _run(argv: Sequence[str] | None) -> Exit:
    try:
        try:
            args = _parse(argv)
            limit = getattr(args, "input_limit", None)
            with input_limit(limit), hearing(SIGINT, SIGTERM):
                ended: Exit = args.command(args)
        finally:
            sys.stdout.flush()
    except WrongAnswerError as error:
        complain(error)
        return Exit(CONTRADICTION)
    except AtleastkError as error:
        complain(error)
        return Exit(BAD_INPUT)
    except BrokenPipeError:
        _let_go_of_output()
        return Exit(BROKEN_PIPE)
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        _let_go_of_output()
        complain(f"standard output: cannot be written: {reason_of(error)}")
        return Exit(BAD_INPUT)
    except KeyboardInterrupt:
        return Exit(INTERRUPTED)
    return ended


def _let_go_of_output() -> None:
    """Spare Python the complaint that it cannot flush standard output at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parse(argv: Sequence[str] | None) -> Namespace:
    parser = _parser()
    args, extra = parser.parse_known_args(argv)
    if extra and args.command is not commands.generate:
        parser.error(f"unrecognized arguments: {' '.join(extra)}")
    args.extra = extra
    return args


def _parser() -> _Parser:
    parser = _Parser(
        prog="atleastk",
        description="Exact optima for partitioning items into groups of at least k.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    doors = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_solve(_door(doors, "solve", commands.solve))
    _add_approximate(_door(doors, "approximate", commands.approximate))
    _add_check(_door(doors, "check", commands.check))
    _add_generate(_door(doors, "generate", commands.generate, reads=False))
    _add_reduce(_door(doors, "reduce", reduce_commands.reduce))
    _add_problems(_door(doors, "problems", commands.problems, reads=False))
    _add_plot(_door(doors, "plot", commands.plot))
    _add_anonymize(_door(doors, "anonymize", table_commands.anonymize))
    _add_cluster(_door(doors, "cluster", cluster_commands.cluster))
    _add_partition(_door(doors, "partition", partition_commands.partition))
    return parser


def _door(
    doors: _SubParsersAction[_Parser],
    name: str,
    command: Callable[[Namespace], Exit],
    reads: bool = True,
) -> ArgumentParser:
    summary = (command.__doc__ or "").partition("\n")[0]
    door = doors.add_parser(name, help=summary, description=summary, allow_abbrev=False)
    door.set_defaults(command=command)
    if reads:
        door.add_argument(
            "--input-limit",
            type=_gigabytes,
            metavar="GB",
            help="read files of up to so much, unpacked (default: 0.5)",
        )
    return door


def _checked(
    kind: Callable[[str], N], use: Callable[[N], object]
) -> Callable[[str], N]:
    """Return a reader of numbers that are of some use."""

    def read(text: str) -> N:
        try:
            number = kind(text)
            use(number)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from error
        return number

    return read


_seconds = _checked(float, lambda seconds: budget_of(time_limit=seconds))
_gigabytes = _checked(float, lambda memory: budget_of(memory_limit=memory))
_workers = _checked(int, lambda workers: budget_of(workers=workers))
_seed = _checked(int, lambda seed: budget_of(seed=seed))
_target = _checked(int, lambda cost: goal_of(target=cost))


def _ratio(text: str) -> float:
    """Read a number, or one of 100 parts."""
    try:
        if text.endswith("%"):
            return float(Decimal(text[:-1]) / 100)
        return float(text)
    except ArithmeticError as error:
        message = f'expected a number or a percentage, got "{text}"'
        raise ValueError(message) from error


_gap = _checked(_ratio, lambda gap: goal_of(gap=gap))


def _limit(text: str) -> float | None:
    """Read seconds, or the word none."""
    return None if text == "none" else _seconds(text)


def _levels(text: str) -> tuple[int, ...]:
    """Read one k, or several with commas between them."""
    return tuple(_level(word) for word in text.split(","))


def _level(text: str) -> int:
    try:
        level = int(text)
    except ValueError as error:
        message = f'expected integers with commas between them, got "{text}"'
        raise ArgumentTypeError(message) from error
    if level < 1:
        message = f"expected integers of at least 1, got {level}"
        raise ArgumentTypeError(message)
    return level


def _count(text: str) -> int:
    """Read an integer of at least 0."""
    if not text.isdecimal():
        message = f'expected an integer of at least 0, got "{text}"'
        raise ArgumentTypeError(message)
    return int(text)


def _cost(text: str) -> float:
    """Read a number of at least 0."""
    try:
        cost = float(text)
    except ValueError as error:
        message = f'expected a number, got "{text}"'
        raise ArgumentTypeError(message) from error
    if not 0 <= cost < float("inf"):
        message = f"expected a number of at least 0, got {text}"
        raise ArgumentTypeError(message)
    return cost


def _delimiter(text: str) -> str:
    """Read one character; a tab may be spelled out, since shells complete on it."""
    text = {"tab": "\t", "\\t": "\t"}.get(text, text)
    if len(text) != 1 or text in '"\r\n':
        message = f"expected one character or the word tab, got {text!r}"
        raise ArgumentTypeError(message)
    return text


def _add_solve(door: ArgumentParser) -> None:
    add = door.add_argument
    add("files", nargs="+", metavar="FILE", help="instances: .json or .jsonl, or .gz")
    add(
        "--time-limit",
        type=_seconds,
        metavar="S",
        help="seconds for every instance",
    )
    add("--method", default=AUTO, metavar="M", help="an exact method (default: auto)")
    add("--certify", action="store_true", help="look for a certificate of the bound")
    add("--agree", action="store_true", help="have a second solver family prove it")
    _add_resources(door)
    add("--start", metavar="FILE", help="a result to start from")
    add(
        "--gap",
        type=_gap,
        metavar="G",
        help="end when (cost - bound) / |cost| is at most this, as 0.01 or 1%%",
    )
    add(
        "--target",
        type=_target,
        metavar="COST",
        help="end when a solution costs at most this",
    )
    add(
        "--relax",
        action="store_true",
        help="suppression without a solution: tell which limits to relax",
    )
    add("--events", action="store_true", help="tell every improvement on stderr")
    add("--json", action="store_true", help="print results as one JSON object a line")
    add("-o", "--output", metavar="OUT", help="write the result (.jsonl: all results)")


def _add_resources(door: ArgumentParser) -> None:
    """Add what a run may use, and the seed that it starts from."""
    door.add_argument(
        "--workers",
        type=_workers,
        metavar="N",
        help="threads (default: all processors)",
    )
    door.add_argument(
        "--memory-limit",
        type=_gigabytes,
        metavar="GB",
        help="for the lists of the search (default: half of what the machine has)",
    )
    door.add_argument("--seed", type=_seed, default=0, metavar="S", help="default: 0")


def _add_approximate(door: ArgumentParser) -> None:
    add = door.add_argument
    add("file", metavar="FILE")
    which = door.add_mutually_exclusive_group(required=True)
    which.add_argument("--algorithm", metavar="NAME", help="see atleastk problems NAME")
    which.add_argument("--all", action="store_true", help="compare all algorithms")
    add("--seed", type=_seed, default=0, metavar="S", help="default: 0")
    add("--json", action="store_true", help="print results as one JSON object a line")
    add("-o", "--output", metavar="OUT", help="write the result")


def _add_check(door: ArgumentParser) -> None:
    add = door.add_argument
    add("instance", metavar="INSTANCE", help="one, or many in a .jsonl")
    add("result", metavar="RESULT", help="as written by solve -o; many in a .jsonl")
    add(
        "--require",
        choices=("proof",),
        help="exit with 1, too, if a bound or infeasibility is only claimed",
    )
    add("--json", action="store_true", help="print verdicts, a JSON object a line")


def _add_generate(door: ArgumentParser) -> None:
    add = door.add_argument
    door.epilog = "the family's own parameters follow as --NAME VALUE"
    add("problem", metavar="PROBLEM")
    add("family", metavar="FAMILY", help="see atleastk problems PROBLEM")
    add("--seed", type=_seed, default=0, metavar="S", help="default: 0")
    add(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter, even one whose name is an option of this command",
    )
    add("-o", "--output", metavar="OUT", help="write the instance")


def _add_reduce(door: ArgumentParser) -> None:
    add = door.add_argument
    door.epilog = "the names of problems are those of --list; quote their apostrophes"
    add("source", nargs="?", metavar="FROM", help="a problem, such as c-DEL or X3C")
    add("target", nargs="?", metavar="TO", help="one that it can be reduced to")
    add("file", nargs="?", metavar="FILE", help="an instance of FROM")
    add("--back", metavar="RESULT", help="map a result of TO back to FROM")
    add(
        "--as-printed", action="store_true", help="as the texts have it, if refuted too"
    )
    add("--list", action="store_true", help="show all reductions")
    add("-o", "--output", metavar="OUT", help="write the instance, or the result")


def _add_problems(door: ArgumentParser) -> None:
    door.add_argument("name", nargs="?", metavar="NAME", help="tell more of this one")
    door.add_argument("--schema", action="store_true", help="print its JSON Schema")


def _add_plot(door: ArgumentParser) -> None:
    add = door.add_argument
    add("instance", metavar="INSTANCE")
    add("result", metavar="RESULT", help="as written by solve -o")
    add("--kind", choices=("solution", "events"), default="solution")
    add("-o", "--output", metavar="FILE", help="default: RESULT with .png")


def _add_anonymize(door: ArgumentParser) -> None:
    add = door.add_argument
    door.epilog = (
        "Only the chosen columns are looked at; all others pass unchanged, names and "
        "identifiers too, unless --drop-unlisted leaves them out."
    )
    add("table", metavar="TABLE", help=".csv, .tsv (or .gz of them), or .parquet")
    add(
        "-k",
        type=_levels,
        metavar="K",
        help="how many rows have to look alike; several, as in 2,5,10, are compared",
    )
    which = door.add_mutually_exclusive_group()
    which.add_argument(
        "--columns", metavar="NAMES", help="columns to anonymise (default: all)"
    )
    which.add_argument(
        "--except", dest="exempt", metavar="NAMES", help="anonymise all but these"
    )
    _add_limits(door)
    _add_hierarchies(door)
    add("-o", "--output", metavar="OUT", help="write the table, in TABLE's format")
    others = door.add_mutually_exclusive_group()
    others.add_argument(
        "--keep-unlisted",
        dest="drop_unlisted",
        action="store_false",
        default=False,
        help="write the other columns too, unchanged (default)",
    )
    others.add_argument(
        "--drop-unlisted",
        action="store_true",
        help="write the anonymised columns only",
    )
    add(
        "--marker",
        default=MARKER,
        metavar="TEXT",
        help=f"what a suppressed text cell holds (default: {MARKER})",
    )
    _add_delimiter(door)
    _add_run(door, "seconds for every k")
    add("--plot", metavar="FILE", help="draw the suppressed cells; or cells against k")
    add("--report", metavar="FILE", help="write the report (.jsonl: of several k)")
    add("--result", metavar="FILE", help="write the result, as solve -o does")
    add("--instance", metavar="FILE", help="write what was solved, its values numbered")
    add("--check", action="store_true", help="only tell how anonymous TABLE is")
    add(
        "--ambiguous",
        action="store_true",
        help="let suppressed cells match anything: rows match, and need not be equal",
    )
    add(
        "--wildcard",
        action="store_true",
        help="check: let suppressed and missing cells match anything",
    )
    add("--events", action="store_true", help="tell every improvement on stderr")
    add("--json", action="store_true", help="print reports as one JSON object a line")


def _add_delimiter(door: ArgumentParser) -> None:
    """Add how a table is read."""
    door.add_argument(
        "--delimiter",
        type=_delimiter,
        metavar="C",
        help="between cells (default: by the name and the first line)",
    )


def _add_run(door: ArgumentParser, seconds: str) -> None:
    """Add how long and by what something is worked on."""
    add = door.add_argument
    add(
        "--time-limit",
        type=_limit,
        default=_SECONDS,
        metavar="S",
        help=f"{seconds}, or none (default: {_SECONDS})",
    )
    add("--method", default=AUTO, metavar="M", help="an exact method (default: auto)")
    _add_resources(door)


def _add_limits(door: ArgumentParser) -> None:
    """Add what may be asked of suppression beyond k."""
    part = door.add_argument_group(
        "limits", "what may be suppressed at most; nothing else is suppressed"
    )
    add = part.add_argument
    for quantity, word in WORDS.items():
        add(
            f"--max-{word.replace(' ', '-')}",
            dest=f"max_{quantity}",
            type=_count,
            metavar="N",
            help=_MOST[quantity],
        )
    add("--intact", metavar="NAMES", help="columns of which nothing is suppressed")
    add(
        "--importance",
        metavar="CLASSES",
        help="of columns, as in 'age > zip,sex': no more suppressed than in the next",
    )
    add(
        "--row-importance",
        metavar="NAME",
        help="of rows: a column of numbers, 1 first; or 'NAME: high > low'",
    )
    add(
        "--minimise",
        metavar="WHAT",
        choices=sorted(MINIMISED),
        help=f"{', '.join(MINIMISED)} (default: cells)",
    )
    add(
        "--delete",
        dest="deletion",
        action="store_true",
        help="suppress limited (or minimised) rows and columns as a whole only",
    )
    add(
        "--problem",
        metavar="NAME",
        help="of [Chaytor06], as r-MIN-c-DEL, in place of --minimise and --delete",
    )


def _add_hierarchies(door: ArgumentParser) -> None:
    """Add what generalisation takes."""
    part = door.add_argument_group(
        "hierarchies", "generalise cells; columns without a hierarchy are suppressed"
    )
    add = part.add_argument
    add(
        "--hierarchy",
        dest="hierarchy",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a column's hierarchy: lines like 34;30-39;*",
    )
    add(
        "--hierarchies",
        metavar="DIR",
        help="of all columns for which DIR has NAME.csv (or *_NAME.csv)",
    )
    add(
        "--on",
        choices=("attributes", "entries"),
        help="one level per column (default), or per cell",
    )
    add("--loss", choices=LOSSES, help="what to minimise (default: height)")


def _add_cluster(door: ArgumentParser) -> None:
    add = door.add_argument
    door.epilog = (
        "Only the chosen columns, the sensitive ones, sizes and radii are published."
    )
    add("table", metavar="TABLE", help=".csv, .tsv (or .gz of them), or .parquet")
    add("-r", type=_level, required=True, metavar="R", help="least rows of a cluster")
    add("--columns", metavar="NAMES", help="where rows are (default: all others)")
    add("--sensitive", metavar="NAMES", help="columns to publish for every cluster")
    add("--metric", choices=METRICS, default="manhattan", help="default: manhattan")
    add(
        "--unit",
        action="append",
        default=[],
        metavar="NAME=SIZE",
        help="how much of a column makes a unit of distance (default: 1)",
    )
    add(
        "--total",
        action="store_true",
        help="minimise the sum of size times radius, not the greatest radius",
    )
    add(
        "--facility-cost",
        type=_cost,
        default=0.0,
        metavar="C",
        help="with --total: what a cluster pays besides, in units of distance",
    )
    add("--max-clusters", type=_level, metavar="N", help="default: any number")
    add("--max-outliers", type=_count, default=0, metavar="N", help="rows left out")
    add(
        "--centres",
        choices=CENTRES,
        default="input",
        help="any row (default), a row of the cluster, or between rows",
    )
    add("-o", "--output", metavar="OUT", help="write the published table: .csv, .tsv")
    _add_delimiter(door)
    _add_run(door, "seconds")
    add("--plot", metavar="FILE", help="draw the clusters")
    add("--result", metavar="FILE", help="write the result, as solve -o does")
    add("--instance", metavar="FILE", help="write what was solved")
    add("--events", action="store_true", help="tell every improvement on stderr")
    add("--json", action="store_true", help="print what is published as a JSON object")


def _add_partition(door: ArgumentParser) -> None:
    add = door.add_argument
    door.epilog = (
        "Neighbours are regions that share a border; of tables, the pairs that --edges "
        "lists, codes in two columns as fips_u and fips_v."
    )
    add("map", metavar="MAP", help=".geojson, or .csv of regions (or .gz of them)")
    which = door.add_mutually_exclusive_group(required=True)
    which.add_argument("-k", type=_level, metavar="K", help="least weight of a part")
    which.add_argument(
        "--parts", type=_level, metavar="P", help="take the total divided by P for K"
    )
    add("--edges", metavar="FILE", help="of a .csv: the table of neighbours")
    weighed = door.add_mutually_exclusive_group()
    weighed.add_argument(
        "--weight",
        metavar="NAME",
        help="column or property of the weights (default: weight or population)",
    )
    weighed.add_argument(
        "--unweighted", action="store_true", help="let every region weigh 1"
    )
    add("--name", metavar="NAME", help="column or property of the regions' names")
    add("--state", metavar="STATE", help="of a .csv: take the rows of this state only")
    add("--code", metavar="NAME", help="of a .csv: the codes (default: fips or geoid)")
    add(
        "--tolerance",
        type=_cost,
        metavar="T",
        help="of polygons: borders so near are shared (default: they fit exactly)",
    )
    add("-o", "--output", metavar="OUT", help="write MAP with the part of every region")
    _add_run(door, "seconds")
    add("--plot", metavar="FILE", help="draw the parts")
    add("--result", metavar="FILE", help="write the result, as solve -o does")
    add("--instance", metavar="FILE", help="write what was solved")
    add("--events", action="store_true", help="tell every improvement on stderr")
    add("--json", action="store_true", help="print the parts as a JSON object")
