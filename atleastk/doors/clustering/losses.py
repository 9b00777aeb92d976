"""Loss and disclosure by clusters, in the units of the file.

How far the cells of every column are from those of their cluster's centre, and how
much of its spread that is: the sum of the squares, as a share of the sum about the mean
of the column (SSE / SST). Their mean over the columns is the usual measure of the
information that microaggregation loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

import numpy as np

from atleastk.arrays import IntArray
from atleastk.doors.anonymizing.report.risk import learnt_lines, unchanged
from atleastk.doors.cells import Cell
from atleastk.doors.clustering.points import Axis, Located
from atleastk.doors.clustering.publish import Cluster, in_short
from atleastk.frames.frame import Frame, Name
from atleastk.models.results.solution import labels_of
from atleastk.models.tables.singling_out import SinglingOut
from atleastk.models.wording import labelled

_MOST_COLUMNS: Final = 10
"""Columns in a report: about as many as are clustered by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLoss:
    """How far a column is from its centres."""

    most: float
    mean: float
    """`most`, `mean`: how far a cell is from its centre's, in the unit of the column: 0
    or 1 if the cells are no numbers."""
    share: float | None
    """The squares of that, as a share of those about the mean of the column; None if
    the cells are no numbers."""
    least: float | None
    """The same of the distances to exact means of the groups: no centres have less."""

    @classmethod
    def of(
        cls, axis: Axis, rows: IntArray, centres: Sequence[Cell], groups: IntArray
    ) -> Self:
        if not axis.number:
            pairs = zip(axis.codes[rows].tolist(), groups.tolist(), strict=True)
            differ = [axis.values[code] != centres[g] for code, g in pairs]
            mean = sum(differ) / len(differ)
            return cls(most=float(any(differ)), mean=mean, share=None, least=None)
        before = axis.floats[rows]
        after = np.array(centres, dtype=np.float64)[groups]
        off = np.abs(before - after)
        means = np.bincount(groups, before) / np.maximum(1, np.bincount(groups))
        spread = float(((before - before.mean()) ** 2).sum())
        within = float(((before - means[groups]) ** 2).sum())
        return cls(
            most=float(off.max()),
            mean=float(off.mean()),
            share=float((off**2).sum()) / spread if spread else 0.0,
            least=within / spread if spread else 0.0,
        )

    def __str__(self) -> str:
        if self.share is None:
            return f"another value in {self.mean:.2%} of the rows"
        mean = in_short(self.mean)
        return f"off by {in_short(self.most)} at most, {mean} on average"


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Loss and disclosure by clusters."""

    columns: Mapping[str, ColumnLoss]
    """For every column that was clustered by, how far it is from the centres; none on a
    sphere, where the radius is enough."""
    clusters: int
    """How many there are."""
    shared: Mapping[str, int]
    """For every other column, the number of clusters whose rows share one value of it:
    that value is learnt of a person who is known to be in the cluster."""
    singling_out: SinglingOut
    """How many rows each other column singles out, if all rows are published with their
    centres."""

    @classmethod
    def of(
        cls,
        frame: Frame,
        where: Located,
        clusters: Sequence[Cluster],
        sensitive: Sequence[Name],
    ) -> Self:
        group_of = labels_of([cluster.rows for cluster in clusters], frame.n)
        inside = np.flatnonzero(group_of >= 0)
        columns: dict[str, ColumnLoss] = {}
        if len(inside) and where.metric != "great-circle":
            for j, axis in enumerate(where.axes):
                centres = [cluster.place[j] for cluster in clusters]
                columns[str(axis.name)] = ColumnLoss.of(
                    axis, inside, centres, group_of[inside]
                )
        others = [name for name in frame.names if name not in where.names]
        needed = {str(name): "sensitive" for name in sensitive}
        shared, alone = unchanged(frame, others, group_of[inside], inside, needed)
        count = len(clusters)
        return cls(columns=columns, clusters=count, shared=shared, singling_out=alone)

    @property
    def information(self) -> float | None:
        """The mean of the shares of all columns of numbers; None without any."""
        return _mean([each.share for each in self.columns.values()])

    def to_dict(self) -> dict[str, Any]:
        return {
            "columns": {name: asdict(each) for name, each in self.columns.items()},
            "information_loss": self.information,
            "shared": dict(self.shared),
            **self.singling_out.to_dict(),
        }

    def lines(self, *, of_means: bool) -> Iterator[str]:
        errors = [f"{name}: {each}" for name, each in self.columns.items()]
        yield from labelled("error", errors[:_MOST_COLUMNS])
        if self.information is not None:
            yield f"  loss        {self.information:.2%} of the spread (SSE / SST)"
            exact = _mean([each.least for each in self.columns.values()]) or 0.0
            if of_means and f"{exact:.2%}" != f"{self.information:.2%}":
                yield f"{'':14}of means as published; {exact:.2%} before rounding them"
        yield from learnt_lines(self.shared, self.clusters, "clusters")


def _mean(shares: Iterable[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None
