"""Lazy compilation of hot loops with numba, and a cache of the machine code.

Importing numba takes longer than many runs, so it is imported by the first call.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import pickle
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import Enum
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from pickle import PickleError
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeVar, cast

import numpy as np

from atleastk.solvers.clock import CLOCK

_DIGEST: Final = hashlib.sha256().digest_size

_UNREADABLE: Final = (AttributeError, ImportError, EOFError, PickleError)
"""What a pickle of records raises that are gone, or of something else."""

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a loop over numpy arrays; it runs without the interpreter's lock.

    The machine code is cached between runs where the file system allows it. Compiled
    loops may call each other, and functions that are :func:`inlined`. The clock of runs
    stands still while a loop is compiled.
    """
    return cast(F, _Compiled(function))


def inlined(function: F) -> F:
    """Let compiled loops call a function, which stays plain Python for others."""
    _inlined.append(function)
    return function


class _Compiled:
    """A loop that becomes machine code when it is first called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._function = cast(FunctionType, function)
        self._name = f"{function.__module__}.{function.__qualname__}"

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.dispatcher(*arguments, **named)

    @cached_property
    def dispatcher(self) -> Callable[..., Any]:
        """The loop as numba compiles it."""
        with CLOCK.standing():
            from numba import njit

            with _lock:
                _introduce()
                _listen()
                _register_inlined()
            loop = self._function
            # Callees are found by this name in the machine code of their callers.
            loop.__qualname__ = f"{self._name}-{fingerprint(self)}"
            made: Any = njit(nogil=True)(loop)
            with suppress(RuntimeError):  # no place for the cache
                made._cache = _disk_cache(loop)
        return cast(Callable[..., Any], made)


def _disk_cache(loop: FunctionType) -> Any:
    """Return numba's cache of a loop's machine code, which skips files it cannot read.

    Damaged machine code would crash, so files are sealed. A NamedTuple that the loop
    takes may have been renamed or moved since the code was cached: its file cannot be
    unpickled then, although the loop is the same.

    Raises
    ------
    RuntimeError
        If there is no place for the cache.
    """
    from numba.core.caching import FunctionCache

    cache_of_numba: Any = FunctionCache
    cached = cache_of_numba(_placeless(loop))
    _seal(cached._cache_file)
    load, save = cached.load_overload, cached.save_overload

    def load_overload(signature: Any, target: Any) -> Any:
        try:
            with CLOCK.standing():
                return load(signature, target)
        except _UNREADABLE:
            cached.flush()
        except OSError:  # compiling does without it
            pass
        return None

    def save_overload(signature: Any, compiled: Any) -> None:
        with suppress(OSError):  # the next run compiles again
            save(signature, compiled)

    cached.load_overload, cached.save_overload = load_overload, save_overload
    return cached


def _seal(files: Any) -> None:
    """Let the files of numba's cache begin with a checksum.

    A file whose checksum is wrong counts as missing: the loop is compiled again.
    """
    dump = files._dump

    def sealed(value: object) -> bytes:
        data: bytes = dump(value)
        return hashlib.sha256(data).digest() + data

    def opened(path: str) -> Any:
        whole = Path(path).read_bytes()
        digest, data = whole[:_DIGEST], whole[_DIGEST:]
        if hashlib.sha256(data).digest() != digest:
            raise FileNotFoundError(path)
        return pickle.loads(data)

    def load_index() -> Any:
        try:
            version, stamp, overloads = opened(files._index_path)
        except (FileNotFoundError, *_UNREADABLE):
            return {}
        known = (version, stamp) == (files._version, files._source_stamp)
        return overloads if known else {}

    def save_index(overloads: object) -> None:
        index = files._version, files._source_stamp, overloads
        with files._open_for_write(files._index_path) as file:
            file.write(sealed(index))

    files._dump, files._load_index, files._save_index = sealed, load_index, save_index
    files._load_data = lambda name: opened(files._data_path(name))


def _placeless(loop: FunctionType) -> FunctionType:
    """Return a loop as if it stood in this file, on its first line.

    Numba caches machine code by file, line and qualified name, and drops it when the
    file changes. Here the name of a loop ends with a hash of all that its code
    depends on.
    """
    code = loop.__code__.replace(co_filename=__file__, co_firstlineno=1)
    twin = FunctionType(code, loop.__globals__, closure=loop.__closure__)
    twin.__qualname__ = loop.__qualname__
    return twin


def fingerprint(loop: object) -> str:
    """Return a short hash of all that the machine code of a loop depends on.

    These are its instructions, those of the functions that it calls, and the constants
    that they use: not comments, docstrings or where the loop stands.
    """
    digest = hashlib.sha256()
    for part in _parts(loop, []):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:12]


def _parts(value: object, callers: list[object]) -> Iterator[str]:
    """Yield texts that distinguish a value: a loop, or what a loop uses."""
    if isinstance(value, _Compiled):
        value = value._function
    match value:
        case FunctionType() if value in callers:
            yield f"itself, {len(callers) - callers.index(value)} calls up"
        case FunctionType():
            yield from _parts_of_function(value, [*callers, value])
        case tuple() | list() | frozenset():
            yield f"{type(value).__name__} of {len(value)}"
            ordered = sorted(value, key=repr) if isinstance(value, frozenset) else value
            for item in ordered:
                yield from _parts(item, callers)
        case ModuleType() if value.__name__ in ("math", "numpy", "random"):
            yield value.__name__
        case type():
            fields = getattr(value, "_fields", getattr(value, "__members__", ""))
            yield f"{value.__module__}.{value.__qualname__} {fields}"
        case np.ndarray():
            yield f"{value.dtype} {value.shape} {value.tobytes().hex()}"
        case Enum() | np.generic() | bool() | int() | float() | str() | bytes() | None:
            yield f"{type(value).__name__} {value!r}"
        case _:
            raise TypeError(
                f"a compiled loop depends on {value!r}, which has no fingerprint"
            )


def _parts_of_function(function: FunctionType, callers: list[object]) -> Iterator[str]:
    yield from _parts(function.__defaults__ or (), callers)
    for cell in function.__closure__ or ():
        yield from _parts(cell.cell_contents, callers)
    for code in _codes(function.__code__):
        documented = code is function.__code__ and function.__doc__ is not None
        constants = [c for c in code.co_consts if not isinstance(c, CodeType)]
        yield f"{code.co_code.hex()} {code.co_varnames} {code.co_names}"
        yield from _parts(constants[documented:], callers)
        for name in code.co_names:
            if name in function.__globals__:
                yield from _parts(function.__globals__[name], callers)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Give a code object and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


_inlined: list[Callable[..., Any]] = []
"""Functions that are not registered with numba yet."""

_lock = threading.RLock()


def _register_inlined() -> None:
    from numba.extending import register_jitable

    while _inlined:
        register_jitable(_inlined.pop())


@cache
def _introduce() -> None:
    """Let numba resolve a loop inside another one to its dispatcher."""
    from numba.core import types
    from numba.extending import typeof_impl

    @typeof_impl.register(_Compiled)
    def _(loop: _Compiled, _context: object) -> Any:
        return types.Dispatcher(loop.dispatcher)


class _Listener:
    """Lets the clock of runs stand still while numba compiles a loop of atleastk.

    So does Python's search for garbage, which finds little in a compiler's trees and
    takes a fifteenth of its time.
    """

    compiled = 0
    collecting = False

    def notify(self, event: Any) -> None:
        """Count the start or the end of a compilation; one thread compiles."""
        if not event.data["dispatcher"].__module__.startswith("atleastk."):
            return
        if event.is_start:
            self.collecting |= gc.isenabled()
            gc.disable()
            CLOCK.stop()
            return
        CLOCK.go_on()
        _Listener.compiled += 1
        if self.collecting and not CLOCK.stands:
            self.collecting = False
            gc.enable()


@cache
def _listen() -> None:
    """Listen to numba's compilations, and let them finish when the process ends."""
    from numba.core import event

    events: Any = event
    events.Listener.register(_Listener)
    events.register("numba:compile", _Listener())
    atexit.register(end_compiling)


def loops_compiled() -> int:
    """Return how many loops this process has compiled."""
    return _Listener.compiled


def end_compiling() -> None:
    """Wait for a running compilation, and let no other begin: the process ends.

    A thread that was left behind may still compile.
    """
    if "numba" in sys.modules:
        from numba.core import compiler_lock

        lock: Any = compiler_lock.global_compiler_lock
        lock.acquire()
