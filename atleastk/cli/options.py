"""The options of commands: data classes whose fields declare them.

A field declares all of its option: a name and a type for the program, flags and a line
of help for the command line, and whether it is the path of an input or of an output.
:func:`add_options` adds options to a parser, and :func:`options_of` makes the record of
what was parsed. Nothing else sees a namespace.
"""

from __future__ import annotations

import re
import sys
from argparse import (
    SUPPRESS,
    Action,
    ArgumentError,
    ArgumentParser,
    ArgumentTypeError,
    Namespace,
)
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import wraps
from inspect import get_annotations
from typing import Any, ClassVar, Final, NamedTuple, NoReturn, TypeVar

from atleastk.cli.console import BAD_INPUT, complain, raw_stream
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.fields.spelling import others_of
from atleastk.instances.files.paths import AnyPath

T = TypeVar("T")
C = TypeVar("C", bound="Options")

_EXCLUDED: Final = re.compile(r"argument (\S+): not allowed with argument (\S+)")

HELP_ALL: Final = "--help-all"
"""The option that shows all options where ``--help`` shows the usual ones."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of output, and the suffixes of its files."""

    name: str
    suffixes: tuple[str, ...]
    packed: bool = True
    """Whether a file may be compressed, by the end of its name."""


class Paths(NamedTuple):
    """The inputs and outputs of a command, declared before it starts."""

    read: Sequence[tuple[str, AnyPath | None]] = ()
    """Every input: what it is, in words, and its path."""
    written: Sequence[tuple[AnyPath | None, Kind | None]] = ()
    """Every output: its path, and its kind."""


@dataclass(frozen=True)
class Either:
    """Mutually exclusive options: at most one is given; exactly one, if required."""

    name: str
    """Distinguishes several such choices of a command."""
    required: bool = False


def option(
    spelled: str,
    help_line: str | None = None,
    reader: Callable[[str], object] | None = None,
    *,
    either: Either | None = None,
    heading: tuple[str, str] | None = None,
    reads: str | None = None,
    writes: Kind | Callable[[Any], Kind | None] | None = None,
    **more: Any,
) -> Any:
    """Return the field of an option.

    Parameters
    ----------
    spelled
        Its flags and what stands for its value, as in ``"-o --output OUT"``. Without a
        value it is a switch, unless it has choices; without flags it is positional.
    help_line
        What the help of the command says of it.
    reader
        Reads the text that is given, or raises an error that says what is wrong.
    heading
        The title of the options that it stands among, and what it says of them; None
        for the first ones.
    reads, writes
        If it is a path: in words, which input it is; the kind of output, or a function
        from all options to that.
    more
        What else `ArgumentParser.add_argument` takes.
    """
    *flags, last = spelled.split()
    if not last.startswith("-"):
        more["metavar"] = last
    else:
        flags.append(last)
        if "choices" not in more:
            more["action"] = "store_true"
    if reader is not None:
        more["type"] = _with_errors_shown(reader, flags[-1] if flags else last)
    more["help"] = help_line
    known = {"flags": flags, "either": either, "heading": heading, "more": more}
    return field(metadata=known | {"reads": reads, "writes": writes})


