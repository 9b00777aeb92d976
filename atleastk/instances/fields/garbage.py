"""Pausing Python's garbage collection while a large document is read."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_waits() -> Iterator[None]:
    """Pause garbage collection in the body of a ``with``.

    Python scans all objects after some thousands of new lists, and finds no garbage
    among the rows of a table: reading one of 45,222 rows took twice as long.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
