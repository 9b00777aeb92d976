"""The user's own algorithms, and how algorithms are found by name.

Any function from an instance to groups is an algorithm. :func:`algorithm` gives it a
problem and a promise. Studies and the command line name algorithms like this:

``spread``
    a shipped algorithm, or one that an installed package offers by an entry point of
    the group ``atleastk.algorithms``;
``mine.py:first_fit``, ``package.module:first_fit``
    a function of a file or of a module;
``cmd:./mine --quick``
    a program. It reads the JSON object of an instance from standard input and prints
    groups: as JSON, or as lines of item numbers, a line for each group.
"""

from __future__ import annotations

import json
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getsourcefile, signature
from pathlib import Path
from traceback import extract_tb
from types import FrameType, ModuleType
from typing import Any, Final, TypeVar

from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    InvalidResultError,
    NoAnswerError,
    NotApplicableError,
    UnknownNameError,
    placed,
)
from atleastk.instances.fields.visible import visible
from atleastk.instances.instance import Instance
from atleastk.models.completed import Claim, solution_of
from atleastk.models.results.guarantee import Guarantee, Times
from atleastk.models.results.solution import Solution
from atleastk.runs import registry
from atleastk.runs.own_programs import output_of
from atleastk.runs.own_sources import entry_sha256, source_sha256
from atleastk.solvers.backends.highs import Apart
from atleastk.solvers.method import Algorithm
from atleastk.solvers.problem import PLACES, Problem

F = TypeVar("F", bound=Callable[..., Claim])

Function = Callable[..., Claim]
"""From an instance, and maybe a keyword ``seed``, to groups."""

Which = str | Function | Algorithm[Any]
"""A name as above, a function, or an algorithm itself."""

ALL: Final = "all"
"""Stands for the names of all algorithms of a problem."""

Promise = Guarantee | int | float | Fraction | Callable[[Any], int | Fraction]
"""A guarantee, a ratio, or a function from an instance to a ratio."""

_GROUP: Final = "atleastk.algorithms"
_PROGRAM: Final = "cmd:"
_NAMELESS: Final = "<lambda>"
_MARK: Final = "atleastk_algorithm"
"""The attribute that :func:`algorithm` adds to a function: a `_Mark`."""

