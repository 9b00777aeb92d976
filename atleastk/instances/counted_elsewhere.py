"""A table to be generalised that is not in memory: an engine counts its classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.generalization import Generalization, Levelled

Tally = Callable[[Sequence[int]], tuple[IntArray, IntArray, BoolArray]]
"""Of a node: sizes of classes, how many classes have each, and whether it is the size
of the class that the node itself publishes at the top of all columns."""


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """Rows that are elsewhere."""

    rows: int
    """Their number."""
    values: Sequence[Int32Array]
    """For every column the numbered labels of its values, [level, value]."""
    tally: Tally
    """Counts the classes of a node."""
    sha256: str
    """A fingerprint of the rows."""


class CountedElsewhere(Generalization):
    """Generalisation on attributes, of rows that are elsewhere.

    All that it asks of a node are the sizes of its classes. By height or precision
    those of a node at which more rows are in classes below k than may be suppressed say
    no more than that, so no list is longer than the rows allowed and n / k.
    """

    def __init__(self, where: Elsewhere, **fields: Any) -> None:
        object.__setattr__(self, "where", where)
        super().__init__(table=(), copies=(), on="attributes", **fields)

    where: Elsewhere

    @property
    def n(self) -> int:
        """The number of rows."""
        return self.where.rows

    @property
    def sha256(self) -> str:
        """The fingerprint of the rows elsewhere; the request is in the report."""
        return self.where.sha256

    @property
    def labels(self) -> Sequence[Levelled]:
        """The numbered labels of the values of every column, by level and value."""
        return tuple(
            Levelled(values, np.arange(values.shape[1], dtype=np.int32))
            for values in self.where.values
        )

    def to_dict(self) -> dict[str, Any]:
        """Raise `NotApplicableError`: the rows are not here."""
        raise NotApplicableError("an instance whose rows are elsewhere is no file")

    def sizes_at(self, levels: Sequence[int]) -> tuple[IntArray, BoolArray]:
        """Return the sizes of the classes of a node, and which look suppressed."""
        sizes, times, tops = self.where.tally(levels)
        small = (sizes < self.k) & ~tops
        if self.is_linear and int((sizes * times)[small].sum()) > self.suppress_rows:
            few = np.ones(self.suppress_rows + 1, dtype=np.int64)
            return few, np.zeros(len(few), dtype=np.bool_)
        return np.repeat(sizes, times), np.repeat(tops, times)
