"""Constants: what a number that somebody chose does to runs, halved and doubled.

A constant is a number, or a tuple of them, that a module of the solvers gives a name of
capitals. Mathematics and limits of types are no choice: 0, 1, -1, and from 2**31 on
what is next to a power of two. `kind` tells by the text and the uses of a constant
whether it tunes a search. A command::

    python -m scripts.benchmarks.constants [SPEC ...] [--library N] [--fresh N]
        [--every N] [--time-limit S] [--instances N] [--seconds S] [--seed S]
        [--only PATTERN] [--runs FILE] [--markdown PAGE] [--list]

runs the instances of `scripts.benchmarks.credits` once and traces which lines run, so
which constants are reached. Each that tunes is halved and doubled in a forked process
that has solved the instance before, so that all loops are compiled: the module gets
another attribute there. Where a number is bound when a module is loaded, or frozen into
a compiled loop, the process loads the solvers anew, with the number changed in their
sources. What differs from three runs with nothing changed is run again, and counts if
it differs once more. An interrupted command goes on with its file. The page is made
from the file; ``--list`` prints the constants by kind instead.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.machinery import SourceFileLoader
from itertools import groupby, pairwise, zip_longest
from math import inf, isinf
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from statistics import fmean
from types import CodeType, FrameType, FunctionType
from typing import Any, Final
from zlib import crc32

from atleastk import Instance
from atleastk import __file__ as package
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.compiled import compile as loops
from scripts.benchmarks.credits import instances_of
from scripts.benchmarks.measured import OUT, Run, answered, keep, kept, software
from scripts.benchmarks.side_by_side import is_proof

HOUSE: Final = Path(package).parent
WAYS: Final = {"half": False, "double": True}
BASE: Final = 3
PATIENCE: Final = 90.0
"""Seconds after which a run counts as failed, and that it may wait for its loops."""

ENDS: Final = {"proofs": (0, 0), "cost": (5e-4, 0), "bound": (5e-4, 0)} | {
    "seconds": (0.3, 0.05)
}
"""What a run may differ in: by a share, and by an amount, at least."""

NOTE: Final = """\
Each was tried on few of them, hard proofs first. So *without effect* is said of these
alone: limits of size, and what steers searches that stay open, matter to longer runs.
A constant is *reached* if a line that reads it ran; one that is bound when its module
is loaded, or frozen into a loop, if a function of its file or the loop ran. Of those
that were tried some have gone since, or are said by another: *left now* counts what is
still a number that tunes."""

ARITHMETIC: Final = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.Tuple)
MARKS: Final = (ast.operator, ast.unaryop, ast.expr_context)

KINDS: Final = {
    "tuning": "the rest: what steers a search, and chooses between two ways",
    "paper": "of a paper's algorithm, or of a judge of tiny instances",
    "cap": "what a method refuses, or a bound that is told in bytes or seconds",
    "page": "what is done between two looks at the clock; the size of an array",
    "precision": "a tolerance of sums of doubles, or a scale of whole numbers",
    "mark": "stands for a state, not for an amount",
}
"""The kinds of constants, as the page tells them."""

CAP: Final = re.compile(
    "MOST|GREATEST|LARGEST|WIDEST|ROOM|MEMORY|EFFORT|STEPS|WORK|A_SECOND|SECONDS_PER"
)
BOUNDED: Final = re.compile(r"byte|memory|[MG]i?B\b|second|minute| fit| bits\b")
PRECISE: Final = re.compile(r"SCALE|DIGITS|BITS|UNIT|FINEST|WORDS")
PAGED: Final = re.compile(
    r"(computed|halved|looked up|listed|found) at a time|[Bb]etween (two|looks)"
)
MARKED: Final = re.compile(
    r"\bbit of|tates? of (a )?node|never reached|no bound|odd number|golden"
    r"|[Ss]tands for|[Ii]n place of|all the time|Above every|no term yet"
)

Number = int | float | tuple[Any, ...]


@dataclass(frozen=True)
class Constant:
    """A number with a name, the module that has it, and what that says of it."""

    module: str
    name: str
    value: Number
    text: str

    @property
    def place(self) -> str:
        """Its module and name, below the solvers."""
        return f"{self.module.removeprefix('atleastk.solvers.')}.{self.name}"

    @property
    def folder(self) -> str:
        """The folder of the solvers, or the file among them, that it stands in."""
        return self.place.partition(".")[0]

    @property
    def file(self) -> str:
        return str(HOUSE.parent.joinpath(*self.module.split("."))) + ".py"

    @property
    def is_bound(self) -> bool:
        """Whether a value is taken when a module is loaded, or a loop compiled."""
        return any(owner(use) is None or is_loop(owner(use)) for use in uses(self))


def moved(value: Number, *, double: bool) -> Number:
    """Halve or double a number, or all of a tuple.

    From 1/2 to 2 it is the distance to 1 that is halved or doubled, as for a share or a
    factor of growth.
    """
    if isinstance(value, tuple):
        return tuple(moved(each, double=double) for each in value)
    if not is_choice(value):
        return value
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


@cache
def parsed(file: str) -> ast.Module:
    """Return the tree of a file, in which every node knows what it is part of."""
    tree = ast.parse(Path(file).read_text())
    for node in ast.walk(tree):
        for part in ast.iter_child_nodes(node):
            part.above = node  # type: ignore[attr-defined]
    tree.path = file  # type: ignore[attr-defined]
    return tree


def text_below(body: Sequence[ast.stmt], node: ast.stmt) -> str:
    """Return the string that follows an assignment, and others right below it."""
    for last, each in pairwise(body):
        if last.lineno >= node.lineno:
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                return str(each.value.value)
            if last.end_lineno is None or each.lineno > last.end_lineno + 1:
                break
    return ""


@cache
def constants() -> tuple[Constant, ...]:
    """Return all constants of the solvers, by module."""
    found = []
    for path in sorted((HOUSE / "solvers").rglob("*.py")):
        module = ".".join(path.relative_to(HOUSE.parent).with_suffix("").parts)
        tree = parsed(str(path))
        for name, node in assigned(tree):
            assert node.value is not None
            value = eval(compile(ast.Expression(node.value), "", "eval"))
            if is_choice(value):
                found.append(Constant(module, name, value, text_below(tree.body, node)))
    return tuple(found)


@cache
def mentions() -> Mapping[str, list[tuple[str, ast.Name]]]:
    """Return where solvers read names of capitals: files and nodes."""
    found = defaultdict(list)
    for path in (HOUSE / "solvers").rglob("*.py"):
        for node in ast.walk(parsed(str(path))):
            match node:
                case ast.Name(id=name, ctx=ast.Load()) if name.isupper():
                    found[name].append((str(path), node))
    return found


def uses(constant: Constant) -> list[ast.Name]:
    """Return where a constant is read, in its file and in those that import it."""
    found = mentions()[constant.name]
    return [node for file, node in found if holds(file, constant)]


@cache
def holds(file: str, constant: Constant) -> bool:
    """Tell whether a name of a file is this constant."""
    imports = (
        node.module == constant.module
        and any(e.name == constant.name for e in node.names)
        for node in parsed(file).body
        if isinstance(node, ast.ImportFrom)
    )
    return file == constant.file or any(imports)


def around(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a node is part of, from the inside."""
    while (node := getattr(node, "above", None)) is not None:  # type: ignore[assignment]
        yield node


