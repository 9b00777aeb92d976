"""Growth: whole commands on a thousand to ten million items.

Every problem and the commands for tables, from reading to writing, each run in a
process of its own with one worker, on a clock of CPU time: so other work on the machine
does not count. Writes ``docs/benchmarks/growth.md``.

    python -m scripts.benchmarks.growth [--items 1000 10000 ...] [--limit 20]
        [--only PATTERN] [--folder DIR]

A run that is in the file runs.jsonl of the folder is not made again; instances and
tables stay there, too.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np

from atleastk.instances.files import files
from atleastk.research.tables.markdown import markdown_table
from atleastk.runs.versions import versions_installed
from scripts.benchmarks.measured import (
    OUT,
    SHARE,
    Limited,
    Run,
    carry_on,
    ended,
    kept,
    software,
)
from scripts.benchmarks.never_worse import MADE

ITEMS: Final = (1_000, 10_000, 100_000, 1_000_000)

_TOO_WIDE: Final = "table of 64 columns, k = 2"
"""A family of which a million items are more than files may hold."""

_EVENT: Final = re.compile(r"@([\d.]+) +[\d.]+ s +cost (\S+) +bound (\S+)")
"""A line of an event, and when it was printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown(Limited):
    """A command on so many items with a limit, and what came of it.

    Attributes
    ----------
    first
        Seconds from the beginning to the first answer; None without one.
    cost, bound
        The last ones of the search; None without one.
    seconds, megabytes
        Of CPU time, from reading to writing; and the most memory of the process.
    code
        The exit code.
    sources
        The fingerprint of the package that ran.
    """

    RESERVE: ClassVar = 2.0

    command: str
    items: int
    limit: float
    first: float | None
    cost: int | None
    bound: int | None
    seconds: float
    megabytes: int
    code: int
    sources: str = ""

    @property
    def gap(self) -> float | None:
        """(cost - bound) / cost; None without a cost, or one below 1."""
        if not self.cost or self.cost < 0 or self.bound is None:
            return None
        return (self.cost - self.bound) / self.cost

    @property
    def cells(self) -> list[object]:
        """The cells of a row of the page."""
        return [
            f"{self.items:,}",
            f"{self.limit:g}",
            "none" if self.first is None else f"{self.first:.1f}",
            "none" if self.cost is None else self.cost,
            "none" if self.bound is None else self.bound,
            "" if self.gap is None else f"{self.gap:.1%}",
            f"{self.seconds:.1f}",
            self.megabytes,
            "yes" if self.held else "**no**",
        ]


def _table_of(n: int, near: bool) -> Iterator[str]:
    """Yield the lines of a table; with `near` nearly all rows are different."""
    rng = np.random.default_rng(1)
    most = (78, 5_000, 2, 100, 16, 50) if near else (40, 30, 2, 12, 8, 5)
    columns = [rng.integers(0, values, n).tolist() for values in most]
    yield "age,zip,sex,job,edu,born\n"
    for row in zip(*columns, strict=True):
        yield ",".join(map(str, row)) + "\n"


def _places(n: int) -> Iterator[str]:
    """Yield the lines of a table of places about fifty centres, in decimals."""
    rng = np.random.default_rng(1)
    centres = rng.uniform(0, 1000, (50, 2))
    places = centres[rng.integers(0, 50, n)] + rng.normal(0, 10, (n, 2))
    yield "x,y\n"
    for x, y in places.tolist():
        yield f"{x:.2f},{y:.2f}\n"


def _written(path: Path, lines: Iterable[str]) -> str:
    if not path.is_file():
        with path.open("w", encoding="utf-8") as file:
            file.writelines(lines)
    return str(path)


