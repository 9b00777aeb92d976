"""Break commands off that write a library, and see that nothing is lost.

    python -m scripts.sweeps.broken_libraries [--moments N] [--seed S]

As in :mod:`scripts.sweeps.broken_writes` a command is killed at a random moment, or
finds the disk full. Then the library has to be one that can be read, whose records all
hold and know no less than before; a submission has to be the old one or a whole one;
and the same command, once more, has to bring the library to where it would have been.
The exit code is 1 if there was a failure.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Final

import atleastk
from atleastk.cli.main import main as run_command
from atleastk.instances.fields.errors import AtleastkError
from atleastk.instances.files import files
from atleastk.research.collecting.improving import violation_of
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import Record
from scripts.sweeps.broken_writes import Moment, broken_off, flaw_of, moments, swept

COMMANDS: Final = (
    "library submit results.jsonl --folder own",
    "library add new.jsonl --folder own",
    "library improve --folder own -o out.jsonl --time-limit 20 --workers 1",
    "library check --folder own",
)
"""All that write to a library, or read it to write a submission."""

_FORGOTTEN: Final = (
    "bin-covering-tight-spread-k20-s1",
    "interval-covering-uniform-n10-s1",
    "r-gather-figure-3-s1",
)
"""Records of which nothing is known in the library."""

_KNOWN: Final = (
    "bin-covering-worst-k8-n7",
    "interval-covering-uniform-n10-s2",
    "r-gather-tight-star-r3-s1",
)
"""Records of which all is known."""

_NEW: Final = (
    "bin-covering-tight-spread-k60-s1",
    "interval-covering-uniform-n10-s3",
    "r-gather-figure-3-r3-s1",
)
"""Records of which only the instances are added."""


def prepare(folder: Path) -> None:
    own = folder / "own"
    own.mkdir()
    given = [atleastk.library[name] for name in (*_FORGOTTEN, *_KNOWN)]
    known = [atleastk.library[name] for name in _KNOWN]
    forgotten = [
        replace(atleastk.library[name], history=(), witness=None, certificate=None)
        for name in _FORGOTTEN
    ]
    Library(own).with_all([*forgotten, *known], own)
    results = [record.result.to_dict() for record in given if record.result]
    files.write_lines(folder / "results.jsonl", results)
    files.write_lines(
        folder / "new.jsonl",
        [atleastk.library[name].instance.to_dict() for name in _NEW],
    )
    (folder / "out.jsonl").write_bytes(b'{"what": "was there before"}\n')


def tried(moment: Moment, inputs: Path, outputs: Path) -> tuple[str, str | None]:
    """Break a command off; return how it ended, and what is wrong after it."""
    words = _fresh(moment.words, inputs, outputs)
    before = Library(outputs / "own")
    ended = broken_off(words, moment, outputs)
    how = {0: "done", 2: "refused"}.get(ended.returncode, "killed")
    if how == "killed" and ended.returncode not in (-signal.SIGKILL, -signal.SIGXFSZ):
        return how, f"exit code {ended.returncode}: {ended.stderr[-300:]}"
    parts = [path.name for path in outputs.rglob("*.part")]
    if how != "killed" and parts:
        return how, f"left behind: {parts}"
    try:
        flaw = flaw_of(outputs / "out.jsonl") or loss(before, Library(outputs / "own"))
        if flaw is None and _run(words) != 0:
            flaw = "the same command fails when it is run again"
        if flaw is None:
            found = _told(outputs)
            _run(_fresh(moment.words, inputs, outputs))
            flaw = None if found == _told(outputs) else f"run again it comes to {found}"
    except AtleastkError as error:
        flaw = f"it cannot be read: {error}"
    return how, flaw


def _fresh(words: str, inputs: Path, outputs: Path) -> list[str]:
    shutil.rmtree(outputs)
    shutil.copytree(inputs, outputs)
    return [
        str(outputs / word) if (outputs / word).exists() else word
        for word in words.split()
    ]


def _run(words: Sequence[str]) -> int:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        return run_command(words)


def _told(outputs: Path) -> dict[str, str]:
    return {name: record.status for name, record in Library(outputs / "own").items()}


def loss(before: Mapping[str, Record], after: Mapping[str, Record]) -> str | None:
    """Say what a library has lost, or what does not hold any more."""
    for name, old in before.items():
        if name not in after:
            return f"{name} is lost"
        if after[name].history[: len(old.history)] != old.history:
            return f"{name} has lost a part of its history"
    wrong = (violation_of(record) for record in after.values())
    return next((flaw for flaw in wrong if flaw is not None), None)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        inputs, outputs = Path(name, "in"), Path(name, "out")
        for folder in (inputs, outputs):
            folder.mkdir()
        prepare(inputs)
        found = moments(random.Random(given.seed), given.moments, False, COMMANDS)
        return swept(found, lambda moment: tried(moment, inputs, outputs))


if __name__ == "__main__":
    sys.exit(main())