def refuses(use: ast.Name) -> bool:
    """Tell whether a constant is read to say no: in an error, or the reason for one."""
    for part, node in zip((use, *around(use)), around(use), strict=False):
        if isinstance(node, ast.Raise | ast.JoinedStr):
            return True
        if isinstance(node, ast.If) and part is node.test:
            return isinstance(node.body[0], ast.Raise) or "f'" in ast.unparse(
                node.body[0]
            )
        if isinstance(node, ast.Call):
            names = {e.id for e in ast.walk(node) if isinstance(e, ast.Name)}
            if any(re.search(r"^at_most$|refuse", name) for name in names):
                return True
        if isinstance(node, ast.FunctionDef):
            told = ast.unparse(node.returns) if node.returns else ""
            return told == "str | None"
    return False


def bounds_memory(use: ast.Name) -> bool:
    """Tell whether the statement that reads a constant asks for memory as well."""
    line = next(node for node in around(use) if isinstance(node, ast.stmt))
    names = {e.attr for e in ast.walk(line) if isinstance(e, ast.Attribute)}
    return not isinstance(line, ast.FunctionDef | ast.ClassDef) and "memory" in names


def pages(use: ast.Name) -> bool:
    """Tell whether a constant is a step, a period, the size of a slice or an array."""
    for part, node in zip((use, *around(use)), around(use), strict=False):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in {"range", "split"}:
                return part is node.args[-1] and len(node.args) == 3
            return bool(re.match(r"np\.(empty|zeros|ones|full)$", called))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return isinstance(node.above, ast.Compare)  # type: ignore[attr-defined]
        if isinstance(node, ast.Slice):
            lower = node.lower and ast.unparse(node.lower)
            return lower is not None and f"{lower} + " in ast.unparse(node)
        if not isinstance(node, ast.expr):
            return False
    return False


