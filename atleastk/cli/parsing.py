"""The commands, and the parser of their options.

The module of a command has its `Options` and `run`; a command of several actions also
has `ACTIONS`, the options of each action by its name. A module is imported when its
command runs or shows its help.
"""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NoReturn

from atleastk.cli.console import Exit
from atleastk.cli.options import (
    Options,
    Parser,
    add_options,
    exclusion,
    options_of,
    told_apart,
)
from atleastk.instances.fields.spelling import others_of
from atleastk.runs.versions import __version__

COMMANDS: Final[Mapping[str, str]] = {
    "solve": "Solve every instance of the files, one after the other.",
    "approximate": "Run one approximation algorithm, or all of them, on every instance "
    "of a file.",
    "check": "Re-check results against their instances, without any solver.",
    "prove": "Write the proof of a bound for checkers of others: VIPR, VeriPB, OPB.",
    "generate": "Generate an instance of a family.",
    "convert": "Make instances of files of other libraries: TSPLIB, DIMACS, bin "
    "packing, CSV.",
    "reduce": "Make an instance of another problem, or map a solution of it back.",
    "problems": "Show what atleastk knows: all problems, one of them, or its JSON "
    "Schema.",
    "library": "List, check, solve and improve instances with proven optima, and open "
    "ones.",
    "models": "Formulations by name: list, show and export them, and read solutions "
    "back.",
    "cite": "Print how to cite a proven optimum: a sentence, and an entry for BibTeX.",
    "plot": "Draw a result and write the picture.",
    "inspect": "Look at a table before: identifiers, unique rows, missing values, "
    "spellings.",
    "anonymize": "Suppress or generalise cells of a table so that every row equals "
    "k - 1 others.",
    "tradeoff": "Show what a k costs: cost and bound for several k, which help each "
    "other.",
    "cluster": "Publish the centres of clusters of at least r rows in place of the "
    "rows.",
    "assign": "Assign the rows of a table to groups: classes, teams, divisions of a "
    "league.",
    "pack": "Pack the rows of a table into batches of at least k; minimise the "
    "heaviest.",
    "partition": "Partition a map into connected parts of at least k; minimise the "
    "heaviest.",
    "study": "Run algorithms and exact methods on many instances; killed, it goes on.",
    "adversary": "Look for instances on which an algorithm is as bad as can be.",
    "price": "Say what a restriction costs: connected parts, straight cuts, an order.",
    "claims": "Put what the papers say to the test: theorems, examples, findings.",
    "report": "Write the results of a study as a page: ratios, times, worst instances.",
    "docs": "Say where the pages tell of a problem, a command or a word.",
    "completion": "Print a script that completes commands and options in a shell.",
    "warm-up": "Compile all hot loops now, which takes minutes: for images and "
    "clusters of machines.",
}
"""Every command and what it does; the module `atleastk.cli.NAME` does it, with an
underscore for a hyphen."""

EPILOG: Final = """\
exit codes:
  0    a solution was found, optimal or not; for check: nothing is false
  1    no solution was found, or there is none; for check: something does not hold,
       or is only claimed and --require proof;
       for anonymize --check: the table is not k-anonymous;
       for anonymize --strict: the report has a WARNING;
       for study and adversary: an answer is wrong, a promise is broken, or a run
       failed
  2    bad input or usage, reported on one line of standard error
  3    a solver contradicted the checker, another solver, or itself
  130  interrupted (SIGINT); the best solution and bound are given all the same
  141  whoever read standard output has left
  143  terminated (SIGTERM); likewise, and what is found is still written

The file - is standard input, or standard output; all other messages go to standard
error then.
"""


class _Command(Parser):
    """The parser of a command, which learns its options when it is first used."""

    def __init__(self, *, command: str, **more: Any) -> None:
        super().__init__(**more)
        self._command = command

    def error(self, message: str) -> NoReturn:
        super().error(exclusion(module_of(self._command).Options, message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        module = module_of(self._command)
        self.set_defaults(module=module, options=module.Options)
        actions = getattr(module, "ACTIONS", {})
        if not actions:
            words = told_apart(module.Options, module.Options.completed(args))
            self.set_defaults(words=words)
            add_options(self, module.Options, args)
            return super().parse_known_args(words, namespace)
        parsers = self.add_subparsers(
            metavar="ACTION", required=True, parser_class=Parser
        )
        for name, kind in actions.items():
            parser = parsers.add_parser(
                name, help=kind.summary, description=kind.summary, allow_abbrev=False
            )
            add_options(parser, kind)
            parser.set_defaults(options=kind)
        return super().parse_known_args(_first(args, actions), namespace)


def module_of(command: str) -> Any:
    return import_module(f"atleastk.cli.{command.replace('-', '_')}")


def _first(words: Sequence[str], actions: Collection[str]) -> list[str]:
    """Return the words of a command with its action before all options.

    A word after an option may be its value: it is the action only if no other word is.
    """
    places = [i for i, word in enumerate(words) if word in actions]
    if not places:
        return list(words)
    at = min(places, key=lambda i: i > 0 and words[i - 1].startswith("-"))
    return [words[at], *words[:at], *words[at + 1 :]]


def parsed(argv: Sequence[str] | None) -> tuple[Callable[[Any], Exit], Options]:
    """Parse a command line; return the `run` of the command, and its options."""
    parser = _parser()
    found, extra = parser.parse_known_args(argv)
    kind = found.options
    if extra and not kind.takes_extra:
        parser.error(f"unrecognized arguments: {' '.join(extra)}")
    found.extra = extra
    return found.module.run, options_of(kind, found)


def _parser() -> Parser:
    parser = Parser(
        prog="atleastk",
        description="Exact optima for partitioning items into groups of at least k.",
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    doors = parser.add_subparsers(
        metavar="COMMAND", required=True, parser_class=_Command
    )
    for name, summary in COMMANDS.items():
        doors.add_parser(
            name,
            aliases=others_of(name),
            command=name,
            help=summary,
            description=summary,
            allow_abbrev=False,
        )
    return parser
