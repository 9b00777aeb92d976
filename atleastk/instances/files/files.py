"""Files of JSON objects: read with errors that say where, written reproducibly.

``.json`` holds one object, ``.jsonl`` one object per line; either may be packed, see
:mod:`atleastk.instances.files.packing`.

The reader is stricter than JSON parsers usually are, since a silent repair would change
what is solved: it refuses duplicate keys and the constants NaN and Infinity, which are
not JSON. Whatever is wrong with a file is one error of one line, which names the file
and, where there is one, the line and the column.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from atleastk.instances.fields.errors import AtleastkError, InvalidInstanceError
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.files.packing import packed, plain_name
from atleastk.instances.files.reading import AnyPath, is_standard, read_text
from atleastk.instances.files.writing import write_bytes

Document = dict[str, Any]


def is_lines(path: AnyPath) -> bool:
    """Tell whether a file of this name holds one object per line."""
    return plain_name(path).endswith(".jsonl")


def holds_lines(path: AnyPath) -> bool:
    """Tell whether a file to be read holds one object per line.

    Its name tells, or of standard input the content.
    """
    if not is_standard(path):
        return is_lines(path)
    lines = [line for line in read_text(path).split("\n") if line.strip()]
    try:
        return len(lines) > 1 and isinstance(json.loads(lines[0]), dict)
    except (RecursionError, ValueError):
        return False


def read(path: AnyPath, error: type[AtleastkError] = InvalidInstanceError) -> Document:
    """Return the one JSON object of a file; whatever is wrong with it is an `error`."""
    return parse(read_text(path, error), str(path), error)


def read_lines(
    path: AnyPath, error: type[AtleastkError] = InvalidInstanceError
) -> list[tuple[int, Document]]:
    """Return the JSON objects of a file that holds one per line, with their lines.

    Empty lines are passed over; a file without any object is an error.
    """
    lines = read_text(path, error).split("\n")
    documents = [
        (number, parse(line, f"{path}:{number}", error, one_line=True))
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    if not documents:
        raise error(_empty(path))
    return documents


def write(path: AnyPath, document: Mapping[str, Any]) -> None:
    """Write one JSON object."""
    _write(path, [document])


def write_lines(path: AnyPath, documents: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON objects, one per line."""
    _write(path, documents)


def _write(path: AnyPath, documents: Iterable[Mapping[str, Any]]) -> None:
    write_text(path, "".join(json.dumps(document) + "\n" for document in documents))


def write_text(path: AnyPath, text: str) -> None:
    """Write a text in UTF-8, packed if the name says so."""
    write_bytes(path, packed(path, text.encode()))


class _RefusedError(Exception):
    """What the hooks of the parser object to."""


def parse(
    text: str, place: str, error: type[AtleastkError], one_line: bool = False
) -> Document:
    """Return the JSON object in a text; whatever is wrong with it is an `error`."""
    if not text.strip():
        raise error(_empty(place))
    try:
        with garbage_waits():
            document = json.loads(
                text, object_pairs_hook=_without_duplicates, parse_constant=_no_constant
            )
    except json.JSONDecodeError as failure:
        column = failure.colno if one_line else f"{failure.lineno}:{failure.colno}"
        raise error(f"{place}:{column}: broken JSON: {failure.msg}") from failure
    except RecursionError as failure:
        raise error(f"{place}: nested too deeply") from failure
    except _RefusedError as failure:
        raise error(f"{place}: {failure}") from failure
    except ValueError as failure:
        raise error(f"{place}: an integer has too many digits ({failure})") from failure
    if not isinstance(document, dict):
        kind = {list: "a list", str: "a text", type(None): "null"}.get(
            type(document), "a number or a truth value"
        )
        raise error(f"{place}: expected a JSON object {{...}}, got {kind}")
    return document


def _without_duplicates(pairs: list[tuple[str, Any]]) -> Document:
    document = dict(pairs)
    if len(document) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise _RefusedError(f"the key {json.dumps(twice)} occurs twice in one object")
    return document


def _no_constant(constant: str) -> NoReturn:
    raise _RefusedError(f"{constant} is not JSON")


def _empty(place: AnyPath) -> str:
    return f"{place}: the file is empty; expected a JSON object"
