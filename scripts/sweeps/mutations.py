"""Mutations: what a file might hold instead of what it should.

Bytes flipped, cut out, doubled and put in, the end missing, values of other types, huge
numbers, names that nobody knows, nesting without end, marks and codes of other
encodings, files packed once more, and a little file that unpacks to a large one. Values
are changed within JSON, TOML, tables, databases of SQLite and what is packed, too.
"""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, Final

from atleastk.instances.files.paths import PACKED
from atleastk.instances.files.writing import packed
from scripts.sweeps import tampering

_BOMB: Final = 50_000_000
"""Bytes of a file that unpacks to far more than it may."""

_GZIP: Final = b"\x1f\x8b"
_SQLITE: Final = b"SQLite format 3"
_ROLLBACK: Final = b"\1\1"
"""The bytes 18 and 19 of a database with a journal: one in memory has no other."""
_WIDE: Final = 2**63
"""Integers of databases are below."""

_ODD: Final[Sequence[Any]] = (
    *(None, True, -1, 0, 1, 2**31, 2**63, -(2**63), 10**30, 10**4000, 0.5, 1e308),
    *("", "x", "*", "\0", "\ud800", "é" * 300, [], {}, [[]], [None], {"x": 1}),
)
"""What may stand where something else was expected."""

_BYTES: Final[Sequence[bytes]] = (
    *(b"NaN", b"-Infinity", b"1e999", b"9" * 5000, b"null", b"true", b'"', b"'", b"\\"),
    *(b"\\ud800", b"\0", b"\xff", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b"\t", b","),
    *(b";", b"{", b"}", b"[", b"]", b":", b"-", b"0", b"1e9", b"\x1a", b"\xc3\x28"),
    *(b"[" * 100_000, b'{"a":' * 50_000, b"," * 5000, b"\xe2\x80\xa8", b"PK\x03\x04"),
)
"""What may be put between the bytes of a file."""


def mutated(data: bytes, rng: random.Random) -> bytes:
    if data.startswith(_GZIP) and rng.random() < 0.7:
        return gzip.compress(mutated(gzip.decompress(data), rng), 1, mtime=0)
    kind = rng.random()
    if kind < 0.35:
        return _changed_value(data, rng)
    if kind < 0.40:
        return _recoded(data, rng)
    if kind < 0.43:
        return packed(f"x{rng.choice(PACKED)}", data)
    if kind < 0.431:
        return gzip.compress(bytes(_BOMB), 1)
    for _ in range(rng.choice([1, 1, 1, 2, 5])):
        data = _changed_bytes(data, rng)
    return data


def _changed_bytes(data: bytes, rng: random.Random) -> bytes:
    start = rng.randint(0, len(data))
    end = min(len(data), start + rng.choice([1, 1, 2, 8, 100]))
    before, within, after = data[:start], data[start:end], data[end:]
    match rng.randrange(6):
        case 0:
            flipped = bytes(byte ^ 1 << rng.randrange(8) for byte in within[:1])
            return before + flipped + within[1:] + after
        case 1:
            return before + after
        case 2:
            return before + within * rng.choice([2, 3, 50]) + after
        case 3:
            return before + rng.choice(_BYTES) + within + after
        case 4:
            return before + rng.choice(_BYTES) + after
    return before


def _recoded(data: bytes, rng: random.Random) -> bytes:
    """Write a text in another code, or with other ends of lines."""
    code = rng.choice(["utf-16", "utf-32", "latin-1", "utf-8-sig", "cp037", "lines"])
    text = data.decode("latin-1") + "é€"
    if code == "lines":
        return text.replace("\n", rng.choice(["\r", "\r\n", ""])).encode()
    return text.encode(code, "replace")


