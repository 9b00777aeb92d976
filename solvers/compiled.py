"""Compilation of hot loops, put off until the first call.

Importing numba takes longer than many a run, so only who calls a compiled loop pays.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, TypeVar, cast

__all__ = ["compiled", "inlined"]

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a loop over numpy arrays; it runs without the interpreter's lock.

    The machine code is kept between runs where the file system allows it. Compiled
    loops may call each other, and functions that are :func:`inlined`.
    """
    return cast(F, _Compiled(function))


def inlined(function: F) -> F:
    """Let compiled loops call a function, and leave it plain Python."""
    _inlined.append(function)
    return function


class _Compiled:
    """A loop that becomes machine code when it is first called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._name = function.__qualname__

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.dispatcher(*arguments, **named)

    @cached_property
    def dispatcher(self) -> Callable[..., Any]:
        """What numba makes of the loop."""
        from numba import njit

        with _lock:
            _introduce()
            _register_inlined()
        loop = self._function
        # Kept code is found by this name, and not made anew for a loop's callees.
        loop.__qualname__ = f"{self._name}-{_fingerprint()}"
        try:
            made = njit(cache=True, nogil=True)(loop)
        except RuntimeError:  # no place to keep it
            made = njit(nogil=True)(loop)
        return cast(Callable[..., Any], made)


_inlined: list[Callable[..., Any]] = []
"""Functions that numba has not been told of yet."""

_lock = threading.RLock()


def _register_inlined() -> None:
    from numba.extending import register_jitable

    while _inlined:
        register_jitable(_inlined.pop())


@cache
def _fingerprint() -> str:
    """Return a short hash of all sources that loops may be made of."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


@cache
def _introduce() -> None:
    """Tell numba that a loop inside another one stands for its dispatcher."""
    from numba.core import types
    from numba.extending import typeof_impl

    @typeof_impl.register(_Compiled)
    def _(loop: _Compiled, _context: object) -> Any:
        return types.Dispatcher(loop.dispatcher)
