"""Constants: what a number that somebody chose does to runs, halved and doubled.

A constant is a number, or a tuple of them, that a module of the solvers gives a name of
capitals. Mathematics and limits of types are no choice: 0, 1, -1, and from 2**31 on
what is next to a power of two. A command::

    python -m scripts.benchmarks.constants [SPEC ...] [--library N] [--fresh N]
        [--every N] [--time-limit S] [--instances N] [--seconds S] [--seed S]
        [--only PATTERN] [--runs FILE] [--markdown PAGE]

runs the instances of `scripts.benchmarks.credits` once and notes which functions run,
so which constants are read. Each of these is halved and doubled, on so many instances
that read it: in a process of its own, one worker, which loads the module that has it,
and what imports that, again. Seconds are those of the process. What differs from three
runs with nothing changed is run again, and counts if it differs once more.
An interrupted command goes on with its file. The page is made from the file.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import groupby, zip_longest
from math import inf, isinf
from operator import attrgetter
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import fmean
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from atleastk import Instance
from atleastk import __file__ as package
from atleastk.research.tables.markdown import markdown_table
from scripts.benchmarks.credits import instances_of
from scripts.benchmarks.measured import OUT, answered, kept, software
from scripts.benchmarks.side_by_side import is_proof

HOUSE: Final = Path(package).parent
WAYS: Final = {"half": False, "double": True}
BASE: Final = 3
PATIENCE: Final = 120.0
"""Seconds of the wall after which a run counts as failed."""

ENDS: Final = {"proofs": (0, 0), "cost": (5e-4, 0), "bound": (5e-4, 0)} | {
    "seconds": (0.05, 0.02)
}
"""What a run may differ in: by a share, and by an amount, at least."""

NOTE: Final = """\
Each was tried on few of them, hard proofs first. So *without effect* is said of these
alone: limits of size, and what steers searches that stay open, matter to longer runs.
Names are those of these sources: some such numbers stand where they are used since."""

FLOORS: Final = ("instances", "models", "arrays", "packages")
"""Modules below the solvers, which no constant changes."""

ARITHMETIC: Final = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple)
MARKS: Final = (ast.operator, ast.unaryop, ast.expr_context)
IMPORT: Final = re.compile(r"^from (\S+) import (?:\(([^)]*)\)|(.*))", re.MULTILINE)
"""Imports of the house: absolute, on top."""

Number = int | float | tuple[Any, ...]
Run = Mapping[str, Any]
"""Status, cost, bound and seconds of a run."""


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
        for name, node in assigned(ast.parse(path.read_text())):
            assert node.value is not None
            value = eval(compile(ast.Expression(node.value), "", "eval"))
            if is_choice(value):
                yield Constant(named(path), name, value)


def named(path: Path) -> str:
    """Return the name of the module of a file."""
    return ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts)


@cache
def imports() -> Mapping[str, set[str]]:
    """Return which modules of the package import a module, or a name of one."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in HOUSE.rglob("*.py"):
        for module, listed, plain in IMPORT.findall(path.read_text()):
            found[module].add(named(path))
            for name in re.findall(r"\w+", listed or plain):
                found[f"{module}.{name}"].add(named(path))
    return found


def importers(module: str) -> set[str]:
    """Return a module and all that import it, by one another."""
    found, new = {module}, [module]
    while new:
        more = imports().get(new.pop(), set()) - found
        found |= more
        new.extend(more)
    return found


