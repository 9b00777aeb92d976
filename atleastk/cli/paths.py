"""The inputs and outputs of a command, declared before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from atleastk.instances.files.paths import AnyPath


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of output, and the suffixes of its files.

    Attributes
    ----------
    packed
        Whether a file may be compressed, by the end of its name.
    """

    name: str
    suffixes: tuple[str, ...]
    packed: bool = True


class Paths(NamedTuple):
    """The paths of a command.

    Attributes
    ----------
    read
        Every input: what it is, in words, and its path.
    written
        Every output: its path, and its kind.
    """

    read: Sequence[tuple[str, AnyPath | None]] = ()
    written: Sequence[tuple[AnyPath | None, Kind | None]] = ()
