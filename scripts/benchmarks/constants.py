"""Constants: what a number that somebody chose does to runs, halved and doubled.

A constant is a number, or a tuple of them, that a module of the solvers gives a name of
capitals. Mathematics and limits of types are no choice: 0, 1, -1, and from 2**31 on
what is next to a power of two. A command::

    python -m scripts.benchmarks.constants [SPEC ...] [--library N] [--fresh N]
        [--every N] [--time-limit S] [--instances N] [--seconds S] [--seed S]
        [--only PATTERN] [--runs FILE] [--markdown PAGE]

runs the instances of `scripts.benchmarks.credits` once and notes which functions run,
so which constants are read. Each of these is halved and doubled in sources of its own,
which answer, as in `scripts.benchmarks.side_by_side`, to so many instances that read
it: the second time counts, when all loops are compiled. What differs from three runs
with nothing changed is run again, and counts if it differs once more.
An interrupted command goes on with its file. The page is made from the file.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby, zip_longest
from math import inf, isinf
from operator import attrgetter
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import fmean
from tempfile import TemporaryDirectory
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from atleastk import Instance, solve
from atleastk import __file__ as package
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled import compile as loops
from scripts.benchmarks.credits import instances_of
from scripts.benchmarks.measured import OUT, Run, answered, keep, kept, software
from scripts.benchmarks.side_by_side import Tree, is_proof

HOUSE: Final = Path(package).parent
WAYS: Final = {"half": False, "double": True}
BASE: Final = 3
PATIENCE: Final = 120.0
"""Seconds after which a run counts as failed."""

ENDS: Final = {"proofs": (0, 0), "cost": (5e-4, 0), "bound": (5e-4, 0)} | {
    "seconds": (0.05, 0.02)
}
"""What a run may differ in: by a share, and by an amount, at least."""

NOTE: Final = """\
Each was tried on few of them, hard proofs first. So *without effect* is said of these
alone: limits of size, and what steers searches that stay open, matter to longer runs.
Names are those of these sources: some such numbers stand where they are used since."""

ARITHMETIC: Final = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple)
MARKS: Final = (ast.operator, ast.unaryop, ast.expr_context)

Number = int | float | tuple[Any, ...]


@dataclass(frozen=True)
class Constant:
    """A number with a name, and the module that has it."""

    module: str
    name: str
    value: Number

    @property
    def place(self) -> str:
        """Its module and name, below the solvers."""
        return f"{self.module.removeprefix('atleastk.solvers.')}.{self.name}"

    @property
    def folder(self) -> str:
        """The folder of the solvers, or the file among them, that it stands in."""
        return self.place.partition(".")[0]


def moved(value: Number, *, double: bool) -> Number:
    """Halve or double a number, or all of a tuple.

    From 1/2 to 2 it is the distance to 1 that is halved or doubled, as for a share or a
    factor of growth.
    """
    if isinstance(value, tuple):
        return tuple(moved(each, double=double) for each in value)
    if isinstance(value, int):
        return value * 2 if double else value // 2 or value
    if 0.5 < value < 2 and value != 1:
        return 1 + (value - 1) * (0.5 if double == (value < 1) else 2)
    return value * 2 if double else value / 2


def is_choice(value: object) -> bool:
    """Tell whether a value is a number that could be another one as well."""
    if isinstance(value, tuple):
        return any(map(is_choice, value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    near = range(int(abs(value)) - 1, int(abs(value)) + 2)
    limit = abs(value) >= 2**31 and any(each & (each - 1) == 0 for each in near)
    return value not in {-1, 0, 1} and not limit


def assigned(tree: ast.Module) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """Yield the names of capitals to which a module gives numbers."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            plain = (isinstance(e, ARITHMETIC + MARKS) for e in ast.walk(node.value))
            if isinstance(target, ast.Name) and target.id.isupper() and all(plain):
                yield target.id, node


def constants() -> Iterator[Constant]:
    """Yield all constants of the solvers, by module."""
    for path in sorted((HOUSE / "solvers").rglob("*.py")):
        module = ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts)
        for name, node in assigned(ast.parse(path.read_text())):
            assert node.value is not None
            value = eval(compile(ast.Expression(node.value), "", "eval"))
            if is_choice(value):
                yield Constant(module, name, value)


def changed(folder: Path, new: Mapping[Constant, Number]) -> Path:
    """Link a folder to the sources; the constants of a module get other values."""
    module, house = next(iter(new)).module, HOUSE.parent
    for part in module.split("."):
        for each in house.iterdir() if house != HOUSE.parent else ():
            if each.name not in {part, f"{part}.py"}:
                (folder / each.name).symlink_to(each)
        house, folder = house / part, folder / part
        if house.is_dir():
            folder.mkdir()
    tree = ast.parse(house.with_suffix(".py").read_text())
    values = {each.name: value for each, value in new.items()}
    for name, node in assigned(tree):
        if name in values:
            node.value = ast.parse(repr(values[name]), mode="eval").body
    folder.with_suffix(".py").write_text(ast.unparse(tree))
    return folder.parents[module.count(".")]


