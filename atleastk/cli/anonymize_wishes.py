"""The options of ``atleastk anonymize``, and the request that they make.

Options of wishes are made of their declaration: a field of
:class:`~atleastk.doors.anonymizing.request.Wishes` says what its options are called,
and its type, or its name where that is not enough, how their texts are read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import Field, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final, Self, TypeVar, get_type_hints

from atleastk.cli.console import NO, OK, Exit
from atleastk.cli.options import Either, Paths, given_in, option
from atleastk.cli.outputs import (
    REPORT,
    TABLE,
    beside,
    picture,
    table_named,
    write_report,
)
from atleastk.cli.readers import (
    allowance,
    classes,
    cost,
    count,
    level,
    levels,
    names,
    shuffling,
)
from atleastk.cli.recipe import RECIPE, Texts, asked, completed, words_of
from atleastk.cli.table_command import (
    HOW_TO_READ,
    SOURCES,
    Large,
    TableMaking,
    TableReading,
)
from atleastk.doors.anonymizing.engines import is_cluster, is_many
from atleastk.doors.anonymizing.hierarchies import file_of, for_all
from atleastk.doors.anonymizing.request import (
    HIERARCHIES,
    LIMITS,
    MARKER,
    RISK,
    SENSITIVE,
    WEIGHTS,
    Hierarchies,
    LevelLimits,
    Request,
    set_apart,
)
from atleastk.doors.anonymizing.row_columns import RowOrder, rows_in_order
from atleastk.doors.anonymizing.selected import columns_of
from atleastk.frames.frame import Columned, Frame, Name, without
from atleastk.frames.open_frame import FileFrame
from atleastk.instances.fields.allowance import Allowance
from atleastk.instances.fields.errors import AtleastkError, placed, quoted
from atleastk.instances.fields.visible import visible
from atleastk.instances.fields.wish_names import calling
from atleastk.instances.files.digest import Filed, digest_object, filed
from atleastk.instances.hierarchies.words import is_rule
from atleastk.models.wording import Warned

T = TypeVar("T", bound=type)
C = TypeVar("C", bound=Columned)
V = TypeVar("V")

_WHICH: Final = Either("which columns")
_OTHERS: Final = Either("the other columns")

_BY_COLUMN: Final = {"action": "append", "default": []}
_HOW: Final[Mapping[object, Mapping[str, Any]]] = {
    bool: {"default": False},
    str | None: {},
    Any: {},
    bool | int: {"reader": shuffling, "nargs": "?", "const": True, "default": False},
    Name | None: {},
    RowOrder | None: {},
    int | None: {"reader": level},
    Allowance | None: {"reader": allowance},
    Iterable[Name] | None: {"reader": names},
    Name | Iterable[Name] | None: {"reader": names},
    Sequence[Sequence[Name]] | None: {"reader": classes},
    Mapping[str, int] | None: {"reader": count},
    Mapping[Name, int] | None: _BY_COLUMN,
    Mapping[Name, LevelLimits] | None: _BY_COLUMN,
    Hierarchies | None: _BY_COLUMN,
    Mapping[Name, Any] | None: _BY_COLUMN,
    "minimise": {"reader": cost},
}
"""How options are read, by the type of their wish or by its name."""


_HEADINGS: Final[Mapping[str | None, tuple[str, str] | None]] = {
    None: None,
    LIMITS: (LIMITS, "how much may be suppressed at most"),
    HIERARCHIES: (
        HIERARCHIES,
        "generalise cells; a column without a hierarchy is suppressed",
    ),
    WEIGHTS: (WEIGHTS, "which cells cost more than others"),
    SENSITIVE: (
        SENSITIVE,
        "nobody learns them of a person who is known to be in a class of equal rows",
    ),
    RISK: (RISK, "how easily a row is found, besides k"),
}
"""The headings of options, by the group of their wishes."""

_WISHES: Final = [one for one in fields(Request) if one.metadata]
"""Wishes that the command line takes as they are declared."""


def _spelled(*groups: str | None) -> Iterator[tuple[Field[Any], str, str]]:
    """Yield every option of the wishes of some groups: its wish, spelling and help."""
    for group in groups:
        for wish in _WISHES:
            if wish.metadata["group"] == group:
                for spelled, about in wish.metadata["options"].items():
                    yield wish, spelled, about


def _name(spelled: str) -> str:
    return spelled.split()[0].removeprefix("--").replace("-", "_")


def wish_options(*groups: str | None) -> list[str]:
    """Return the names of the options of all wishes of some groups."""
    return [_name(spelled) for _, spelled, _ in _spelled(*groups)]


def every_wish() -> list[str]:
    """Return the names of the options of all wishes."""
    return wish_options(*_HEADINGS)


def unchecked() -> list[str]:
    """Return the names of the options that say nothing of a table as it stands."""
    wishes = wish_options(WEIGHTS, HIERARCHIES, LIMITS, None)
    return [*wishes, "population", "k_map", "start"]


def _with_wishes(kind: T) -> T:
    """Give a class an option for every wish, before it is made a data class."""
    types = get_type_hints(Request)
    for wish, spelled, about in _spelled(*_HEADINGS):
        known = wish.metadata
        how = dict(_HOW.get(wish.name, _HOW[types[wish.name]]))
        if known["choices"]:
            how["choices"] = known["choices"]
        name, heading = _name(spelled), _HEADINGS[known["group"]]
        kind.__annotations__[name] = Any
        setattr(kind, name, option(spelled, about, heading=heading, **how))
    return kind


@dataclass(frozen=True, kw_only=True)
@_with_wishes
class Choosing(TableReading):
    """Options of the commands that choose columns of a table and wish for something."""

    command: ClassVar = "anonymize"
    table: str = option("TABLE", SOURCES, reads="the original table")
    output: str | None
    columns: Sequence[str] | None = option(
        "--columns NAMES", "columns to anonymise (default: all)", names, either=_WHICH
    )
    exempt: Sequence[str] | None = option(
        "--except NAMES", "anonymise all but these", names, either=_WHICH
    )
    marker: str = option(
        "--marker TEXT",
        f"what a suppressed text cell holds (default: {MARKER})",
        default=MARKER,
    )
    drop: Sequence[str] | None = option(
        "--drop NAMES", "columns to leave out, as if they were not there", names
    )
    recipe: str | None = option(
        "--recipe FILE",
        "repeat a recipe, but for what is given beside it",
        reads="the recipe",
    )

    words: Sequence[str] = ()

    idle: ClassVar[Collection[str]] = ()
    """Wishes of recipes that have no part in the command, though it knows them."""

    @classmethod
    def completed(cls, words: Sequence[str]) -> Sequence[str]:
        """Return the words with those of a recipe; --check takes only some of them.

        What was published is not read as the original was.
        """
        checks = "check" in given_in(cls, words)
        without = (*unchecked(), *HOW_TO_READ) if checks else ()
        return completed(cls, words, Options, without, cls.idle)

    @property
    def asked(self) -> Texts:
        """What was asked, by option, as it was written."""
        return asked(type(self), self.words)

    @property
    def again(self) -> list[str]:
        """The command line that asks for the same again."""
        written = ["-o", self.output] if self.output else []
        wished = words_of(type(self), self.asked)
        return ["atleastk", self.command, self.table, *wished, *written]

    def paths(self) -> Paths:
        found = super().paths()
        read = [("a hierarchy", path) for path in _hierarchy_files(self)]
        return found._replace(read=[*found.read, *read])

    def frame(self) -> FileFrame:
        return self.kept(super().frame())

    def kept(self, frame: C) -> C:
        with placed(self.table):
            return without(frame, self.drop) if self.drop else frame


@dataclass(frozen=True, kw_only=True)
class Options(Choosing, TableMaking, Large):
    """The options of ``atleastk anonymize``: a table, a search, and all wishes."""

    epilog: ClassVar = (
        "Only the chosen columns are looked at; all others pass unchanged, names and "
        "identifiers too, unless --drop or --drop-unlisted leaves them out. Example: "
        "atleastk anonymize people.csv -k 5 --columns age,zip,sex --drop name -o "
        "out.csv; limits, weights, shuffling, microaggregation: --help-all"
    )
    shown: ClassVar = (
        *("table", "k", "columns", "exempt", "output", "drop_unlisted", "drop"),
        "report",
        *("check", "strict", "hierarchies", "on", "suppress_rows", "sensitive"),
        *("l", "t", "time_limit", "json", "sheet", "recipe", "save_recipe"),
    )

    aside: ClassVar = (
        *("check", "strict", "wildcard", "earlier", "recipe", "write_hierarchies"),
        *("events", "json"),
    )

    k: tuple[int, ...] | None = option(
        "-k K",
        "how many rows have to look alike; several, as 2,5,10 or 2..9, are compared",
        levels,
    )
    output: str | None = option(
        "-o --output OUT",
        "write the table as OUT's name says, or as TABLE is",
        writes=lambda options: (
            None
            if is_many(options.table) or is_cluster(options.engine)
            else table_named(options.output, options.table)
        ),
    )
    keep_unlisted: bool = option(
        "--keep-unlisted",
        "write the other columns too, unchanged (default)",
        either=_OTHERS,
    )
    drop_unlisted: bool = option(
        "--drop-unlisted", "write only columns that are named", either=_OTHERS
    )
    write_hierarchies: str | None = option(
        "--write-hierarchies DIR",
        "write the hierarchies as NAME.csv, to be edited; without -k do nothing else",
    )
    plot: str | None = option(
        "--plot FILE",
        "draw the suppressed cells; of several k, their number against k",
        writes=lambda options: picture(options.plot),
    )
    population: str | None = option(
        "--population FILE",
        "a table of all persons, to count whom a published row may be (k-map)",
        reads="the population",
    )
    start: str | None = option(
        "--start FILE",
        "the --result of an earlier call with stricter wishes, to begin with: nothing "
        "dearer is written",
        reads="the result to start from",
    )
    report: str | None = option(
        "--report FILE",
        "write the report: a page (.html), or figures (.json)",
        writes=REPORT,
    )
    row_risk: str | None = option(
        "--row-risk FILE",
        "write the risk of every published row: the rows that look alike, and 1 over "
        "their number (.csv, .tsv)",
        writes=TABLE,
    )
    check: bool = option("--check", "only report how anonymous TABLE is")
    strict: bool = option("--strict", "exit with 1 if the report has a WARNING")
    wildcard: bool = option(
        "--wildcard", "with --check: let suppressed and missing cells match anything"
    )
    earlier: str | None = option(
        "--earlier FILE",
        "with --check: a release that is public already, whose rows TABLE has, too; "
        "are both together k-anonymous?",
        reads="the earlier release",
    )
    save_recipe: str | None = option(
        "--save-recipe FILE", "write what was asked as a recipe (.toml)", writes=RECIPE
    )

    def kept(self, frame: C) -> C:
        """Return a table without the columns to leave out.

        Of a table as it stands, they should be gone; those that are not are told.
        """
        if not self.check:
            return super().kept(frame)
        there = [name for name in self.drop or () if name in frame.names]
        for name in there:
            note = f"{self.table}: {quoted(name)}, to be dropped, is there"
            print(f"atleastk: {note}", file=sys.stderr)
        return without(frame, there) if there else frame

    def naming(self, frame: C, request: Request) -> tuple[Self, C]:
        """Return options that name all that is left out, and the table without it."""
        if not self.drop_unlisted:
            return self, frame
        apart = (name for _, name in request.apart)
        named = (*(request.columns or ()), *apart, *(request.recode or ()))
        gone = [str(name) for name in frame.names if name not in named]
        options = replace(self, drop=[*(self.drop or ()), *gone])
        return options, frame.only([*dict.fromkeys(named)])

    def strictly(self, ended: Exit, warned: Iterable[Warned]) -> Exit:
        """Return how the command ends: if --strict, not well after a warning."""
        fails = self.strict and ended.code == OK and any(warned)
        return ended._replace(code=NO) if fails else ended

    def filed(self, *, solved: bool = False) -> tuple[Filed, ...]:
        """Return the SHA-256 of the table, and of what is published if there is one."""
        made = self.output if solved else None
        return (*filed("table", self.table), *filed("published", made))

    def print_made(
        self, report: object, to_dict: Callable[[], Mapping[str, Any]], **how: Any
    ) -> None:
        if self.drop:
            left = visible(f"  left out    {', '.join(self.drop)}")
            report = f"{report}\n{left}"
        super().print_made(report, to_dict, **how)

    def write_report(
        self,
        page: Callable[..., str] | None,
        reports: Sequence[Mapping[str, Any]],
        found: Sequence[Filed],
    ) -> list[dict[str, Any]]:
        """Write the report, if one is asked for; return its objects with the files."""
        left = {"left_out": [*self.drop]} if self.drop else {}
        files = {"files": digest_object(found)}
        documents = [{**report, **left, **files} for report in reports]
        name, words = Path(self.table).name, self.again
        made = next((one.path for one in found if one.role == "published"), None)
        with beside(made):
            told = page and partial(page, name, files=found, words=words)
            write_report(self.report, told, documents)
        return documents


def request_of(
    options: Choosing,
    frame: Frame,
    *,
    as_it_stands: bool = False,
    without: Collection[str] = (),
) -> Request:
    """Return the request that the options make of a table, without a k.

    Its columns are in the order of the table. As it stands, it has one level in every
    column. Wishes in `without` are left out.
    """
    given = _given(options) | dict.fromkeys(without)
    order = _row_order(frame, given["row_order"])
    with placed(options.table):
        named = (given[name] for name in ("sensitive", "row_weights", "household"))
        apart = set_apart(*named)
        found = columns_of(frame, options.columns, apart, options.exempt)
    columns = tuple(name for name in frame.names if name in found)
    limits = {
        _name(spelled).removeprefix("max_"): most
        for spelled, most in given["limits"].items()
        if most is not None
    }
    given |= {
        "limits": limits or None,
        "weights": _numbers("--weight", "W", level, given["weights"], columns),
        "recode": _numbers(
            "--recode", "RULE", _coarser, given["recode"], tuple(frame.names)
        ),
        "levels": _numbers("--level", "A..B", _levels, given["levels"], columns),
        "hierarchies": hierarchies_of(given["hierarchies"], columns) or None,
        "row_order": None if order is None else rows_in_order(frame, order),
    }
    if as_it_stands:
        given["on"] = "attributes"
    return Request(columns=columns, marker=options.marker, **given)


def wishes_of(options: Options) -> Request:
    """Return the wishes as they are written, of no table: what an engine asks for."""
    given = _given(options)
    given["limits"] = {n: of for n, of in given["limits"].items() if of is not None}
    if options.check:
        given["on"] = "attributes"
    given |= {name: None for name, of in given.items() if of in ([], {})}
    return Request(**given)


def calling_options(options: Choosing) -> AbstractContextManager[None]:
    """Call wishes by their options in the body; limits by those that are given."""
    names = {
        "k": "-k",
        "population": "--population",
        "time_limit": "--time-limit",
        "column_weights": "--weight",
    }
    for wish in _WISHES:
        known = {text: text.split()[0] for text in wish.metadata["options"]}
        given = [f for text, f in known.items() if getattr(options, _name(text), None)]
        names[wish.name] = ", ".join(given or known.values())
    return calling(names)


def _given(options: Choosing) -> dict[str, Any]:
    """Return every wish as it was written; one of several options by these."""
    found: dict[str, Any] = {}
    for wish in _WISHES:
        each = {s: getattr(options, _name(s)) for s in wish.metadata["options"]}
        found[wish.name] = each if len(each) > 1 else each.popitem()[1]
    return found


def _hierarchy_files(options: Choosing) -> list[Path]:
    """Return all files that hierarchies may be read from.

    Those of the chosen columns, or of any columns if none are chosen, since the table
    is not read yet.
    """
    return [
        path
        for text in _given(options)["hierarchies"]
        for words in [text.split("=")]
        for path in (
            *(Path("=".join(words[i:])) for i in range(1, len(words))),
            *(
                sorted(Path(text).glob("*.csv"))
                if options.columns is None
                else (file_of(Path(text), name) for name in options.columns)
            ),
        )
        if path
    ]


def _row_order(frame: Frame, text: str | None) -> RowOrder | None:
    """Read ``NAME`` or ``NAME: high > low``."""
    name, colon, values = (text or "").partition(":")
    if text in frame.names or not colon:
        return text
    return {name.strip(): classes(values)}


def hierarchies_of(given: Sequence[str], columns: tuple[Name, ...]) -> dict[Name, Any]:
    """Return files and rules by column, whatever their order on the command line.

    What names a column has precedence over the files of a folder, and these over a
    rule for all columns.
    """
    common = [text for text in given if "=" not in text or Path(text).is_dir()]
    single = [text for text in given if text not in common]
    named = _by_column("--hierarchies", "FILE or NAME=RULE", single, columns)
    rules = [text for text in common if is_rule(text)]
    folders = [text for text in common if text not in rules]
    if len(rules) > 1:
        raise AtleastkError(
            f"--hierarchies: {rules[0]} and {rules[1]} are both for all columns"
        )
    found: dict[Name, Any] = {}
    for text in folders:
        for name, path in for_all(columns, text).items():
            if name in found and name not in named:
                raise AtleastkError(
                    f"--hierarchies: {found[name]} and {path} are both of {name}; say "
                    f"which: --hierarchies {name}=FILE"
                )
            found[name] = path
    by_rule = for_all(columns, rules[0]) if rules else {}
    return by_rule | found | named


def _numbers(
    option: str,
    what: str,
    reader: Callable[[str], V],
    given: Sequence[str],
    columns: tuple[Name, ...],
) -> dict[Name, V] | None:
    """Return what an option says of single columns; None if it was not given."""
    found: dict[Name, V] = {}
    for name, text in _by_column(option, what, given, columns).items():
        try:
            found[name] = reader(text)
        except ValueError as error:
            raise AtleastkError(f"{option} {name}: {error}") from error
    return found or None


def _coarser(text: str) -> tuple[str, int]:
    """Read a rule or a file, perhaps after a level: ``2:prefix``."""
    level, colon, how = text.partition(":")
    return (how, int(level)) if colon and level.isdecimal() else (text, 1)


def _levels(text: str) -> int | tuple[int, int]:
    """Read a level, or the least and the greatest one: ``1..2``."""
    least, dots, greatest = text.partition("..")
    return (count(least), count(greatest)) if dots else count(least)


def _by_column(
    option: str, what: str, texts: Sequence[str], columns: tuple[Name, ...]
) -> dict[Name, str]:
    """Read each ``NAME=...``; of names that fit, the longest is meant."""
    found: dict[Name, str] = {}
    for text in texts:
        known = [str(name) for name in columns if text.startswith(f"{name}=")]
        name = max(known, key=len, default=text.partition("=")[0])
        given = text.removeprefix(f"{name}=")
        if given == text or not given:
            raise AtleastkError(f"{option} {text}: expected NAME={what}")
        if name in found:
            raise AtleastkError(f'{option}: "{name}" twice')
        found[name] = given
    return found