def kind(constant: Constant) -> str:
    """Tell what a constant is for, by what its module says and does."""
    own, name, text = uses(constant), constant.name, constant.text
    value = constant.value
    numbers = value if isinstance(value, tuple) else (value,)
    parts = {*constant.module.split(".")}
    exact = all(isinstance(e, float) and min(e, abs(1 - e)) <= 1e-5 for e in numbers)
    whole = all(isinstance(e, int) for e in numbers)
    if {"algorithms", "brute_force"} & parts:
        return "paper"
    if all(map(pages, own)) or PAGED.search(text):
        return "page"
    if all(map(refuses, own)) or all(map(bounds_memory, own)) or "BYTES" in name:
        return "cap"
    if CAP.search(name) and ("methods" in parts or BOUNDED.search(text)):
        begins = re.search("EFFORT|STEPS", name) and "first" in text
        return "tuning" if begins else "cap"
    if (exact and "econds" not in text) or (whole and PRECISE.search(name)):
        return "precision"
    if MARKED.search(text) or (whole and min(numbers) < 0):
        return "mark"
    return "tuning"


def owner(use: ast.AST) -> ast.FunctionDef | ast.Lambda | None:
    """Return the function in whose body something is read; None when it is loaded."""
    inside = use
    for node in around(use):
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef) and inside in node.body:
            return node
        if isinstance(node, ast.Lambda) and inside is body:
            return node
        inside = node
    return None


def is_loop(function: ast.AST | None) -> bool:
    """Tell whether a function becomes machine code."""
    marks = {ast.unparse(mark) for mark in getattr(function, "decorator_list", ())}
    return bool(marks & {"compiled", "inlined"})


def file_of(node: ast.AST) -> str:
    """Return the file that a node is of."""
    return str(list(around(node))[-1].path)  # type: ignore[attr-defined]


def changed(new: Mapping[Constant, Number]) -> None:
    """Give constants other values in this process, which then loads what has them."""
    if not any(each.is_bound for each in new):
        for each, value in new.items():
            for file in {file_of(use) for use in uses(each)}:
                path = Path(file).relative_to(HOUSE.parent).with_suffix("")
                setattr(import_module(".".join(path.parts)), each.name, value)
        return
    values: dict[str, dict[str, Number]] = defaultdict(dict)
    for each, value in new.items():
        values[each.module][each.name] = value
    plain = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, module: str) -> CodeType | None:
        if module not in values:
            return plain(loader, module)
        tree = ast.parse(Path(loader.path).read_text())
        for name, node in assigned(tree):
            if name in values[module]:
                node.value = ast.parse(repr(values[module][name]), mode="eval").body
        return compile(ast.fix_missing_locations(tree), loader.path, "exec")

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    for module in [*sys.modules]:
        if module.split(".")[0] == "atleastk":
            del sys.modules[module]


