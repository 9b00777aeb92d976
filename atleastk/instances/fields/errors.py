"""The errors of atleastk.

Only mistakes are errors. A limit that was reached or an instance without a solution
is a :class:`~atleastk.models.results.status.Status`, never an exception.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

from atleastk.instances.fields.visible import visible

MORE_MEMORY: Final = "it takes fewer rows or columns, or more memory"
"""The advice if memory ran out."""


class AtleastkError(Exception):
    """Base of every error that atleastk raises on purpose."""


class InvalidInstanceError(AtleastkError, ValueError):
    """An instance breaks its format; the message names the field and the reason."""


class InvalidResultError(AtleastkError, ValueError):
    """A result file breaks its format, or belongs to another instance."""


class ContradictoryResultError(InvalidResultError):
    """The fields of a result contradict each other, so it cannot be true."""


class UnknownNameError(AtleastkError, LookupError):
    """No problem, method, algorithm or family has the given name."""


class NotApplicableError(AtleastkError, ValueError):
    """The method or algorithm given by name cannot take this instance."""


class NoAnswerError(NotApplicableError):
    """An algorithm of the caller's own gave no answer for an instance."""


class BackendUnavailableError(AtleastkError, ModuleNotFoundError):
    """A solver or an optional package is not installed; names what to install."""


class OutOfMemoryError(MemoryError, AtleastkError):
    """Memory ran out; the message says during what, and what to do.

    The built-in error comes first: it makes its objects in a way of its own.
    """


class CertificateError(AtleastkError, ValueError):
    """A certificate does not prove what it claims."""


class WrongAnswerError(AtleastkError, RuntimeError):
    """A solver contradicted the checker, another solver, or itself."""


def quoted(name: object) -> str:
    """Return a name as errors show it: a text between quotes, a number without."""
    return f'"{visible(name)}"' if isinstance(name, str) else repr(name)


def meant(name: object, known: Iterable[object]) -> str:
    """Return "did you mean ...? " for the most similar name; empty without one.

    If none is similar, it is the first with the same word before a hyphen.
    """
    texts = {str(one).casefold(): one for one in known}
    text = str(name).casefold()
    first, hyphen, _ = text.partition("-")
    close = get_close_matches(text, texts, n=1) or [
        one for one in texts if hyphen and one.startswith(first + hyphen)
    ]
    return f"did you mean {quoted(texts[close[0]])}? " if close else ""


def known_are(name: object, known: Iterable[object]) -> str:
    """Return "known are ..." with all names, after the one that may be meant."""
    names = [*known]
    return f"{meant(name, names)}known are {', '.join(map(str, names))}"


def expect_one_of(what: str, given: object, known: Iterable[object]) -> None:
    """Refuse a word that is none of those that are known."""
    names = [*known]
    if given not in names:
        raise InvalidInstanceError(
            f"{what}: expected one of {', '.join(map(str, names))}, got {quoted(given)}"
        )


def optional(module: str, extra: str, what: str) -> Any:
    """Import a module that is an extra, or say what needs it and how to install it."""
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        package = module.partition(".")[0]
        raise BackendUnavailableError(
            f"{what} need {package}: pip install 'atleastk[{extra}]'"
        ) from missing


@contextmanager
def placed(place: object) -> Iterator[None]:
    """Prefix the errors of the body with the place that they are about, but once."""
    try:
        yield
    except AtleastkError as error:
        if str(error).startswith(f"{place}: "):
            raise
        raise type(error)(f"{place}: {error}") from error


def ran_out_of_memory(error: BaseException) -> bool:
    """Tell whether an error, of Python or of the system, means that memory ran out.

    Without memory no thread begins, no library can be loaded and no file be mapped.
    """
    match error:
        case MemoryError():
            return True
        case OSError():
            return error.errno == errno.ENOMEM
        case ImportError():
            words = ("failed to map segment", "cannot allocate memory")
            return any(word in str(error).lower() for word in words)
        case RuntimeError():
            return "can't start new thread" in str(error)
    return False


@contextmanager
def within_memory(doing: str) -> Iterator[None]:
    """Turn errors of the body that memory ran out into `OutOfMemoryError`."""
    try:
        yield
    except OutOfMemoryError:
        raise
    except Exception as error:
        if not ran_out_of_memory(error):
            raise
        raise OutOfMemoryError(f"{doing}: memory ran out; {MORE_MEMORY}") from error
