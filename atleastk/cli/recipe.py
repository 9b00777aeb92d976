"""Recipes: the wishes of a command line in a file, to be repeated.

A recipe is TOML: the version of the program that wrote it, and a line for every option
that was given, by its long name. What is an input, an output, or only says what is
printed has no part in it. Lists of names are lists, and a path that is not absolute
begins at the folder of the recipe, wherever the command is run.
"""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import Field, fields
from pathlib import Path
from typing import Any, Final

from atleastk.cli.options import HELP_ALL, Kind, Options, given_in, is_switch
from atleastk.cli.readers import classes, names
from atleastk.instances.fields.errors import AtleastkError, InvalidInstanceError, meant
from atleastk.instances.files import files
from atleastk.instances.files.csv_rows import line_of
from atleastk.instances.files.paths import is_standard
from atleastk.instances.hierarchies.words import is_rule
from atleastk.runs.versions import __version__

RECIPE: Final = Kind("a recipe", (".toml",), packed=False)

Texts = Mapping[str, Sequence[str | None]]
"""The texts of options by their names: None of an option without a value."""

_PROGRAM: Final = "atleastk"
"""The key of the version that wrote a recipe."""

_HELP: Final = frozenset(("-h", "--help", HELP_ALL))
"""Words that ask for help, for which no recipe is read."""

_PATHS: Final = ("population", "scratch", "start")
"""Options that are paths; hierarchies may be."""

_BY_RULE: Final = ("hierarchies", "recode")
"""Options of rules or paths, most of them by column."""

_LISTS: Final = (names, classes)
"""The readers of lists of names."""

_EVERY_FOLDER: Final = ("", False)
"""The place of folders, each of which is for other columns."""


def asked(kind: type[Options], words: Sequence[str]) -> Texts:
    """Return the wishes among the words of a command."""
    known = _wishes(kind)
    return {n: texts for n, texts in given_in(kind, words).items() if n in known}


def words_of(kind: type[Options], texts: Texts) -> Iterator[str]:
    """Yield the words of options, as a command line has them."""
    known = {one.name: one.metadata for one in fields(kind)}
    for name, each in texts.items():
        flag = known[name]["flags"][-1]
        optional = known[name]["more"].get("nargs") == "?"
        for text in each:
            if text is None:
                yield flag
            elif flag.startswith("--") and (optional or text.startswith("-")):
                yield f"{flag}={text}"
            else:
                yield from (flag, text)


def completed(
    kind: type[Options],
    words: Sequence[str],
    of: type[Options],
    without: Collection[str] = (),
    idle_here: Collection[str] = (),
) -> Sequence[str]:
    """Return the words of a command with those of its recipe before them, if any.

    The recipe has wishes `of` a command; those that this one does not take are left
    out, with a note, as those in `idle_here`, and those in `without`. What is given
    beside the recipe takes its place: for a column, if that is what an option is about,
    so that other columns keep theirs. A list of names is replaced as a whole, which is
    told. So it is with options that exclude each other.
    """
    given = given_in(kind, words)
    path = given.get("recipe", [None])[-1]
    if path is None or not _HELP.isdisjoint(words):
        return words
    version, texts_of = read_recipe(of, path)
    known = {one.name: one.metadata for one in fields(kind)}
    choices = {known[name]["either"] for name in given} - {None}
    found: dict[str, Sequence[str | None]] = {}
    idle, replaced = [], []
    for name, texts in texts_of.items():
        if name in without:
            continue
        if name not in known or name in idle_here:
            idle.append(name.replace("_", "-"))
        elif _appends(known[name]):
            others = {_place(text) for text in given.get(name, ())} - {_EVERY_FOLDER}
            found[name] = [text for text in texts if _place(text) not in others]
        elif name not in given and known[name]["either"] not in choices:
            found[name] = texts
        elif _reader(known[name]) in _LISTS and given.get(name) != texts:
            replaced.append(_line(known[name], texts))
    notes = {
        f"a recipe of atleastk {version}; this is {__version__}": version
        != __version__,
        f"what is given beside it replaces {'; '.join(replaced)}": replaced,
        f"has no part in this command: {', '.join(idle)}": idle,
    }
    for note in (note for note, holds in notes.items() if holds):
        print(f"atleastk: {path}: {note}", file=sys.stderr)
    return [*words_of(kind, found), *words]


def recipe_text(kind: type[Options], texts: Texts, path: str) -> str:
    """Return the recipe of some wishes, to be written to this path."""
    known = {one.name: one.metadata for one in fields(kind)}
    here, there = Path(), Path(path).absolute().parent
    lines = [
        "# What was asked. Again: atleastk anonymize TABLE --recipe THIS",
        f"{_PROGRAM} = {_toml(__version__)}",
    ]
    for name, each in texts.items():
        moved = [text and _moved(name, text, here, there) for text in each]
        lines.append(_line(known[name], moved))
    return "\n".join([*lines, ""])


