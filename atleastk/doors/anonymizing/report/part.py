"""A part of a report: its lines, and its object among the keys of the JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a report, which is there only if the request has it."""

    def lines(self) -> Iterable[str]:
        """Yield the lines of this part on the console."""
        return ()

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this part."""
        return asdict(self)
