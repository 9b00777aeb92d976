"""Sweep the readers with files that are wrong, and tell what they do.

    python -m scripts.sweeps.inputs [--files N] [--seed S] [--minutes M] [--reader R]

Every reader gets files made from true ones: bytes flipped, cut out, doubled and put in,
the end missing, values of other types, huge numbers, names that nobody knows, nesting
without end, marks and codes of other encodings, files packed once more, and a little
file that unpacks to a large one. The command that reads it has to end on one line that
names the file, with exit code 2, or with an answer. The exit code is 1 if one did not.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import random
import resource
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import geopandas
import pandas
import pyreadstat

import atleastk
from atleastk.cli import main as command_line
from atleastk.cli.parsing import parsed
from atleastk.instances import files
from atleastk.instances.packing import PACKED, packed
from scripts.sweeps import broken_writes, tampering
from scripts.sweeps.instances import PROBLEMS, draw
from scripts.sweeps.report import Tally
from scripts.sweeps.runs import Kind

__all__ = ["READERS", "Reader", "flaw_of", "main", "mutated", "prepare"]

_HANGS: Final = 30
"""Seconds after which a command hangs; all end in a fraction of one."""
_LIMIT: Final = "0.002"
"""Gigabytes that a file may unpack to."""
_BOMB: Final = 50_000_000
"""Bytes of a file that unpacks to far more than it may."""
_TOLD_EVERY: Final = 1000

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


_PLACES: Final = (
    "column",
    "--hierarchies",
    "k = ",
    "points",
    "start",
    "cannot be written",
    "edges.csv",
    "wrong.b.shp",
)
"""What errors name instead of the file: what is in it, or what does not fit it."""


class Reader(NamedTuple):
    """What reads a file, and the true file that others are made from.

    Attributes
    ----------
    words
        The command; the word ``FILE`` stands for the file.
    source
        The name of the true file among the inputs.
    """

    name: str
    words: str
    source: str


_ANONYMIZE: Final = "anonymize FILE -k 2 --time-limit 1 -o OUT"

READERS: Final[Sequence[Reader]] = (
    *(
        Reader(f"instance: {name}", "check FILE r.json", f"{name}.json")
        for name in PROBLEMS
    ),
    *(
        Reader(f"instance packed by {end[1:]}", "check FILE r.json", f"g.json{end}")
        for end in PACKED
    ),
    Reader("instances in lines", "check FILE r.jsonl", "g.jsonl"),
    *(
        Reader(f"result: {name}", f"check {name}.json FILE", f"{name}.result.json")
        for name in PROBLEMS
    ),
    Reader("results in lines", "check g.jsonl FILE", "r.jsonl"),
    Reader("a start", "solve g.json --start FILE", "r.json"),
    Reader("table: csv", _ANONYMIZE, "t.csv"),
    Reader("table: tsv", _ANONYMIZE, "t.tsv"),
    Reader("table: csv.gz", _ANONYMIZE, "t.csv.gz"),
    Reader("table: parquet", _ANONYMIZE, "t.parquet"),
    Reader("table: feather", _ANONYMIZE, "t.feather"),
    Reader("table: xlsx", _ANONYMIZE, "t.xlsx"),
    Reader("table: sav", _ANONYMIZE, "t.sav"),
    Reader("table: dta", _ANONYMIZE, "t.dta"),
    Reader(
        "how anonymous a table is", "anonymize FILE --check --columns age,sex", "t.csv"
    ),
    Reader(
        "hierarchy", "anonymize t.csv -k 2 --hierarchies sex=FILE -o OUT", "sex.csv"
    ),
    Reader("points", "cluster FILE -r 2 --columns age,ill -o OUT", "t.csv"),
    Reader("map: GeoJSON", "partition FILE -k 5 -o OUT", "map.geojson"),
    Reader("map: shapes", "partition FILE -k 5 -o OUT.geojson", "map.a.shp"),
    Reader(
        "map: table of shapes", "partition wrong.b.shp -k 5 -o OUT.geojson", "map.b.dbf"
    ),
    Reader("map: GeoPackage", "partition FILE -k 5 -o OUT.geojson", "map.gpkg"),
    Reader("map: nodes", "partition FILE --edges edges.csv -k 7 -o OUT", "nodes.csv"),
    Reader("map: edges", "partition nodes.csv --edges FILE -k 7 -o OUT", "edges.csv"),
    Reader("source of a reduction", "reduce X3C c-DEL FILE -o OUT", "cover.json"),
)


def prepare(folder: Path) -> None:
    """Write the true files."""
    broken_writes.prepare(folder)
    rows = [(20 + i // 3, "fm"[i % 2], i % 5) for i in range(12)]
    table = pandas.DataFrame(rows, columns=["age", "sex", "ill"])
    table.to_csv(folder / "t.csv", index=False)
    table.to_csv(folder / "t.tsv", index=False, sep="\t")
    table.to_csv(folder / "t.csv.gz", index=False)
    table.to_parquet(folder / "t.parquet")
    table.to_feather(folder / "t.feather")
    table.to_excel(folder / "t.xlsx", index=False)
    table.to_stata(folder / "t.dta", write_index=False)
    pyreadstat.write_sav(table, str(folder / "t.sav"))
    (folder / "sex.csv").write_text("f,person,*\nm,person,*\n")
    (folder / "map.geojson").write_text(json.dumps(_map()))
    frame = geopandas.GeoDataFrame.from_features(_map(), crs=4326)
    frame.to_file(folder / "map.gpkg", layer="regions")
    for name in ("map.a", "map.b", "wrong.a", "wrong.b"):
        frame.to_file(folder / f"{name}.shp")
    bins = files.read(folder / "g.json")
    for end in PACKED:
        files.write(folder / f"g.json{end}", bins)
    files.write_lines(folder / "g.jsonl", [bins, {**bins, "k": 7}])
    results = [atleastk.solve(i) for i in atleastk.load_all(folder / "g.jsonl")]
    files.write_lines(folder / "r.jsonl", [result.to_dict() for result in results])
    rng = random.Random(1)
    for problem in PROBLEMS:
        instance = _solvable(problem, rng)
        files.write(folder / f"{problem}.json", instance.to_dict())
        result = atleastk.solve(instance, 10, certify=True, workers=1)
        result.save(folder / f"{problem}.result.json")


def _solvable(problem: str, rng: random.Random) -> Any:
    """Return a small instance that has a solution."""
    while True:
        instance: Any = atleastk.from_dict(draw(problem, rng))
        if 3 <= instance.n <= 8 and atleastk.solve(instance, 1, workers=1).solution:
            return instance


def _map() -> dict[str, Any]:
    """Return four squares in a row."""
    return {
        "type": "FeatureCollection",
        "features": [
            {
                "type": "Feature",
                "properties": {"name": f"r{i}", "population": 3 + i % 2},
                "geometry": {
                    "type": "Polygon",
                    "coordinates": [
                        [[i, 0], [i + 1, 0], [i + 1, 1], [i, 1], [i, 0]],
                    ],
                },
            }
            for i in range(4)
        ],
    }


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Return what a file might hold instead."""
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
    """Flip, cut out, double, put in, or cut off."""
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
    """Put another value, or none, into a JSON object or a table."""
    try:
        lines = [json.loads(line) for line in data.decode().splitlines()]
    except ValueError:
        return _changed_cell(data, rng)
    places = list(tampering.places(lines, ("lines",)))
    if not places:
        return data
    _, *way, last = rng.choice(places)
    inside: Any = lines
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
    return "\n".join(map(json.dumps, lines)).encode()