class Parser(ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        complain(message)
        sys.exit(BAD_INPUT)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or version; a failure is raised, which the base class hides.

        Some versions of Python colour them.
        """
        raw_stream(file or sys.stderr).write(message)

    def _get_values(self, action: Action, arg_strings: list[str]) -> Any:
        """Take ``--option=--`` for ``--``, which Python before 3.13 drops."""
        if action.option_strings and arg_strings == ["--"]:
            value = self._get_value(action, "--")
            self._check_value(action, value)
            return value
        return super()._get_values(action, arg_strings)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a command."""

    aside: ClassVar[Collection[str]] = ()
    """The names of the options that have no part in recipes, besides what is
    written."""
    light: ClassVar[bool] = False
    """Whether the command only tells what is known: nothing is read or written that
    would have to be guarded, and no run to be ended well."""
    epilog: ClassVar[str | None] = None
    """What the help of a command ends with."""
    shown: ClassVar[Collection[str] | None] = None
    """The names of the options that ``--help`` shows, where ``--help-all`` shows all;
    None if there are few enough."""
    takes_extra: ClassVar[bool] = False
    """Whether the field `extra` holds the words that are no option of the command."""

    @classmethod
    def completed(cls, words: Sequence[str]) -> Sequence[str]:
        """Return the words of a command line with those that they stand for."""
        return words

    def paths(self) -> Paths:
        read: list[tuple[str, AnyPath | None]] = []
        written: list[tuple[AnyPath | None, Kind | None]] = []
        for one in fields(self):
            path, what = getattr(self, one.name), one.metadata.get("reads")
            kind = one.metadata.get("writes")
            if what is not None:
                several = not (path is None or isinstance(path, str))
                read += [(what, each) for each in (path if several else [path])]
            if kind is not None:
                written.append((path, kind if isinstance(kind, Kind) else kind(self)))
        return Paths(read, written)


def flags_of(known: Mapping[str, Any]) -> list[str]:
    """Return the flags of an option, and then its other spellings."""
    flags = known["flags"]
    others = others_of(flags[-1].removeprefix("--").replace("-", "_")) if flags else []
    return [*flags, *(f"--{other.replace('_', '-')}" for other in others)]


def is_switch(known: Mapping[str, Any]) -> bool:
    """Tell whether an option takes no value."""
    return bool(known["more"].get("action") == "store_true")


def given_in(kind: type[Options], words: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the options among the words of a command: their texts, None of a switch.

    That is what the parser makes of them if there is no error.
    """
    parser = Parser(add_help=False, allow_abbrev=False, exit_on_error=False)
    known = {one.name: one.metadata for one in fields(kind) if one.metadata}
    for name, told in known.items():
        if flags := flags_of(told):
            action = "append_const" if is_switch(told) else "append"
            parser.add_argument(*flags, dest=name, action=action, default=SUPPRESS)
    try:
        found = vars(parser.parse_known_args(told_apart(kind, words))[0])
    except ArgumentError:  # the parser of the command tells it
        return {}
    texts: dict[str, list[str | None]] = {}
    for name, given in found.items():
        more = known[name]["more"]
        texts[name] = given if more.get("action") == "append" else given[-1:]
        if more.get("nargs") == "?":
            texts[name] = [text or None for text in texts[name]]
    return texts


def told_apart(kind: type[Options], words: Sequence[str]) -> list[str]:
    """Return words in which an option of which a number may be left out takes no more.

    Without one it would take the word that follows, whatever that is.
    """
    optional = {
        flag
        for one in fields(kind)
        if one.metadata and one.metadata["more"].get("nargs") == "?"
        for flag in flags_of(one.metadata)
    }
    following = [*words, ""][1:]
    return [
        f"{word}=" if word in optional and not after.isdecimal() else word
        for word, after in zip(words, following, strict=True)
    ]


def given_of(options: Options, names: Iterable[str]) -> list[str]:
    """Return the flags of those of these options that were given."""
    metadata = {one.name: one.metadata for one in fields(options)}
    values = ((name, getattr(options, name)) for name in names)
    return [
        metadata[name]["flags"][-1]
        for name, value in values
        if not (value is None or value is False or value in ([], ()))
    ]


def expect_none(options: Options, why: str, names: Iterable[str]) -> None:
    """Refuse these options where they make no sense."""
    for flag in given_of(options, names):
        raise AtleastkError(f"{why}: leave out {flag}")


def exclusion(kind: type[Options], message: str) -> str:
    """Return what argparse says of options that exclude each other, with the reason."""
    found = _EXCLUDED.fullmatch(message)
    if found is None:
        return message
    either = next(
        one.metadata["either"]
        for one in fields(kind)
        if one.metadata and found[1].split("/")[-1] in flags_of(one.metadata)
    )
    return f"{found[1]} and {found[2]} both say {either.name}; leave one out"


def add_options(
    parser: ArgumentParser, kind: type[Options], words: Collection[str] = ()
) -> None:
    """Add the options of a command to a parser: its own first, then shared ones.

    `words` are those that it will parse: ``--help-all`` among them shows all options.
    """
    parser.epilog = kind.epilog
    shown = kind.shown
    told = SUPPRESS if shown is None else "show all other options as well, and exit"
    parser.add_argument(HELP_ALL, action="help", help=told)
    if HELP_ALL in words:
        shown = None
    choices: dict[Either, Any] = {}
    groups: dict[tuple[str, str] | None, Any] = {None: parser}
    left = {declared.name: declared.metadata for declared in fields(kind)}
    for part in kind.__mro__:
        for name in get_annotations(part):
            known = left.pop(name, None)
            if not known:
                continue
            either, heading, more = known["either"], known["heading"], known["more"]
            if shown is not None and name not in shown:
                heading, more = None, {**more, "help": SUPPRESS}
            if heading not in groups:
                groups[heading] = parser.add_argument_group(*heading)
            group = groups[heading]
            if either is not None and either not in choices:
                choice = group.add_mutually_exclusive_group(required=either.required)
                choices[either] = choice
            add = choices.get(either, group).add_argument
            flags = known["flags"]
            if not flags:
                add(name, **more)
                continue
            add(*flags, dest=name, **more)
            for other in flags_of(known)[len(flags) :]:
                add(other, dest=name, **{**more, "help": SUPPRESS})


def options_of(kind: type[C], parsed: Namespace) -> C:
    return kind(**{one.name: getattr(parsed, one.name) for one in fields(kind)})


def _with_errors_shown(reader: Callable[[str], T], flag: str) -> Callable[[str], T]:
    """Return a reader whose errors argparse shows unchanged, after the flag."""

    @wraps(reader)
    def read(text: str) -> T:
        try:
            return reader(text)
        except AtleastkError as error:
            raise AtleastkError(f"{flag}: {error}") from error
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from error

    return read