def _changed_value(data: bytes, rng: random.Random) -> bytes:
    """Put another value, or none, into JSON, TOML, a database or a table."""
    if data.startswith(_SQLITE):
        try:
            return _changed_row(data, rng)
        except sqlite3.Error:  # a GeoPackage has triggers that need other programs
            return _changed_bytes(data, rng)
    try:
        lines = [json.loads(line) for line in data.decode().splitlines()]
    except ValueError:
        pass
    else:
        _change(lines, rng)
        return "\n".join(map(json.dumps, lines)).encode()
    try:
        document = tomllib.loads(data.decode())
    except ValueError:
        return _changed_cell(data, rng)
    _change(document, rng)
    return toml(document).encode()


def _change(document: Any, rng: random.Random) -> None:
    """Put another value, or none, into a JSON value."""
    places = list(tampering.places(document, ("all",)))
    if not places:
        return
    _, *way, last = rng.choice(places)
    inside = document
    for key in way:
        inside = inside[key]
    match rng.randrange(4):
        case 0 if isinstance(inside, dict):
            del inside[last]
        case 1 if isinstance(inside, dict):
            inside[rng.choice(["x", "", f"{last}s"])] = inside[last]
        case 2 if isinstance(inside, list):
            inside.insert(int(last), rng.choice(_ODD))
        case _:
            inside[last] = rng.choice(_ODD)


def toml(document: Mapping[str, Any]) -> str:
    """Return a table as a file of TOML has it; null is an empty text there."""
    return "".join(
        f"{json.dumps(name)} = {_toml(value)}\n" for name, value in document.items()
    )


def _toml(value: object) -> str:
    match value:
        case dict():
            fields = (f"{json.dumps(n)} = {_toml(v)}" for n, v in value.items())
            return f"{{{', '.join(fields)}}}"
        case list():
            return f"[{', '.join(map(_toml, value))}]"
    return json.dumps("" if value is None else value)


def _changed_row(data: bytes, rng: random.Random) -> bytes:
    """Change a table of a database: its rows, its columns, or that it is there."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.deserialize(data[:18] + _ROLLBACK + data[20:])
        find = "SELECT name FROM sqlite_master WHERE type = 'table'"
        tables = [name for (name,) in connection.execute(find)]
        read = {t: connection.execute(f"SELECT rowid, * FROM {t}") for t in tables}
        held = {t: (each.description, each.fetchall()) for t, each in read.items()}
        table = rng.choice([t for t, (_, rows) in held.items() if rows])
        described, rows = held[table]
        columns = [name for name, *_ in described]
        column = rng.randrange(1, len(columns))
        row = rng.choice(rows)
        match rng.randrange(10):
            case 0:
                connection.execute(f"DROP TABLE {table}")
            case 1:
                name = columns[column]
                connection.execute(f"ALTER TABLE {table} RENAME {name} TO {name}_x")
            case 2:
                connection.execute(f"DELETE FROM {table} WHERE rowid = ?", row[:1])
            case _:
                update = f"UPDATE OR IGNORE {table} SET {columns[column]} = ? "
                value = _other(row[column], rng)
                connection.execute(f"{update} WHERE rowid = ?", (value, row[0]))
        written = connection.serialize()
    return written[:18] + data[18:20] + written[20:]


def _other(value: object, rng: random.Random) -> str | int | float:
    """Return what may stand in a database instead of a value."""
    try:
        inner = json.loads(str(value))
    except ValueError:
        inner = None
    if isinstance(inner, dict | list) and rng.random() < 0.7:
        _change(inner, rng)
        return json.dumps(inner)
    odd = rng.choice(_ODD)
    fits = isinstance(odd, float) or (isinstance(odd, int) and -_WIDE <= odd < _WIDE)
    return odd if fits or odd == "" else json.dumps(odd)


def _changed_cell(data: bytes, rng: random.Random) -> bytes:
    """Put something else into a cell, or another cell into a line."""
    lines = data.split(b"\n")
    line = rng.randrange(len(lines))
    mark = rng.choice([b",", b";", b"\t"])
    cells = lines[line].split(mark)
    cells[rng.randrange(len(cells))] = rng.choice(_BYTES)
    lines[line] = mark.join(cells)
    return b"\n".join(lines)