def read_recipe(kind: type[Options], path: str) -> tuple[str, Texts]:
    """Return the version that wrote a recipe, and the texts of its wishes.

    Raises
    ------
    InvalidInstanceError
        On one line: the recipe, the wish, and what is wrong there.
    """
    if not (is_standard(path) or Path(path).exists()):
        raise InvalidInstanceError(f"{path}: no such file; --save-recipe writes one")
    try:
        document = tomllib.loads(files.read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InvalidInstanceError(f"{path}: is no recipe: {error}") from error
    version = document.pop(_PROGRAM, None)
    if not isinstance(version, str):
        raise InvalidInstanceError(
            f"{path}: is no recipe: it lacks the version of the program that it is "
            f'for, as in {_PROGRAM} = "{__version__}"'
        )
    known = {_key(one.metadata): one for one in _wishes(kind).values()}
    said = (
        "" if version == __version__ else f" (it is of {version}, this {__version__})"
    )
    here = Path(path).absolute().parent if not is_standard(path) else Path()
    found: dict[str, Sequence[str | None]] = {}
    for key, value in document.items():
        if key not in known:
            raise InvalidInstanceError(
                f"{path}: {key}: no wish is called that{said}; {meant(key, known)}"
                "leave it out"
            )
        try:
            texts = _texts(known[key].metadata, value)
        except (AtleastkError, ValueError) as error:
            raise InvalidInstanceError(f"{path}: {key}: {error}{said}") from error
        if texts:
            name = known[key].name
            found[name] = [t and _moved(name, t, here, Path()) for t in texts]
    return version, found


def _wishes(kind: type[Options]) -> dict[str, Field[Any]]:
    return {
        one.name: one
        for one in fields(kind)
        if one.metadata.get("flags") and not one.metadata["writes"]
        if one.name not in kind.aside
    }


def _key(known: Mapping[str, Any]) -> str:
    return str(known["flags"][-1]).lstrip("-")


def _line(known: Mapping[str, Any], texts: Sequence[str | None]) -> str:
    return f"{_key(known)} = {_toml(_value(known, texts))}"


def _appends(known: Mapping[str, Any]) -> bool:
    """Tell whether an option is repeated: every wish of that kind is by column."""
    return bool(known["more"].get("action") == "append")


def _value(known: Mapping[str, Any], texts: Sequence[str | None]) -> Any:
    if _appends(known):
        return texts
    text = texts[-1]
    if text is None:
        return True
    if _reader(known) is names:
        return names(text)
    for kind in (int, float):
        try:
            number = kind(text)
        except ValueError:
            continue
        if str(number) == text and number - number == 0:
            return number
    return text


def _texts(known: Mapping[str, Any], value: Any) -> Sequence[str | None]:
    if isinstance(value, bool):
        if not (is_switch(known) or known["more"].get("nargs") == "?"):
            raise ValueError("expected a value, not true or false")
        return [None] if value else []
    if is_switch(known):
        raise ValueError("expected true or false")
    listed = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str | int | float) for one in listed):
        raise ValueError("expected a text, a number, or a list of these")
    texts = list(map(str, listed))
    if isinstance(value, list) and not _appends(known):
        texts = [line_of(texts)]
    for text in texts:
        if (reader := _reader(known)) is not None:
            reader(text)
        choices = known["more"].get("choices")
        if choices and text not in choices:
            raise ValueError(f'expected one of {", ".join(choices)}, got "{text}"')
    return texts


def _reader(known: Mapping[str, Any]) -> Any:
    return getattr(known["more"].get("type"), "__wrapped__", None)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _moved(name: str, text: str, here: Path, there: Path) -> str:
    """Return a wish that is read in one folder as it has to be read in another."""
    if name in _PATHS:
        return _path(text, here, there)
    if name not in _BY_RULE:
        return text
    how = _without_level(_parted(text, here)[1])
    return text if is_rule(how) else text.removesuffix(how) + _path(how, here, there)


def _place(text: str | None) -> tuple[str, bool]:
    """Return the column that a text is about; for all, whether it is a rule."""
    column, how = _parted(text or "", Path())
    return column, not column and is_rule(how)


def _parted(text: str, here: Path) -> tuple[str, str]:
    """Return the column of a text, and what it says; no column if it is for all."""
    words = text.split("=")
    ends = ["=".join(words[i:]) for i in range(len(words) - 1, 0, -1)]
    if not ends or is_rule(text) or (here / text).is_dir():
        return "", text
    known = (
        end
        for end in ends
        for how in [_without_level(end)]
        if is_rule(how) or (here / how).exists()
    )
    end = next(known, ends[0])
    return text.removesuffix(f"={end}"), end


def _without_level(how: str) -> str:
    """Return a rule or path without the level before it, as in ``2:prefix``."""
    level, colon, rest = how.partition(":")
    return rest if colon and level.isdecimal() else how


def _path(text: str, here: Path, there: Path) -> str:
    if not text or is_standard(text) or Path(text).is_absolute():
        return text
    if here.absolute() == there.absolute():
        return text
    found = (here / text).absolute()
    if found.drive != there.absolute().drive:  # from which no path leads there
        return str(found)
    return os.path.relpath(found, there)
