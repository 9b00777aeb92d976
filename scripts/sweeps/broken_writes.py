"""Break commands off while they write, and see that all files are old or new ones.

    python -m scripts.sweeps.broken_writes [--moments N] [--seed S] [--disk FOLDER]

At random moments a command is killed - after so many bytes of a file, which the kernel
does, or as it opens, marks or renames one - or finds the disk full: a limit on the size
of files, or with ``--disk`` a small file system (``mount -t tmpfs -o size=64k tmpfs
FOLDER``) of which all but a few pages are taken. Then every output has to hold what it
held before, or all that it was to hold, and whoever was not killed has to leave on one
line, with exit code 2 and no other file. The exit code is 1 if there was a failure.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import atleastk
from atleastk.cli.main import main as run_command
from atleastk.frames.open_frame import format_of, read_frame
from atleastk.instances.files import files
from atleastk.instances.files.files import read_bytes
from atleastk.research.studies import conduct
from atleastk.research.studies.spec import Study
from atleastk.research.studies.store import DONE, Store
from atleastk.runs.pools import Here, pool_of

COMMANDS: Final = (
    "anonymize t.csv -k 2 -o out.csv --result out.json --instance out.jsonl "
    "--report out.json.gz --plot out.png",
    "anonymize t.parquet -k 2 -o out.parquet --plot out.svg",
    "anonymize t.csv -k 2,3 --report out.jsonl --plot out.pdf",
    "anonymize t.csv.gz -k 2 -o out.csv.gz --report out.html",
    "anonymize t.xlsx -k 2 -o out.xlsx",
    "anonymize t.feather -k 2 -o out.feather",
    "anonymize t.dta -k 2 -o out.dta",
    "cluster t.parquet -r 2 --columns age -o out.parquet --rows out.rows.parquet",
    "cluster t.csv -r 2 --columns age -o out.tsv.gz --result out.json --plot out.png",
    "cluster t.csv -r 2 --columns age -o out.csv --rows out.tsv",
    "partition nodes.csv --edges edges.csv -k 7 -o out.csv --instance out.json",
    "solve g.json -o out.json",
    "approximate g.json --all -o out.jsonl",
    "generate bin-covering uniform -o out.json.gz",
    "reduce X3C c-DEL cover.json -o out.json",
    "plot g.json r.json -o out.svg",
    "prove tiling.json -o out.vipr",
    "adversary spread --problem bin-covering --time-limit 0.01 -o out.jsonl",
    "study small.toml -o study.db --export out.csv --markdown out.md",
    "report small.db -o out.html",
)
"""One of every command that writes, and every kind of output."""

_OLD: Final = (
    b'{"algorithm": "mine", "ratio": 9, '
    b'"instance": {"problem": "bin-covering", "sizes": [1], "k": 1}}\n'
)
"""What was there before: a find, to which the adversary adds."""
_STUDY: Final = """\
problem = "bin-covering"
algorithms = ["spread"]
[[instances]]
family = "uniform"
seeds = 4
n = 5
"""
_ENDS: Final = {
    ".png": b"IEND\xaeB`\x82",
    ".svg": b"</svg>\n",
    ".pdf": b"%%EOF\n",
    ".html": b"</html>\n",
    ".md": b"\n",
    ".vipr": b"\n",
}
_PAGE: Final = 4096
"""Bytes: a file of a tmpfs takes whole pages."""
_KEPT: Final = "study.db"
"""What a study goes on in: no old file, but one that whatever was done is in."""
_FORKS: Final = get_context("forkserver")
_FORKS.set_forkserver_preload([__name__, "atleastk.cli.parsing"])
_EVENTS: Final = frozenset({"open", "os.chmod", "os.chown", "os.rename", "os.remove"})
_MOST_EVENTS: Final = 9
_MOST_BYTES: Final = 5000
_PATIENCE: Final = 600.0
"""Seconds that a command may take."""


class Moment(NamedTuple):
    """When a command is broken off."""

    words: str
    how: str
    """``killed by bytes``, ``killed by event``, ``file limit`` or ``disk``."""
    after: int
    """After so many bytes of a file, events, or pages of the disk."""


def moments(
    rng: random.Random, n: int, disk: bool, commands: Sequence[str] = COMMANDS
) -> Iterator[Moment]:
    """Give moments at random, the commands in turn."""
    for i in range(n):
        how = rng.choice(["killed by bytes", "killed by event", "file limit"])
        if disk and rng.random() < 0.5:
            how = "disk"
        most = {"disk": 5, "killed by event": _MOST_EVENTS}.get(how, _MOST_BYTES)
        # Small files are broken off as often as large ones.
        yield Moment(commands[i % len(commands)], how, int(most ** rng.random()) - 1)


def prepare(folder: Path, count: int = 60) -> None:
    rows = [(20 + i // 3, "fm"[i % 2], i % 5) for i in range(count)]
    text = "".join(f"{age},{sex},{ill}\n" for age, sex, ill in rows)
    (folder / "t.csv").write_text(f"age,sex,ill\n{text}")
    pyarrow = __import__("pyarrow.parquet")
    columns = dict(zip(("age", "sex", "ill"), zip(*rows, strict=True), strict=True))
    table = pyarrow.table(columns)
    pyarrow.parquet.write_table(table, folder / "t.parquet")
    __import__("pyarrow.feather").feather.write_feather(table, folder / "t.feather")
    table.to_pandas().to_excel(folder / "t.xlsx", index=False)
    table.to_pandas().to_stata(folder / "t.dta", write_index=False)
    (folder / "t.csv.gz").write_bytes(gzip.compress((folder / "t.csv").read_bytes()))
    (folder / "nodes.csv").write_text("fips,population\n1,3\n2,4\n3,3\n4,4\n")
    (folder / "edges.csv").write_text("fips_u,fips_v\n1,2\n2,3\n3,4\n")
    bins = {"problem": "bin-covering", "sizes": [10, 6, 6, 6], "k": 10}
    files.write(folder / "g.json", bins)
    cover = {"problem": "x3c", "elements": 3, "sets": [[0, 1, 2]]}
    files.write(folder / "cover.json", cover)
    points = [[0, 0, 1], [1, 0, 768]]
    tiling = {"problem": "rectangle-tiling", "points": points, "k": 512}
    files.write(folder / "tiling.json", {**tiling, "cover": "points"})
    (folder / "small.toml").write_text(_STUDY)
    conduct.conduct(
        Study.load(folder / "small.toml"), folder / "small.db", executor=Here()
    )
    atleastk.solve(atleastk.from_dict(bins)).save(folder / "r.json")


def tried(moment: Moment, inputs: Path, outputs: Path) -> tuple[str, str | None]:
    """Break a command off; return how it ended, and what is wrong with what it left."""
    words = moment.words.split()
    words = [str(inputs / w) if (inputs / w).exists() else w for w in words]
    made = [outputs / word for word in words if word.startswith("out.")]
    words = [str(outputs / w) if w.startswith(("out.", _KEPT)) else w for w in words]
    for path in outputs.iterdir():
        path.unlink()
    for path in made:
        path.write_bytes(_OLD)
    if moment.how == "disk":
        _fill(outputs, moment.after)
    ended = broken_off(words, moment, outputs)
    how = {0: "done", 2: "refused"}.get(ended.returncode, "killed")
    halves = [f"{path.name}: {flaw}" for path in made if (flaw := flaw_of(path))]
    if _KEPT in moment.words and (flaw := _lost(outputs / _KEPT)):
        halves.append(flaw)
    if halves:
        return how, ", ".join(halves)
    if ended.returncode in (-signal.SIGKILL, -signal.SIGXFSZ):
        return how, None
    refused = how == "refused" and "cannot be written: " in ended.stderr
    if ended.stderr.count("\n") != refused or (how, refused) == ("refused", False):
        return how, f"exit code {ended.returncode}: {ended.stderr[-300:]}"
    beside = (f"{_KEPT}{end}" for end in ("", "-wal", "-shm", ".lock"))
    known = {"filler", *beside, *(path.name for path in made)}
    left = {path.name for path in outputs.iterdir()} - known
    return how, f"left behind: {left}" if left else None


def broken_off(
    words: Sequence[str], moment: Moment, outputs: Path
) -> subprocess.CompletedProcess[str]:
    """Break a command off that writes to a folder; return how it ended."""
    listening, telling = _FORKS.Pipe(duplex=False)
    task = [*words], moment.how, moment.after, str(outputs), telling
    process = _FORKS.Process(target=_begin, args=task)
    process.start()
    telling.close()
    with open(listening.fileno(), closefd=False) as pipe:
        said = pipe.read()
    process.join(_PATIENCE)
    assert process.exitcode is not None, f"{words} does not end"
    return subprocess.CompletedProcess(words, process.exitcode, "", said)


def _begin(
    words: Sequence[str], how: str, count: int, outputs: str, telling: Connection
) -> None:
    """Run a command in a process of its own, what it says on the other end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(telling.fileno(), 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
    sys.exit(_sabotaged(words, how, count, outputs))


def _lost(path: Path) -> str | None:
    """Say what a study lost that was broken off: it has to go on, and to end."""
    done: dict[str, Any] = {}
    if path.exists() and path.stat().st_size:
        with Store.reading(path) as store:
            if not store.empty:
                done = {r["key"]: r for r in store.rows() if r["state"] == DONE}
    spec = path.with_name("again.toml")
    spec.write_text(_STUDY)
    with suppress(FileNotFoundError):
        path.with_name("filler").unlink()
    found = conduct.conduct(Study.load(spec), path, executor=Here(), workers=1)
    spec.unlink()
    after = {row["key"]: row for row in found.rows}
    if set(found.states) != {DONE}:
        return f"it does not end: {found.states}"
    lost = [key for key, row in done.items() if after.get(key) != row]
    return f"{len(lost)} runs are lost, or were done again" if lost else None


def flaw_of(path: Path) -> str | None:
    """Say what is wrong with a file that should be old or new, and whole."""
    data = path.read_bytes()
    if data == _OLD:
        return None
    suffix = Path(path.name.removesuffix(".gz")).suffix
    try:
        if suffix in _ENDS:
            assert data.endswith(_ENDS[suffix]), "the end is missing"
        elif suffix.startswith(".json"):
            text = bytes(read_bytes(path)).decode()
            assert text.endswith("\n"), "the last line does not end"
            assert all(json.loads(line) for line in text.splitlines())
        else:
            frame = read_frame(path)
            assert frame.n, "no row is left"
            if not format_of(path):  # it is text
                assert bytes(read_bytes(path)).endswith(b"\n"), "a line does not end"
    except Exception as error:
        return f"half of a file: {error}"
    return None


def _fill(disk: Path, pages: int) -> None:
    """Take all of a small disk but so many pages."""
    filler = disk / "filler"
    while (free := os.statvfs(disk)).f_bavail * free.f_frsize > pages * _PAGE:
        with filler.open("ab") as file:
            file.write(bytes(_PAGE))


def _sabotaged(words: Sequence[str], how: str, count: int, outputs: str) -> int:
    """Run a command that is going to be broken off."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if how == "killed by event":
        left = [count]

        def hear(event: str, arguments: tuple[Any, ...]) -> None:
            if event in _EVENTS and str(arguments[0]).startswith(outputs):
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hear)
    elif how != "disk":
        deadly = signal.SIG_DFL if how == "killed by bytes" else signal.SIG_IGN
        signal.signal(signal.SIGXFSZ, deadly)
        resource.setrlimit(resource.RLIMIT_FSIZE, (count, count))
    with patch.object(conduct, "pool_of", lambda *_: pool_of(Here(), 1)):
        return run_command(list(words))  # the driver of a study alone writes


def swept(
    moments: Iterable[Moment], tried: Callable[[Moment], tuple[str, str | None]]
) -> int:
    """Break commands off; print how they ended and what is wrong, and return 1 then.

    So it does if there was no moment.
    """
    counts: Counter[str] = Counter()
    failures = 0
    for moment in moments:
        ended, flaw = tried(moment)
        counts[f"{moment.how}: {ended}"] += 1
        if flaw is not None:
            failures += 1
            print(f"{moment}: {flaw}", flush=True)
    print(
        f"{counts.total()} moments, {failures} failures", dict(sorted(counts.items()))
    )
    return 1 if failures or not counts else 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--moments", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--disk", type=Path)
    parser.add_argument("--command", help="only those that begin like this")
    given = parser.parse_args(arguments)
    chosen = [each for each in COMMANDS if each.startswith(given.command or "")]
    with tempfile.TemporaryDirectory() as name:
        inputs, outputs = Path(name, "in"), given.disk or Path(name, "out")
        inputs.mkdir()
        outputs.mkdir(exist_ok=True)
        prepare(inputs)
        rng = random.Random(given.seed)
        found = moments(rng, given.moments, given.disk is not None, chosen)
        return swept(found, lambda moment: tried(moment, inputs, outputs))


if __name__ == "__main__":
    sys.exit(main())