def _changed_cell(data: bytes, rng: random.Random) -> bytes:
    """Put something else into a cell, or another cell into a line."""
    lines = data.split(b"\n")
    line = rng.randrange(len(lines))
    mark = rng.choice([b",", b";", b"\t"])
    cells = lines[line].split(mark)
    cells[rng.randrange(len(cells))] = rng.choice(_BYTES)
    lines[line] = mark.join(cells)
    return b"\n".join(lines)


class _HangError(BaseException):
    """A command did not end in time."""


_parsed = cache(parsed)
"""The words of a command are read once: that takes longer than most files."""


@contextmanager
def _in_time() -> Iterator[None]:
    def ring(_number: int, _frame: object) -> None:
        raise _HangError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(_HANGS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def flaw_of(reader: Reader, inputs: Path, name: str, outputs: Path) -> tuple[Kind, str]:
    """Return how a command ends that reads a file, and what is wrong with it."""
    out, err = io.StringIO(), io.StringIO()
    words = [
        word.replace("FILE", name).replace(
            "OUT", str(outputs / f"out{name.removeprefix('wrong')}")
        )
        for word in reader.words.split()
    ]
    try:
        with (
            chdir(inputs),
            warnings.catch_warnings(),
            redirect_stdout(out),
            redirect_stderr(err),
            patch.object(command_line, "parsed", _parsed),
            _in_time(),
        ):
            warnings.simplefilter("always")
            code = command_line.main((*words, "--input-limit", _LIMIT))
    except _HangError:
        return Kind.FAILED, f"it hangs for {_HANGS} s"
    except SystemExit as error:
        return Kind.FAILED, f"SystemExit: {error}"
    except Exception as error:  # whatever it is, it is what we are looking for
        return Kind.FAILED, f"{type(error).__name__}: {error}"
    told = err.getvalue()
    if code == 2:
        *notes, line = told.splitlines()
        placed = name in line or any(place in line for place in _PLACES)
        wrong = [note for note in notes if not note.startswith(f"atleastk: {name}: ")]
        if wrong or not placed or not line.startswith("atleastk: error: "):
            return Kind.FAILED, f"it says {told[:300]!r}"
        return Kind.REFUSED, told
    if code not in (0, 1) or "Traceback" in told:
        return Kind.FAILED, f"exit code {code}: {told[-300:]}"
    return Kind.HELD, told


def main(arguments: Sequence[str] | None = None) -> int:
    """Give wrong files to all readers; 1 if one of them fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, help="stop after so many")
    parser.add_argument("--reader", help="only those whose names begin like this")
    parser.add_argument("--store", type=Path, default=Path("wrong-files"))
    given = parser.parse_args(arguments)
    readers = [r for r in READERS if r.name.startswith(given.reader or "")]
    end = None if given.minutes is None else monotonic() + 60.0 * given.minutes
    tally, known = Tally(), set[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as folder:
        inputs, outputs = Path(folder, "in"), Path(folder, "out")
        inputs.mkdir()
        outputs.mkdir()
        prepare(inputs)
        for number in range(given.files):
            if end is not None and monotonic() > end:
                break
            reader = readers[number % len(readers)]
            rng = random.Random(f"{given.seed} {number}")
            data = mutated((inputs / reader.source).read_bytes(), rng)
            name = f"wrong{''.join(Path(reader.source).suffixes[-2:])}"
            (inputs / name).write_bytes(data)
            kind, told = flaw_of(reader, inputs, name, outputs)
            tally.add(reader.name, kind)
            if kind is Kind.FAILED and (reader.name, told[:40]) not in known:
                known.add((reader.name, told[:40]))
                given.store.mkdir(parents=True, exist_ok=True)
                kept = given.store / f"{sha256(data).hexdigest()[:8]}-{name}"
                kept.write_bytes(data)
                print(f"{reader.name}: {told}\n{reader.words}: {kept}", flush=True)
            if tally.runs % _TOLD_EVERY == 0:
                print(tally.line(), file=sys.stderr, flush=True)
    print(tally.table())
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"The process took {most:.0f} MB at most.")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
