"""What the wishes of a request are called: in errors, by the door that was taken.

From Python a wish is a keyword, ``suppress_rows``; on the command line it is an option,
``--suppress-rows``. Who raises an error names a wish by :func:`called`, and a door with
names of its own wraps its work in :func:`calling`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_NAMES: Final[ContextVar[Mapping[str, str] | None]] = ContextVar("names", default=None)


def called(wish: str) -> str:
    """Return what a wish is called where this runs; its keyword by default."""
    return (_NAMES.get() or {}).get(wish, wish)


@contextmanager
def calling(names: Mapping[str, str]) -> Iterator[None]:
    """Call wishes by these names in the body."""
    before = _NAMES.set(names)
    try:
        yield
    finally:
        _NAMES.reset(before)