def solved(instance: Instance, limit: float, new: Mapping[Constant, Number]) -> Run:
    """Run the automatic choice on one worker, in sources with other values."""
    with TemporaryDirectory() as folder:
        sources = changed(Path(folder), new) if new else HOUSE.parent
        with Tree(sources, limit, 1) as tree:
            tree.answer(instance)
            return tree.answer(instance)


def reading(instance: Instance, limit: float) -> tuple[Run, list[str]]:
    """Run once; return also the places of the constants that it may read."""
    ran: dict[int, tuple[CodeType, Mapping[str, Any]]] = {}
    called: dict[int, Any] = {}
    calling = loops._Compiled.__call__.__code__

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            ran[id(frame.f_code)] = frame.f_code, frame.f_globals
            if frame.f_code is calling:
                called[id(frame.f_locals["self"])] = frame.f_locals["self"]

    CLOCK.source = time.process_time
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        result = solve(instance, limit, workers=1)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    known = set[Any]()
    while called:  # what a compiled loop calls is compiled into it
        loop = called.popitem()[1]
        loop = getattr(loop, "_function", loop)
        if isinstance(loop, FunctionType) and loop not in known:
            known.add(loop)
            ran[id(loop.__code__)] = loop.__code__, loop.__globals__
            names = loop.__globals__.keys() & loop.__code__.co_names
            called |= {id(e): e for e in map(loop.__globals__.get, names)}
    inner = [own for own in ran.values() if own[0].co_name != "<module>"]
    files = {code.co_filename for code, _ in inner}
    used = {(e, repr(own.get(e))) for code, own in inner for e in code.co_names}
    ends = {end: getattr(result, end) for end in ("cost", "bound", "seconds")}
    places = []
    for each in constants():
        file = str(HOUSE.parent.joinpath(*each.module.split("."))) + ".py"
        at_once = file in files and each.name not in looked_up(file)
        if at_once or (each.name, repr(each.value)) in used:
            places.append(each.place)
    return {"status": result.status.name, **ends}, places


@cache
def looked_up(file: str) -> set[str]:
    """Return what functions look up; other names are read when a file is loaded."""
    whole = compile(Path(file).read_text(), file, "exec")
    codes = [each for each in whole.co_consts if isinstance(each, CodeType)]
    for code in codes:  # and those inside
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
    return {name for code in codes for name in code.co_names}


class Trials:
    """The file of runs: instances and what they read, runs as it is, and trials."""

    def __init__(self, path: Path, limit: float) -> None:
        self._path, self.limit = path, limit
        self.instances: dict[str, Mapping[str, Any]] = {}
        self.runs: dict[tuple[str, str, str], list[Run | None]] = defaultdict(list)
        self._drawn: dict[str, Instance] = {}
        for line in kept(path):
            self._note(line)

    def _note(self, line: Mapping[str, Any]) -> None:
        if "reads" in line:
            self.instances[line["instance"]] = line
        else:
            key = line["instance"], line.get("place", ""), line.get("way", "")
            self.runs[key].append(line["run"])

    def _keep(self, **line: Any) -> None:
        self._note(line)
        keep(self._path, line)

    def read(self, instance: Instance) -> None:
        """Note what an instance reads, unless it is known."""
        own = instance.sha256
        self._drawn[own] = instance
        if own not in self.instances:
            run, reads = reading(instance, 2 * self.limit)
            self._keep(instance=own, problem=instance.problem, run=run, reads=reads)

    def _readers(self, place: str) -> list[str]:
        """Return those that read a constant, hard proofs first, problems in turns."""
        groups: dict[tuple[bool, str], list[str]] = defaultdict(list)
        harder = sorted(self.instances.items(), key=lambda e: -e[1]["run"]["seconds"])
        for own, line in harder:
            if own in self._drawn and place in line["reads"]:
                groups[not is_proof(line["run"]), line["problem"]].append(own)
        turns = zip_longest(*(groups[key] for key in sorted(groups)))
        return [own for turn in turns for own in turn if own]

    def _run(self, own: str, new: Mapping[Constant, Number]) -> Run | None:
        """Run an instance with other values; None if it fails."""
        work = partial(solved, self._drawn[own], self.limit, new)
        return answered(PATIENCE, work, PATIENCE)

    def attempt(self, module: Sequence[Constant], instances: int) -> None:
        """Halve and double the constants of a module, each on so many instances.

        First all at once: where that changes nothing, none of them does.
        """
        for way, double in WAYS.items():
            trials: dict[str, dict[Constant, Number]] = defaultdict(dict)
            for each in module:
                value = moved(each.value, double=double)
                for own in self._readers(each.place)[:instances]:
                    if value != each.value and not self.runs[own, each.place, way]:
                        trials[own][each] = value
            for own, new in trials.items():
                if len(new) == 1 or self._move(own, way, new):
                    for each, value in new.items():
                        self._move(own, way, {each: value})

    def _move(self, own: str, way: str, new: Mapping[Constant, Number]) -> bool:
        """Run an instance with other values, twice where that differs, and keep it.

        Return whether several change something, which are not kept: each of them may.
        """
        while len(self.runs[own, "", ""]) < BASE:
            self._keep(instance=own, run=self._run(own, {}))
        runs = [self._run(own, new)]
        if any(self.changes(own, runs)):
            if len(new) > 1:
                return True
            self._keep(instance=own, run=self._run(own, {}))
            runs.append(self._run(own, new))
        for each in new:
            for run in runs:
                self._keep(instance=own, place=each.place, way=way, run=run)
        return False

    def changes(self, own: str, runs: Sequence[Run | None]) -> Iterator[str]:
        """Yield the ends that all of some runs have changed, and by how much."""
        bases = [run for run in self.runs[own, "", ""] if run is not None]
        ended = [run for run in runs if run is not None]
        if not ended:
            yield "fails"
        for end in ENDS if ended and bases else ():
            moves = [move(end, run, bases) for run in ended]
            if min(moves) > 0 or max(moves) < 0:
                yield f"{end} {fmean(moves):+.2%}"