_ENDING: Final = (signal.SIGINT, signal.SIGTERM)
"""The signals whose handlers may raise what ends a process."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """The problem, name and guarantee of a function that is an algorithm."""

    problem: str
    name: str
    guarantee: Guarantee | None


def algorithm(
    problem: str, *, guarantee: Promise | None = None, name: str | None = None
) -> Callable[[F], F]:
    """Make a function an algorithm of a problem, maybe with a promise that is tested.

    Parameters
    ----------
    guarantee
        At most how many times the optimum it costs: a number, a function from an
        instance to one, or a `Guarantee`. Of r-gather it is a ratio of radii, whatever
        unit costs have.
    name
        By default that of the function, with hyphens.

    Examples
    --------
    >>> @atleastk.algorithm("bin-covering", guarantee=3)
    ... def one_bin(instance):
    ...     return [range(instance.n)]
    >>> atleastk.approximate(atleastk.BinCovering(sizes=[3, 4, 5], k=6), one_bin).cost
    12
    """
    known = registry.problem_named(problem).name

    def marked(function: F) -> F:
        called = name or function.__name__.replace("_", "-")
        setattr(function, _MARK, _Mark(known, called, _guarantee(guarantee)))
        return function

    return marked


def name_of(which: Which) -> str:
    """Return the name of an algorithm, without looking for it."""
    if isinstance(which, str):
        return which
    if isinstance(which, Algorithm):
        return which.name
    mark = getattr(which, _MARK, None)
    return mark.name if mark else getattr(which, "__name__", type(which).__name__)


def problem_of_algorithm(which: Which) -> str | None:
    """Return the problem of a marked function or of an algorithm; None if unknown.

    ``FILE.py:FUNCTION`` is such a function.
    """
    if isinstance(which, Algorithm):
        found = (p.name for p in registry.PROBLEMS.values() if which in p.algorithms)
        return next(found, None)
    if isinstance(which, str) and ".py:" in which:
        which = function_named(which)
    mark = getattr(which, _MARK, None)
    return mark.problem if mark else None


def algorithms_of(problem: Problem[Any]) -> tuple[Algorithm[Any], ...]:
    """Return the algorithms of a problem: the shipped and the installed ones."""
    installed = [(name, _installed(name)) for name in sorted(_entries())]
    own = [(n, f) for n, f in installed if problem_of_algorithm(f) == problem.name]
    return (*problem.algorithms, *(_own(problem, f, name) for name, f in own))


def algorithm_of(
    problem: Problem[Any],
    which: Which,
    folder: Path | None = None,
    seconds: float | None = None,
) -> Algorithm[Any]:
    """Return the algorithm of a problem that `which` names.

    Raise `UnknownNameError` if there is none of this name for the problem. Files and
    programs are looked for in `folder`, by default the current one; `seconds` limits
    programs only.
    """
    if isinstance(which, str) and which.startswith(_PROGRAM):
        return _program(problem, which, folder, seconds)
    found: Which = which
    name = None
    if isinstance(which, str):
        if ":" in which:
            found = function_named(which, folder)
        elif which in _entries() and which not in {a.name for a in problem.algorithms}:
            found, name = _installed(which), which
        else:
            return registry.algorithm_named(problem, which)
    if not (isinstance(found, Algorithm) or callable(found)):
        raise UnknownNameError(f"expected a function or what names one, got {which}")
    other = problem_of_algorithm(found)
    if other not in (None, problem.name):
        raise UnknownNameError(
            f"{name_of(found)} is an algorithm of {other}, not {problem.name}"
        )
    return found if isinstance(found, Algorithm) else _own(problem, found, name)


def shipped_name(problem: Problem[Any], which: Which) -> Which:
    """Return the name of a shipped algorithm, which can be sent to a worker."""
    known = isinstance(which, Algorithm) and which in algorithms_of(problem)
    return name_of(which) if known else which


def origin_of(
    which: Which, folder: Path | None = None, problem: Problem[Any] | None = None
) -> str | None:
    """Return a fingerprint of the source of an algorithm, if there is one.

    A study runs an algorithm again after it has changed. A shipped one has a problem.
    """
    path: str | Path | None = None
    name = None
    shipped = [each.name for each in problem.algorithms] if problem else []
    if problem and isinstance(which, str) and which in shipped:
        file = problem.name.replace("-", "_")
        *folders, listed = PLACES["algorithms"].format(file=file).split(".")
        path = Path(__file__).parents[1].joinpath(*folders).with_suffix(".py")
        return entry_sha256(path, listed, shipped.index(which))
    if isinstance(which, str) and ":" not in which and which in _entries():
        which = _installed(which)
    if isinstance(which, Algorithm):
        return None
    if isinstance(which, str) and which.startswith(_PROGRAM):
        places = ((folder or Path()) / word for word in _words(which))
        path = next((place for place in places if place.is_file()), None)
    elif isinstance(which, str) and ".py:" in which:
        place, _, name = which.rpartition(":")
        path = (folder or Path()) / place
    elif not isinstance(which, str) or ":" in which:
        function = function_named(which, folder) if isinstance(which, str) else which
        name = getattr(function, "__qualname__", None)
        with suppress(TypeError):  # neither a function nor a class
            path = getsourcefile(function)
    if path is None or not Path(path).is_file():
        return None
    return source_sha256(Path(path), name)


@contextmanager
def errors_on_a_line(which: str) -> Iterator[None]:
    """Turn any exception of a function of a file into a one-line `NotApplicableError`.

    What shipped algorithms and modules raise is not changed.
    """
    try:
        yield
    except AtleastkError:
        raise
    except Exception as error:  # any error of the user's file
        if ".py:" not in which:
            raise
        raise NotApplicableError(f"{which}: {error_line(error)}") from error


@contextmanager
def exits_as_errors(called: str) -> Iterator[None]:
    """Turn SystemExit of the user's own code into `NoAnswerError`.

    Likewise KeyboardInterrupt, unless a signal came meanwhile.
    """
    with _signals_noted() as noted:
        try:
            yield
        except Exception:
            raise
        except BaseException as error:
            if noted:
                raise
            raise NoAnswerError(f"{called}: {error_line(error)}") from error


@contextmanager
def _signals_noted() -> Iterator[list[int]]:
    """Record the signals that reach this thread, and pass them to their handlers."""
    noted: list[int] = []
    hears = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in _ENDING if hears}
    before: dict[int, Any] = {n: of for n, of in handlers.items() if callable(of)}

    def note(number: int, frame: FrameType | None) -> None:
        noted.append(number)
        before[number](number, frame)

    try:
        for number in before:
            signal.signal(number, note)
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def error_line(error: BaseException) -> str:
    """Return an error of the user's own file on a line: its message and its place.

    The messages of our errors and of syntax errors have the place already.
    """
    if isinstance(error, AtleastkError):
        return " ".join(str(error).split())
    message = visible(" ".join(f"{type(error).__name__}: {error}".split()))
    if isinstance(error, SyntaxError):
        return message
    last = extract_tb(error.__traceback__)[-1]
    return f"{message} ({Path(last.filename).name}, line {last.lineno})"


def _guarantee(promise: Promise | None) -> Guarantee | None:
    """Return a promise as a guarantee; a float stands for the decimal it prints as."""
    if promise is None or isinstance(promise, Guarantee):
        return promise
    if callable(promise):
        name = getattr(promise, "__name__", _NAMELESS)
        words = "a function" if name == _NAMELESS else name
        text = f"ratio <= {words} of the instance"
        return Guarantee(text, "its own promise", Times(promise))
    factor = Fraction(0)
    with suppress(ValueError):
        factor = Fraction(str(promise))
    if factor <= 0:
        raise InvalidInstanceError(
            "guarantee: expected a number above 0, a function of an instance, or a "
            f"Guarantee, got {promise!r}"
        )
    return Guarantee(f"ratio <= {promise}", "its own promise", Times(factor))


def _own(problem: Problem[Any], function: Function, name: str | None) -> Algorithm[Any]:
    """Return a function as an algorithm."""
    mark = getattr(function, _MARK, None)
    called = name or name_of(function)
    seeded = _takes_seed(function)

    def run(instance: Instance, seed: int) -> Solution:
        with exits_as_errors(called):
            claim = function(instance, seed=seed) if seeded else function(instance)
        solution = None if claim is None else solution_of(claim, problem.name)
        if solution is None:
            raise InvalidResultError(f"{called} returned no groups")
        return solution

    guarantee = None if mark is None else mark.guarantee
    return Algorithm(called, "a function of the caller's own", run, guarantee)


def _takes_seed(function: Function) -> bool:
    try:
        return "seed" in signature(function).parameters
    except ValueError:  # a function in C without a signature
        return False


def _program(
    problem: Problem[Any], which: str, folder: Path | None, seconds: float | None
) -> Algorithm[Any]:
    words = _words(which)
    if not words:
        raise UnknownNameError(f'"{which}": expected a program after {_PROGRAM}')

    def run(instance: Instance, _seed: int) -> Solution:
        given = json.dumps(instance.to_dict()).encode()
        ask = partial(output_of, which, words, given, folder, seconds)
        claim = _claim(which, ask() if seconds is None else _unstopped(ask))
        with placed(which):
            solution = solution_of(claim, problem.name)
        if solution is None:
            raise InvalidResultError(f"{which} printed no groups")
        return solution

    return Algorithm(which, "a program of the caller's own", run)


def _unstopped(ask: Callable[[], bytes]) -> bytes:
    """Ask, in a thread, a program that ends in time by itself.

    Who stops this one when time is up could lose a program that just starts.
    """
    call = Apart(ask)
    call.ended.wait()
    return call.result()


def _claim(which: str, answer: bytes) -> Claim:
    """Read groups from JSON, or from lines of numbers."""
    try:
        text = answer.decode()
    except UnicodeDecodeError as error:
        raise InvalidResultError(f"{which} printed bytes that are no UTF-8") from error
    try:
        read: Any = json.loads(text)
    except (RecursionError, ValueError):
        read = None
    if isinstance(read, dict | list):
        return read
    lines = [line.split() for line in text.splitlines() if line.strip()]
    try:
        return [[int(word) for word in line] for line in lines]
    except ValueError as error:
        raise InvalidResultError(
            f"{which} printed neither JSON nor lines of item numbers: {error}"
        ) from error


def _words(which: str) -> list[str]:
    try:
        return shlex.split(which.removeprefix(_PROGRAM))
    except ValueError as error:
        raise UnknownNameError(f"{which}: no command line: {error}") from error


def function_named(which: str, folder: Path | None = None) -> Callable[..., Any]:
    """Return the function of ``file.py:name`` or ``module:name``."""
    place, _, name = which.rpartition(":")
    try:
        with exits_as_errors(which):
            if place.endswith(".py"):
                module = _module_at(((folder or Path()) / place).resolve())
            else:
                module = import_module(place)
    except ImportError as error:
        raise UnknownNameError(f"{which}: cannot be imported: {error}") from error
    except Exception as error:  # any error of the user's file
        raise UnknownNameError(
            f"{which}: cannot be imported: {error_line(error)}"
        ) from error
    function = getattr(module, name, None)
    if not callable(function):
        raise UnknownNameError(f"{which}: {place} has no function {name}")
    found: Callable[..., Any] = function
    return found


@cache
def _module_at(path: Path) -> ModuleType:
    """Import a file; it may import modules of its own folder."""
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ImportError("no such file")
    module = module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module


@cache
def _entries() -> dict[str, Any]:
    return {entry.name: entry for entry in entry_points(group=_GROUP)}


@cache
def _installed(name: str) -> Function:
    entry = _entries()[name]
    try:
        function: Function = entry.load()
    except (ImportError, AttributeError) as error:
        raise AtleastkError(
            f"{name}, an algorithm of {entry.value}: cannot be imported: {error}"
        ) from error
    if getattr(function, _MARK, None) is None:
        raise AtleastkError(
            f"{name}: {entry.value} is not marked by atleastk.algorithm(problem)"
        )
    return function
