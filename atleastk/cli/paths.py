"""What a command reads and writes, as it says before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from atleastk.instances.files.paths import AnyPath


@dataclass(frozen=True, slots=True)
class Kind:
    """What is written, and how names of files of it end.

    Attributes
    ----------
    packed
        Whether it is packed where the name says so.
    """

    name: str
    suffixes: tuple[str, ...]
    packed: bool = True


class Paths(NamedTuple):
    """What a command reads and writes.

    Attributes
    ----------
    read
        What an input is, in words, and its path.
    written
        The path of an output and its kind.
    """

    read: Sequence[tuple[str, AnyPath | None]] = ()
    written: Sequence[tuple[AnyPath | None, Kind | None]] = ()
