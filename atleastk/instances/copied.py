"""Tables with copies: each row stands there as often as they say.

Equal rows are interchangeable. So of a table with copies a solution is told by *deals*:
how many copies of which row are in which group. Where single rows have names, they are
numbered as if the table were written out: the copies of a row follow each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Final, Self

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNTS
from atleastk.instances.fields.shapes import Table, shown
from atleastk.instances.instance import Instance, shaped

MOST_COPIES: Final = 2**31
"""The most rows that a table with copies stands for: their square fits into 64 bits."""

_MOST_WRITTEN: Final = 10**8
"""The most rows that are written out, where they need names: some gigabytes."""


@dataclass(frozen=True)
class Copied(Instance):
    """A table whose rows may have copies.

    Attributes
    ----------
    table
        The rows, of texts and integers; stored as tuples.
    copies
        How many rows each row of the table stands for; 1 by default.
    """

    BY_ROW: ClassVar[tuple[str, ...]] = ("table",)
    """Fields with an entry for each row of the table."""

    table: Sequence[Sequence[str | int]] = field(metadata=shaped(Table()))
    copies: Sequence[int] | None = field(default=None, kw_only=True, metadata=COUNTS)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.expect_for_each(len(self.table), "rows", "copies")
        if self.copies is not None and self.n > MOST_COPIES:
            raise InvalidInstanceError(
                f"copies: the table stands for {shown(self.n)} rows, above "
                f"{MOST_COPIES}"
            )

    @cached_property
    def n(self) -> int:
        """The number of rows, with their copies."""
        return len(self.table) if self.copies is None else sum(self.copies)

    @property
    def dealt(self) -> bool:
        """Whether solutions are deals: those of a table with copies."""
        return self.copies is not None

    @property
    def most_dropped(self) -> int:
        """How many rows may be in no group."""
        return 0

    @cached_property
    def given(self) -> IntArray:
        """The copies of every row of the table."""
        ones = np.ones(len(self.table), dtype=np.int64)
        return ones if self.copies is None else np.array(self.copies, dtype=np.int64)

    def expect_written(self) -> None:
        """Refuse to write out more rows than a process has room for."""
        if self.n > _MOST_WRITTEN:
            raise InvalidInstanceError(
                f"copies: {self.n:,} rows are too many to be written out, as this "
                f"{self.problem} needs them; at most {_MOST_WRITTEN:,}"
            )

    @property
    def written_out(self) -> Self:
        """The same table with every row as often as its copies say."""
        if self.copies is None:
            return self
        self.expect_written()
        lists: dict[str, Any] = {}
        for name in self.BY_ROW:
            entries = getattr(self, name)
            if entries is not None:
                pairs = zip(entries, self.copies, strict=True)
                lists[name] = [row for row, count in pairs for _ in range(count)]
        return replace(self, **lists, copies=None)