def solved(instance: Instance, limit: float, new: Mapping[Constant, Number]) -> Run:
    """Run the automatic choice on one worker, in this process with other values."""
    changed(new)
    atleastk = import_module("atleastk")
    clock = import_module("atleastk.solvers.clock").CLOCK
    anew = any(each.is_bound for each in new)
    if anew:  # first it compiles its loops, for which a run would not wait
        vars(import_module("atleastk.runs.watch"))["_PREPARING"] = PATIENCE
    given = atleastk.from_dict(instance.to_dict())
    usual, clock.source = clock.source, time.process_time
    for _ in range(1 + anew):
        started = clock.now()
        result = atleastk.solve(given, limit, workers=1)
        seconds = clock.now() - started
    clock.source = usual
    steps = crc32(repr([(event.cost, event.bound) for event in result.events]).encode())
    ends = {"cost": result.cost, "bound": result.bound}
    ends["seconds"] = None if anew else seconds  # what is loaded twice is slower
    return {"status": result.status.name, **ends, "steps": steps}


def traced(instance: Instance, limit: float) -> tuple[Run, list[str]]:
    """Run once; return also the places of the constants that it reaches."""
    wanted = {(file_of(use), use.lineno) for e in constants() for use in uses(e)}
    lines = defaultdict[str, set[int]](set)
    for file, line in wanted:
        lines[file].add(line)
    files, reached, called = set[str](), set[tuple[str, int]](), dict[int, Any]()
    calling = loops._Compiled.__call__.__code__

    def on_line(frame: FrameType, _event: str, _: object) -> Any:
        reached.add((frame.f_code.co_filename, frame.f_lineno))
        return on_line

    def on_call(frame: FrameType, _event: str, _: object) -> Any:
        code = frame.f_code
        files.add(code.co_filename)
        if code is calling:
            called[id(frame.f_locals["self"])] = frame.f_locals["self"]
        return on_line if lines_of(code) & lines[code.co_filename] else None

    usual = sys.gettrace()
    threading.settrace(on_call)
    sys.settrace(on_call)
    try:
        run = solved(instance, limit, {})
    finally:
        sys.settrace(usual)
        threading.settrace(usual)
    known = set[tuple[str, str]]()
    while called:  # what a compiled loop calls is compiled into it
        loop = called.popitem()[1]
        loop = getattr(loop, "_function", loop)
        if isinstance(loop, FunctionType):
            own = loop.__code__.co_filename, loop.__code__.co_name
            if own not in known:
                known.add(own)
                names = loop.__globals__.keys() & loop.__code__.co_names
                called |= {id(e): e for e in map(loop.__globals__.get, names)}

    def is_reached(use: ast.Name) -> bool:
        function, file = owner(use), file_of(use)
        if (file, use.lineno) in reached and function is not None:
            return True
        return (file, getattr(function, "name", "")) in known or (
            function is None and file in files
        )

    return run, [e.place for e in constants() if any(map(is_reached, uses(e)))]


@cache
def lines_of(code: CodeType) -> set[int]:
    """Return the lines of a function."""
    return {line for _, _, line in code.co_lines() if line is not None}