def level(end: str, run: Run) -> float:
    """Return how far a run has come in an end."""
    if end == "proofs":
        return is_proof(run)
    if end == "seconds":
        return float(run[end]) if is_proof(run) else inf
    missing = inf if end == "cost" else -inf
    return missing if run[end] is None else run[end]


def move(end: str, run: Run, bases: Sequence[Run]) -> float:
    """Return by which share a run has moved an end; 0 within what bases have."""
    known, new = [level(end, base) for base in bases], level(end, run)
    beyond = max(min(known) - new, new - max(known)) if new not in known else 0
    if isinf(new) or any(map(isinf, known)) or end == "proofs":
        return 0.0 if beyond <= 0 or end == "seconds" else 1 - 2.0 * (new < min(known))
    middle = fmean(known)
    share, least = ENDS[end]
    if beyond <= max(share * abs(middle), least):
        return 0.0
    return (new - middle) / max(1e-9, abs(middle))


def page_lines(trials: Trials) -> Iterator[str]:
    """Yield the page: a table of folders, and for each what has an effect."""
    known = {place for line in trials.instances.values() for place in line["reads"]}
    effects: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (own, place, way), runs in trials.runs.items():
        if place and runs:
            effects[place][way] += [", ".join(trials.changes(own, runs))]
    yield from ("# Constants: what halving and doubling them does", "")
    yield f"{len(trials.instances)} instances, {trials.limit:g} s of processor time,"
    yield "one worker, by `python -m scripts.benchmarks.constants`."
    yield from ("", NOTE, "", software(), "")
    rows, parts = list[tuple[object, ...]](), list[str]()
    for folder, group in groupby(constants(), attrgetter("folder")):
        whole, lines, idle = [*group], [], []
        for each in whole:
            told = ["; ".join(filter(None, effects[each.place][way])) for way in WAYS]
            if any(told):
                lines.append((f"{each.place} = {each.value}", *told))
            elif all(effects[each.place][way] for way in WAYS):
                idle.append(each.place)
        read = sum(each.place in known for each in whole)
        rows.append((folder, len(whole), read, len(lines) + len(idle), len(idle)))
        parts += ["", f"## {folder}", ""]
        parts += [*markdown_table(("constant", *WAYS), lines), ""] if lines else ()
        parts += [f"Without effect: {', '.join(idle) or 'none'}."]
    rows.append(("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    columns = ("folder", "constants>", "read>", "tried>", "without effect>")
    yield from [*markdown_table(columns, rows), *parts]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="*", type=Path, metavar="SPEC")
    defaults: dict[str, Any] = {"library": 0, "fresh": 4, "every": 24, "seed": 1_000}
    defaults |= {"time-limit": 0.4, "instances": 3, "seconds": 3_600.0, "only": ""}
    defaults |= {"runs": Path("constants.jsonl"), "markdown": OUT / "constants.md"}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    chosen = parser.parse_args(arguments)
    trials = Trials(chosen.runs, chosen.time_limit)
    for instance in instances_of(chosen):
        trials.read(instance)
    modules = [[*own] for _, own in groupby(constants(), attrgetter("module"))]
    Random(chosen.seed).shuffle(modules)  # so what a short command tried is a sample
    for instances in range(1, chosen.instances + 1):
        for module in modules:
            spent = time.process_time() + getrusage(RUSAGE_CHILDREN).ru_utime
            if spent < chosen.seconds:
                own = [each for each in module if re.search(chosen.only, each.place)]
                trials.attempt(own, instances)
    chosen.markdown.write_text("\n".join(page_lines(trials)) + "\n")


if __name__ == "__main__":
    main()
