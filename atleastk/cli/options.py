"""The options of commands: data classes whose fields declare them.

A field declares all of its option: a name and a type for the program, flags and a line
of help for the command line. :func:`add_options` adds them to a parser, and
:func:`options_of` makes the record of what was parsed. Nothing else sees a namespace.
"""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from functools import wraps
from inspect import get_annotations
from typing import Any, ClassVar, TypeVar

from atleastk.cli.paths import Paths
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.fields.spelling import others_of

T = TypeVar("T")
Kind = TypeVar("Kind", bound="Options")


@dataclass(frozen=True)
class Either:
    """Mutually exclusive options: at most one may be given; exactly one, if required.

    Attributes
    ----------
    name
        Distinguishes several such choices of a command.
    """

    name: str
    required: bool = False


def option(
    spelled: str,
    help_line: str | None = None,
    reader: Callable[[str], object] | None = None,
    *,
    either: Either | None = None,
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
    return field(metadata={"flags": flags, "either": either, "more": more})


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a command.

    Attributes
    ----------
    heading
        The title of the options of this class among those of a command, and what it
        says of them, if they stand apart.
    epilog
        What the help of a command ends with.
    takes_extra
        Whether the field `extra` holds the words that are no option of the command.
    """

    heading: ClassVar[tuple[str, str] | None] = None
    epilog: ClassVar[str | None] = None
    takes_extra: ClassVar[bool] = False

    def paths(self) -> Paths:
        """Return the paths of the inputs and outputs of the command."""
        return Paths()


def expect_none(options: Options, why: str, names: Iterable[str]) -> None:
    """Refuse these options where they make no sense."""
    metadata = {one.name: one.metadata for one in fields(options)}
    for name in names:
        if getattr(options, name) not in (None, False, []):
            raise AtleastkError(f"{why}: leave out {metadata[name]['flags'][-1]}")


def add_options(parser: ArgumentParser, kind: type[Options]) -> None:
    """Add the options of a command to a parser: its own first, then shared ones."""
    parser.epilog = kind.epilog
    choices: dict[Either, Any] = {}
    left = {declared.name: declared.metadata for declared in fields(kind)}
    for part in kind.__mro__:
        heading = vars(part).get("heading")
        group = parser.add_argument_group(*heading) if heading else parser
        for name in get_annotations(part):
            known = left.pop(name, None)
            if not known:
                continue
            either = known["either"]
            if either is not None and either not in choices:
                choice = group.add_mutually_exclusive_group(required=either.required)
                choices[either] = choice
            add = choices.get(either, group).add_argument
            flags, more = known["flags"], known["more"]
            if not flags:
                add(name, **more)
                continue
            add(*flags, dest=name, **more)
            for other in others_of(flags[-1].removeprefix("--").replace("-", "_")):
                hidden = {**more, "help": SUPPRESS}
                add(f"--{other.replace('_', '-')}", dest=name, **hidden)


def options_of(kind: type[Kind], parsed: Namespace) -> Kind:
    """Return the options that were parsed."""
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