class Changed(SourceFileLoader):
    """Loads a module with other values of its constants, once it is forgotten."""

    def __init__(self, module: str, values: Mapping[str, Number]) -> None:
        path = (HOUSE.parent / module.replace(".", "/")).with_suffix(".py")
        super().__init__(module, str(path))
        self._values = values

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Find the module, as a finder on ``sys.meta_path``."""
        mine = name == self.name
        return spec_from_file_location(name, self.path, loader=self) if mine else None

    def get_code(self, _name: str) -> CodeType:
        """Compile the source with the other values."""
        tree = ast.parse(self.get_data(self.path))
        for name, node in assigned(tree):
            if name in self._values:
                value = repr(self._values[name])
                node.value = ast.parse(value, mode="eval").body
        return compile(ast.fix_missing_locations(tree), self.path, "exec")

    def begin(self) -> None:
        """Let what the change concerns be imported again; keep no compiled loop."""
        caching: Any = import_module("numba.core.caching")
        caching.FunctionCache.save_overload = lambda *_: None
        stale = importers(self.name)
        for name in [name for name in sys.modules if name.startswith("atleastk.")]:
            floor = name.split(".")[1]
            stays = floor == "solvers" and not name.endswith(".problem")
            if name in stale or not (stays or floor in FLOORS):
                parent, _, last = name.rpartition(".")
                vars(sys.modules[parent]).pop(last, None)
                stale.add(name)
        for name in stale:
            sys.modules.pop(name, None)
        sys.meta_path.insert(0, self)


def solved(instance: Instance, limit: float, change: Changed | None = None) -> Run:
    """Run the automatic choice on one worker, in seconds of the process.

    Once more, if loops had to be compiled: not all that this takes stops the clock.
    """
    if change is not None:
        change.begin()
    places = ("runs.ask", "runs.solving", "solvers.clock", "solvers.compiled.compile")
    ask, solving, clock, loops = (import_module(f"atleastk.{e}") for e in places)
    clock.CLOCK.source = time.process_time
    compiled, started = loops.loops_compiled(), clock.CLOCK.now()
    result = solving.solve_within(instance, ask.Ask.of(limit, 1)).result
    seconds = clock.CLOCK.now() - started
    if loops.loops_compiled() > compiled:
        return solved(instance, limit)
    ends = {"cost": result.cost, "bound": result.bound, "seconds": round(seconds, 4)}
    return {"status": result.status.name, **ends}


def reading(instance: Instance, limit: float) -> tuple[Run, list[str]]:
    """Run once; return also the places of the constants that it may read."""
    codes: dict[int, CodeType] = {}
    loops: dict[int, Any] = {}
    calling = import_module("atleastk.solvers.compiled.compile")._Compiled.__call__

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            codes[id(frame.f_code)] = frame.f_code
            if frame.f_code is calling.__code__:
                loops[id(frame.f_locals["self"])] = frame.f_locals["self"]

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        run = solved(instance, limit)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    ran = [code for code in codes.values() if code.co_name != "<module>"]
    used = {(code.co_filename, name) for code in ran for name in code.co_names}
    used.update(names_of_loops([*loops.values()]))
    files, places = {file for file, _ in used}, []
    for each in constants():
        users = {each.module, *imports().get(f"{each.module}.{each.name}", ())}
        own = {str(sys.modules[user].__file__) for user in users & sys.modules.keys()}
        at_once = not any(each.name in looked_up(file) for file in own)
        if any((file, each.name) in used or at_once for file in own & files):
            places.append(each.place)
    return run, places


def names(code: CodeType) -> Iterator[str]:
    """Yield the names that a code and those inside it look up."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from names(inner)


@cache
def looked_up(file: str) -> set[str]:
    """Return what functions look up; other names are read when a file is loaded."""
    whole = compile(Path(file).read_text(), file, "exec")
    inner = (each for each in whole.co_consts if isinstance(each, CodeType))
    return {name for code in inner for name in names(code)}


def names_of_loops(loops: list[Any]) -> Iterator[tuple[str, str]]:
    """Yield files and names that compiled loops look up, and all that they call."""
    known = set[int]()
    while loops:
        loop = loops.pop()
        function = getattr(loop, "_function", loop)
        if isinstance(function, FunctionType) and id(function) not in known:
            known.add(id(function))
            for name in names(function.__code__):
                yield function.__code__.co_filename, name
                loops.append(function.__globals__.get(name))


class Trials:
    """The file of runs: instances and what they read, runs as it is, and trials."""

    def __init__(self, path: Path, limit: float) -> None:
        self._path, self.limit = path, limit
        self.instances: dict[str, Mapping[str, Any]] = {}
        self.runs: dict[tuple[str, str, str], list[Run | None]] = defaultdict(list)
        self._drawn: dict[str, Instance] = {}
        self._warm: set[str] = set()
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
        with self._path.open("a") as file:
            print(json.dumps(line), file=file)

    def read(self, instance: Instance) -> None:
        """Note what an instance reads, unless it is known."""
        own = instance.sha256
        self._drawn[own] = instance
        if own not in self.instances:
            self._warm.add(own)
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

    def _run(self, own: str, change: Changed | None = None) -> Run | None:
        """Run an instance in a process of its own; None if it fails."""
        if own not in self._warm:  # what it needs is loaded once, not in every process
            self._warm.add(own)
            solved(self._drawn[own], self.limit)
        work = partial(solved, self._drawn[own], self.limit, change)
        return answered(PATIENCE, work)

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
            self._keep(instance=own, run=self._run(own))
        module = next(iter(new)).module
        change = Changed(module, {each.name: value for each, value in new.items()})
        runs = [self._run(own, change)]
        if any(self.changes(own, runs)):
            if len(new) > 1:
                return True
            self._keep(instance=own, run=self._run(own, Changed(module, {})))
            runs.append(self._run(own, change))
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
        for end in ENDS if ended else ():
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
    yield from (
        "one worker, by `python -m scripts.benchmarks.constants`.",
        "",
        NOTE,
        "",
    )
    yield from (software(), "")
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
    for name, default in (("library", 0), ("fresh", 4), ("every", 24), ("seed", 1_000)):
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N")
    parser.add_argument("--time-limit", type=float, default=0.4)
    parser.add_argument("--instances", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3_600.0)
    parser.add_argument("--only", default="", metavar="PATTERN")
    parser.add_argument("--runs", type=Path, default=Path("constants.jsonl"))
    parser.add_argument("--markdown", type=Path, default=OUT / "constants.md")
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