class Trials:
    """The file of runs: instances and what they read, runs as it is, and trials."""

    def __init__(self, path: Path, limit: float) -> None:
        self._path, self.limit = path, limit
        self.instances: dict[str, Mapping[str, Any]] = {}
        self.runs: dict[tuple[str, str, str], list[Run | None]] = defaultdict(list)
        self._drawn: dict[str, Instance] = {}
        self._warm = set[str]()
        self.were: dict[str, Sequence[Any]] = {}
        for line in kept(path):
            self._note(line)
        if not self.were:
            self._keep(were={e.place: (kind(e), e.value) for e in constants()})

    def _note(self, line: Mapping[str, Any]) -> None:
        if "were" in line:
            self.were = line["were"]
        elif "reads" in line:
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
            self._warm.add(own)
            solved(instance, self.limit, {})
            run, reads = traced(instance, 2 * self.limit)
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
        """Run an instance with other values in a fork; None if it fails."""
        if own not in self._warm:  # loads modules and loops, which forks then have
            self._warm.add(own)
            solved(self._drawn[own], self.limit, {})
        work = partial(solved, self._drawn[own], self.limit, new)
        return answered(PATIENCE, work, PATIENCE)

    def attempt(self, module: Sequence[Constant], instances: int) -> None:
        """Halve and double constants of a module, each on so many instances.

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
            if end == "seconds" and ended[0][end] is None:
                continue
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
    now = {each.place: kind(each) for each in constants()}
    kinds = Counter(kind for kind, _ in trials.were.values()), Counter(now.values())
    told = [(name, *(each[name] for each in kinds), KINDS[name]) for name in KINDS]
    told.append(("all", *map(Counter.total, kinds), ""))
    yield from markdown_table(("kind", "when tried>", "now>", "what it is"), told)
    rows, parts = list[tuple[Any, ...]](), [""]
    tuning = {each for each, (kind, _) in trials.were.items() if kind == "tuning"}
    for folder, group in groupby(sorted(tuning | {*now}), lambda e: e.split(".")[0]):
        places = [*group]
        whole = [each for each in places if each in tuning]
        left = sum(now.get(each) == "tuning" for each in places)
        lines, idle = list[tuple[str, ...]](), list[str]()
        for each in whole:
            does = ["; ".join(filter(None, effects[each][way])) for way in WAYS]
            if any(does):
                lines.append((f"{each} = {trials.were[each][1]}", *does))
            elif any(effects[each].values()):
                idle.append(each)
        away = [each for each in whole if each not in known]
        ends = len(whole) - len(away), len(lines) + len(idle), len(idle)
        if not whole and not left:
            continue
        rows.append((folder, len(whole), *ends, left))
        parts += [f"## {folder}", ""]
        parts += [*markdown_table(("constant", *WAYS), lines), ""] if lines else ()
        for text, some in (("Without effect", idle), ("Not reached", away)):
            some = [each for each in some if each in now]
            parts += [f"{text}: {', '.join(some)}.", ""] if some else ()
    rows.append(("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    columns = "folder", "tuning>", "reached>", "tried>", "without effect>", "left now>"
    yield from ["", *markdown_table(columns, rows), *parts[:-1]]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("studies", nargs="*", type=Path, metavar="SPEC")
    defaults: dict[str, Any] = {"library": 0, "fresh": 4, "every": 24, "seed": 1_000}
    defaults |= {"time-limit": 0.4, "instances": 3, "seconds": 3_600.0, "only": ""}
    defaults |= {"runs": Path("constants.jsonl"), "markdown": OUT / "constants.md"}
    for name, default in defaults.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    parser.add_argument("--list", action="store_true")
    chosen = parser.parse_args(arguments)
    if chosen.list:
        for each in sorted(constants(), key=kind):
            print(f"{kind(each)}: {each.place} = {each.value}")
        return
    trials = Trials(chosen.runs, chosen.time_limit)
    for instance in instances_of(chosen):
        trials.read(instance)
    asked = [e for e in constants() if kind(e) == "tuning"]
    asked = [e for e in asked if re.search(chosen.only, e.place)]
    asked.sort(key=lambda e: (e.module, e.is_bound))
    modules = [[*own] for _, own in groupby(asked, lambda e: (e.module, e.is_bound))]
    Random(chosen.seed).shuffle(modules)  # so what a short command tried is a sample
    for instances in range(1, chosen.instances + 1):
        for module in modules:
            spent = time.process_time() + getrusage(RUSAGE_CHILDREN).ru_utime
            if spent < chosen.seconds:
                trials.attempt(module, instances)
    chosen.markdown.write_text("\n".join(page_lines(trials)) + "\n")


if __name__ == "__main__":
    main()
