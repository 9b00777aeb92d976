"""Python's search for garbage, which finds none in a large document."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def garbage_waits() -> Iterator[None]:
    """Do not search for garbage in the body of a ``with``.

    Python looks through all that there is after some thousands of new lists, and the
    rows of a table are that many: to read one of 45,222 rows took twice as long.
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
