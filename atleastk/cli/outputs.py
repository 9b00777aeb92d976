"""The outputs of commands: checked before any work; and results, read and written.

Refused is an output that is an input - under another name or through links, too - or
another output, whose folder does not exist or cannot be written to, or whose suffix is
not one of what is written. The path ``-`` is standard output; all other messages go to
standard error then.

Files are written atomically, see :mod:`atleastk.instances.files.writing`. Results
without a solution do not replace a file that holds one.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from atleastk.cli.console import BAD_INPUT, NO, OK, complain
from atleastk.cli.options import Kind, Paths
from atleastk.instances.fields.errors import AtleastkError, InvalidResultError, placed
from atleastk.instances.files import files
from atleastk.instances.files.paths import (
    ANYHOW,
    PACKED,
    TEXTS,
    AnyPath,
    is_lines,
    is_standard,
    plain_name,
    reason_of,
)
from atleastk.instances.files.writing import Target, printing_aside, target_of
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.plots.drawing import picture_formats

JSON: Final = Kind("JSON", (".json", ".jsonl"))
HIERARCHY: Final = Kind("a hierarchy", (".csv",), packed=False)
REPORT: Final = Kind("a report", (".html", ".json", ".jsonl"))
GROUPS: Final = Kind("a report on groups", (*REPORT.suffixes, ".csv"))
STUDY: Final = Kind("a study", (".db", ".sqlite"), packed=False)
RUNS: Final = Kind("a table of runs", (".csv", ".parquet"), packed=False)
MARKDOWN: Final = Kind("Markdown", (".md",))
LATEX: Final = Kind("LaTeX", (".tex",))
PAGE: Final = Kind("a page", (".html",))
POLYGONS: Final = Kind("a map of polygons", (".geojson", ".json"))
TABLE: Final = Kind("a table of a text file", TEXTS)
VIPR: Final = Kind("a proof", (".vipr",), packed=False)
BINARY: Final = {
    read: Kind(f"a table of {what} file", written, packed=False)
    for what, ends, written in (
        ("an Arrow", (".arrow", ".feather"), (".arrow", ".feather")),
        ("an Excel", (".xlsx",), (".xlsx",)),
        ("a Parquet", (".parquet",), (".parquet",)),
        ("a SAS", (".sas7bdat", ".xpt"), (".xpt",)),
        ("an SPSS", (".sav", ".zsav"), (".sav", ".zsav")),
        ("an SPSS portable", (".por",), (".por",)),
        ("a Stata", (".dta",), (".dta",)),
    )
    for read in ends
}
"""Tables that are not text, by the end of their names, which they need."""

_STANDARD_OUTPUT: Final = "standard output"

_MOST_GROUPS_SHOWN: Final = 25
"""The most groups that are printed, about what a screen holds."""

_MOST_MEMBERS_SHOWN: Final = 1_000
"""The most members of a group that are printed, about as much."""

_taken: ContextVar[Mapping[Hashable, str]] = ContextVar(
    "taken", default=MappingProxyType({})
)
"""In words, the inputs and outputs that are guarded already, by their identities."""


def write_report(
    path: AnyPath | None,
    page: Callable[[], str] | None,
    documents: Sequence[Mapping[str, Any]],
) -> None:
    """Write a report, if one is asked for: the page or JSON objects, by its name.

    Without a page the name is not that of one.
    """
    if not path:
        return
    if page and plain_name(path).lower().endswith(".html"):
        files.write_text(path, page())
    else:
        files.write_lines(path, documents)


@contextmanager
def beside(path: AnyPath | None) -> Iterator[None]:
    """In the body, say of what fails to be written that this file is written already.

    `path` is the output, whole; None if there is none.
    """
    try:
        yield
    except AtleastkError as error:
        if path and not is_standard(path):
            error.args = (f"{error}; {path} is written already, whole",)
        raise


def is_json(path: AnyPath) -> bool:
    """Return whether a report of this name is one of JSON objects."""
    return Path(plain_name(path)).suffix.lower() in JSON.suffixes


def picture(path: AnyPath | None) -> Kind | None:
    """Return the kind of pictures if there is one to be written; None otherwise.

    Raises BackendUnavailableError if matplotlib is not installed.
    """
    if path is None:
        return None
    endings = tuple(f".{name}" for name in picture_formats())
    return Kind("a picture", endings, packed=False)


def table_named(path: AnyPath | None, table: AnyPath = "") -> Kind:
    """Return the kind of output for a table: that of its name, or as it was read.

    Text, Excel, Parquet and Arrow are written whatever was read; a table that is made
    anew was not read.
    """
    was, packed = _ends(table)
    more = dict.fromkeys((*TABLE.suffixes, packed or TABLE.suffixes[0]))
    own = BINARY.get(was, replace(TABLE, suffixes=tuple(more)))
    end, plain = _ends(path or "")
    if plain in ("", *own.suffixes):
        return own
    if plain in TABLE.suffixes:
        return TABLE
    if end in ANYHOW:
        return BINARY[end]
    suffixes = dict.fromkeys((*own.suffixes, *TABLE.suffixes, *ANYHOW))
    return replace(own, suffixes=tuple(suffixes), packed=False)


def _ends(path: AnyPath) -> tuple[str, str]:
    """Return the suffix of a file, and that of what is packed in it."""
    return Path(path).suffix.lower(), Path(plain_name(path)).suffix.lower()


@contextmanager
def guarded_outputs(paths: Paths) -> Iterator[None]:
    """Refuse outputs that could not be written; then run the body.

    If one of them is standard output, what the body prints goes to standard error. More
    outputs that are guarded in the body must differ from all of these, too.
    """
    read = [(what, path) for what, path in paths.read if path is not None]
    written = [(p, kind) for p, kind in paths.written if p is not None and kind]
    if sum(is_standard(path) for _, path in read) > 1:
        raise AtleastkError("-: standard input can be only one of the inputs")
    before = _taken.get()
    taken = {**before, **{_input_identity(path): what for what, path in read}}
    taken.pop(None, None)
    for path, kind in written:
        try:
            target = target_of(path)
            _expect_place(path, target)
            identity = _output_identity(target)
        except (OSError, ValueError) as failure:
            raise AtleastkError(_hopeless(path, reason_of(failure))) from failure
        if identity in taken:
            raise AtleastkError(f"{path}: is {taken[identity]}; give another name")
        if identity is not None:
            taken[identity] = "another output already"
            if target.descriptor is None:
                _expect_ending(path, kind)
    aside = _STANDARD_OUTPUT in taken.keys() - before.keys()
    token = _taken.set(taken)
    try:
        with printing_aside() if aside else nullcontext():
            yield
    finally:
        _taken.reset(token)


def expect_lines(path: AnyPath | None, what: str) -> None:
    """Refuse several objects for a file that is not one of JSON lines."""
    if path is not None and not (is_standard(path) or is_lines(path)):
        raise AtleastkError(f"{path}: several {what} need a name that ends in .jsonl")


def write_or_print(path: AnyPath | None, document: Mapping[str, Any]) -> None:
    """Write a JSON object to a file; print it if there is no path."""
    if path is None:
        print(json.dumps(document))
    else:
        files.write(path, document)


def write_results(path: AnyPath, results: Sequence[Result]) -> None:
    """Write results, one per line; unknown ones do not replace a solution."""
    if all(r.status is Status.UNKNOWN for r in results) and _holds_solution(path):
        reason = "is left as it is: it holds a solution, and this run has found none"
        print(f"atleastk: {path}: {reason}", file=sys.stderr)
        return
    files.write_lines(path, [result.to_dict() for result in results])


def read_result(path: str) -> Result:
    (place, document), *others = files.documents(path, InvalidResultError)
    if others:
        raise InvalidResultError(
            f"{path}: holds {len(others) + 1} results; expected one"
        )
    return result_at(place, document)


def result_at(place: str, document: Mapping[str, Any]) -> Result:
    """Return the result that a JSON object is; errors name its place."""
    with placed(place):
        return Result.from_dict(document)


def write_or_complain(output: str, results: Sequence[Result], new: int) -> int:
    """Write results, of which the last `new` are new; return the exit code.

    A failure is reported and does not end the command, since results are printed, too.
    """
    try:
        start = len(results) - new if is_standard(output) else 0
        write_results(output, results[start:])
    except AtleastkError as error:
        complain(error)
        return BAD_INPUT
    return OK


def code_of(result: Result) -> int:
    return NO if result.solution is None else OK


def print_result(
    result: Result,
    as_json: bool,
    path: str | None = None,
    relaxed: Sequence[str] | None = None,
) -> None:
    """Print a result; with the `path` of one of several, and what to relax."""
    if as_json:
        more = {} if relaxed is None else {"relaxations": list(relaxed)}
        print(json.dumps({**result.to_dict(), **more}), flush=True)
        return
    if path is not None:
        print(f"{path}:")
    print(result)
    for line in relaxed or ():
        print(f"  relax   {line}")
    if result.solution is not None:
        shown = _MOST_GROUPS_SHOWN, _MOST_MEMBERS_SHOWN
        for line in result.solution.group_lines(*shown):
            print(f"    {line}")
    sys.stdout.flush()


def _holds_solution(path: AnyPath) -> bool:
    """Return whether a file holds a result with a solution."""
    target = target_of(path)
    if target.descriptor is not None or target.status is None or not target.is_plain:
        return False
    try:
        found = files.documents(path, InvalidResultError)
    except InvalidResultError:  # it holds something else
        return False
    return any("status" in d and d.get("groups") is not None for _, d in found)


def _expect_place(path: AnyPath, target: Target) -> None:
    folder = target.file.parent
    if target.descriptor is not None:
        return
    if not folder.is_dir():
        raise AtleastkError(_hopeless(path, "no such directory"))
    if not target.is_plain:
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        raise AtleastkError(_hopeless(path, "no permission for its folder"))
    if target.status is not None and not os.access(target.file, os.W_OK):
        raise AtleastkError(_hopeless(path, "no permission"))


def _expect_ending(path: AnyPath, kind: Kind) -> None:
    suffix = Path(plain_name(path) if kind.packed else path).suffix
    if suffix.lower() in kind.suffixes or not (suffix or kind in BINARY.values()):
        return
    more = f" (or {', '.join(PACKED)} of them)" if kind.packed else ""
    reason = f"{kind.name} is written to one of {', '.join(kind.suffixes)}{more}"
    raise AtleastkError(_hopeless(path, reason))


def _hopeless(path: AnyPath, reason: str) -> str:
    return f"{path}: cannot be written: {reason}"


def _input_identity(path: AnyPath) -> Hashable:
    """Return the identity of an input file; None if it is no ordinary file."""
    try:
        return _identity(os.fstat(0) if is_standard(path) else Path(path).stat())
    except (OSError, ValueError):  # the error comes when it is read
        return None


def _output_identity(target: Target) -> Hashable:
    """Return the identity of an output; None if it is a device or pipe.

    A file that does not exist yet has that of its folder, and its name in lower case.
    """
    if target.descriptor == 1:
        return _STANDARD_OUTPUT
    if target.status is None:
        folder = target.file.parent.stat()
        return folder.st_dev, folder.st_ino, target.file.name.casefold()
    return _identity(target.status)


def _identity(status: os.stat_result) -> tuple[int, int] | None:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
