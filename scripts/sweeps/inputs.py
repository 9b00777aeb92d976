"""Sweep the readers with files that are wrong, and tell what they do.

    python -m scripts.sweeps.inputs [--files N] [--seed S] [--minutes M] [--reader R]

Every reader gets files made from true ones, see :mod:`scripts.sweeps.mutations`. The
command that reads it has to end on one line that names the file, with exit code 2, or
with an answer. The exit code is 1 if one did not.
"""

from __future__ import annotations

import argparse
import io
import math
import random
import re
import resource
import shlex
import shutil
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
from typing import Final
from unittest.mock import patch

from atleastk.cli import main as command_line
from atleastk.cli.parsing import parsed
from atleastk.research.studies import conduct
from atleastk.runs.pools import Here, Pool, pool_of
from scripts.sweeps.mutations import mutated
from scripts.sweeps.readers import READERS, Reader, prepare
from scripts.sweeps.report import Tally
from scripts.sweeps.runs import Kind

_HANGS: Final = 600
"""Seconds after which a command hangs; alone, all end in a fraction of one."""
_LIMIT: Final = "0.002"
"""Gigabytes that a file may unpack to."""
_TOLD_EVERY: Final = 1000

_PLACES: Final = (
    "column",
    "--hierarchies",
    "k = ",
    "points",
    "population",
    "instances[",
    "start",
    "cannot be written",
    "edges.csv",
    "wrong.b.shp",
    "together",
)
"""What errors name instead of the file: what is in it, or what does not fit it."""


class _HangError(BaseException):
    """A command did not end in time."""


_parsed = cache(parsed)
"""The words of a command are read once: that takes longer than most files."""


def _pool_here(_executor: str, _workers: int | None) -> Pool:
    """Return a pool without processes, whose beginning takes longer than most files."""
    return pool_of(Here(), 1)


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
    end = "".join(Path(name).suffixes[-2:])
    words = [
        re.sub(r"^OUT(\..*)?$", lambda found: f"{outputs}/out{found[1] or end}", word)
        for word in shlex.split(reader.words.replace("FILE", name))
    ]
    try:
        with (
            chdir(inputs),
            warnings.catch_warnings(),
            redirect_stdout(out),
            redirect_stderr(err),
            patch.object(command_line, "parsed", _parsed),
            patch.object(conduct, "pool_of", _pool_here),
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
    message = err.getvalue()
    if code == 2:
        *notes, line = message.splitlines()
        placed = name in line or any(place in line for place in _PLACES)
        wrong = [note for note in notes if not note.startswith(f"atleastk: {name}: ")]
        if wrong or not placed or not line.startswith("atleastk: error: "):
            return Kind.FAILED, f"it says {message[:300]!r}"
        return Kind.REFUSED, message
    if code not in ((0, 1, 3) if reader.answers else (0, 1)) or "Traceback" in message:
        return Kind.FAILED, f"exit code {code}: {message[-300:]}"
    return Kind.HELD, message


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=math.inf, help="at most")
    parser.add_argument("--reader", help="only those whose names begin like this")
    parser.add_argument("--store", type=Path, default=Path("wrong-files"))
    given = parser.parse_args(arguments)
    readers = [r for r in READERS if r.name.startswith(given.reader or "")]
    until = monotonic() + 60.0 * given.minutes
    tally, known = Tally(), set[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as name:
        inputs, outputs = Path(name, "in"), Path(name, "out")
        inputs.mkdir()
        outputs.mkdir()
        prepare(inputs)
        for number in range(given.files):
            if monotonic() > until:
                break
            reader = readers[number % len(readers)]
            rng = random.Random(f"{given.seed} {number}")
            data = mutated((inputs / reader.source).read_bytes(), rng)
            end = "".join(Path(reader.source).suffixes[-2:])
            # A module is imported once, and the words of a command are read once.
            name = f"wrong{number}{end}" if end == ".py" else f"wrong{end}"
            (inputs / name).write_bytes(data)
            kind, message = flaw_of(reader, inputs, name, outputs)
            tally.add(reader.name, kind)
            for folder, pattern in ((inputs, f"{name}*"), (outputs, "out*")):
                for path in folder.glob(pattern):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            if kind is Kind.FAILED and (reader.name, message[:40]) not in known:
                known.add((reader.name, message[:40]))
                given.store.mkdir(parents=True, exist_ok=True)
                kept = given.store / f"{sha256(data).hexdigest()[:8]}-{name}"
                kept.write_bytes(data)
                print(f"{reader.name}: {message}\n{reader.words}: {kept}", flush=True)
            if tally.runs % _TOLD_EVERY == 0:
                print(tally.line(), file=sys.stderr, flush=True)
    print(tally.table())
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"The process took {most:.0f} MB at most.")
    return tally.code


if __name__ == "__main__":
    sys.exit(main())
