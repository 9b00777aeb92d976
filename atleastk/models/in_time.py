"""What takes long and knows no budget: it ends when nobody waits for it any more.

Models are built and certificates re-checked by loops that are given no clock. They look
up now and then; whoever runs them says until when somebody waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final


class LateError(Exception):
    """Nobody waits for this any more; whoever said so, `over`, takes it back."""

    def __init__(self, over: Callable[[], bool]) -> None:
        super().__init__("nobody waits for this any more")
        self.over = over


OFTEN: Final = 1024
"""Rows of a model, or its variables, between two looks."""

_OVER: Final[ContextVar[Callable[[], bool]]] = ContextVar("over", default=bool)


def look_up() -> None:
    """Raise `LateError` if nobody waits any more."""
    over = _OVER.get()
    if over():
        raise LateError(over)


@contextmanager
def awaited_unless(over: Callable[[], bool]) -> Iterator[None]:
    """End the body, without an exception, when it looks up and all is over."""
    token = _OVER.set(over)
    try:
        yield
    except LateError as late:
        if late.over is not over:  # the end of something around it
            raise
    finally:
        _OVER.reset(token)