def commands(
    n: int, folder: Path, wanted: re.Pattern[str] = re.compile("")
) -> Iterator[tuple[str, list[str]]]:
    """Yield names and words of commands; files that are missing are made."""
    for family, make in MADE.items():
        name = f"solve: {family}"
        if family == _TOO_WIDE or not wanted.search(name):
            continue
        path = folder / f"{re.sub(r'[^a-z0-9]+', '-', family.lower())}-{n}.json"
        if not path.is_file():
            files.write(path, make(n).to_dict())
        yield name, ["solve", str(path), "--input-limit", "2"]
    wishes: dict[str, list[str]] = {
        "suppression": [],
        "levels": ["--hierarchies", "auto", "--suppress-rows", "1%"],
        "entries": ["--hierarchies", "auto", "--on", "entries"],
    }
    for near in (True, False):
        kind = "nearly all rows differ" if near else "few rows differ"
        for wish, words in wishes.items():
            name = f"anonymize: {wish}, {kind}"
            if wanted.search(name):
                path = folder / f"{'near' if near else 'few'}-{n}.csv"
                table = _written(path, _table_of(n, near))
                yield name, ["anonymize", table, "-k5", *words]
    for measure in ("total", "radius"):
        name = f"cluster: {measure}, r = 10"
        if wanted.search(name):
            places = _written(folder / f"places-{n}.csv", _places(n))
            yield name, ["cluster", places, "-r10", "--minimise", measure]


def run(name: str, words: Sequence[str], n: int, limit: float, folder: Path) -> Grown:
    """Run a command on a clock of CPU time."""
    out = folder / f"out{'.json' if words[0] == 'solve' else '.csv'}"
    asked = [*words, "--time-limit", f"{limit:g}", "--workers", "1", "--verbose"]
    made = ended([*asked, "-o", str(out)])
    events = [found.groups() for found in map(_EVENT.match, made.told) if found]
    costs = [(at, int(cost)) for at, cost, _ in events if cost != "-"]
    bounds = [int(bound) for _, _, bound in events if bound != "-"]
    return Grown(
        command=name,
        items=n,
        limit=limit,
        first=float(costs[0][0]) if costs else None,
        cost=costs[-1][1] if costs else None,
        bound=bounds[-1] if bounds else None,
        seconds=made.seconds,
        megabytes=made.megabytes,
        code=made.code,
        sources=versions_installed()["sources"],
    )


def report(runs: Iterable[Grown]) -> Iterator[str]:
    """Yield the lines of the page."""
    found = sorted(runs, key=lambda one: (one.command, one.items, one.limit))
    held = sum(one.held for one in found)
    yield "# How it grows"
    yield ""
    yield (
        f"{len(found)} commands, from reading to writing, one worker, in seconds of "
        f"CPU time; {held} end within {Grown.RESERVE:g} s + {SHARE:.0%} of their "
        "limit. "
        "Loading solvers and compiling loops count against none. *First* is the time "
        "from the beginning to the first answer, however poor; *MB* the most memory of "
        "the process. Costs are those of the search: squares and lengths are in its "
        "steps. Made by `scripts/benchmarks/growth.py`."
    )
    yield ""
    every = {one.command for one in found}
    items = attrgetter("items")
    for n, several in groupby(sorted(found, key=items), items):
        left = sorted(every - {one.command for one in several})
        if left:
            yield f"Not run with {n:,} items: {'; '.join(left)}."
            yield ""
    yield software()
    for sources, times in Counter(one.sources for one in found).most_common():
        yield ""
        yield f"{times} of these commands ran with sources {sources}."
    heads = ["items>", "limit>", "first>", "cost>", "bound>", "gap>", "seconds>", "MB>"]
    for command, several in groupby(found, key=lambda one: one.command):
        yield ""
        yield f"## {command}"
        yield ""
        yield from markdown_table([*heads, "held"], [one.cells for one in several])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--items", type=int, nargs="+", default=list(ITEMS))
    add("--limit", type=float, default=20.0)
    add("--only", type=re.compile, default=re.compile(""), metavar="PATTERN")
    add("--folder", type=Path, default=Path("build/growth"))
    add("--out", type=Path, default=OUT)
    chosen: Any = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    path = chosen.folder / "runs.jsonl"
    runs = kept(path)

    def made(name: str, words: Sequence[str], n: int) -> Run:
        one = run(name, words, n, chosen.limit, chosen.folder)
        print(name, *one.cells, flush=True)
        return asdict(one)

    asked = (
        (
            {"command": name, "items": n, "limit": chosen.limit},
            partial(made, name, words, n),
        )
        for n in chosen.items
        for name, words in commands(n, chosen.folder, chosen.only)
    )
    carry_on(path, runs, asked)
    page, grown = chosen.out / "growth.md", [Grown(**one) for one in runs]
    page.write_text("\n".join(report(grown)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
