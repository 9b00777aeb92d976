"""Means in place of numbers: microaggregation, as a wish for an anonymised table.

Rows are clustered by least squares in units of a standard deviation, every one of them
(:mod:`atleastk.doors.clustering`). New rows join the mean that is nearest in the same
units: they equal k published rows at least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.doors.anonymizing.publish import in_random_order
from atleastk.doors.anonymizing.request import Request
from atleastk.doors.anonymizing.selected import columns_of
from atleastk.doors.clustering.cluster import Clustered, ClusterRequest, cluster_frame
from atleastk.doors.clustering.points import located
from atleastk.doors.clustering.publish import filled
from atleastk.frames.frame import Frame, Name
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome


def averaged(frame: Frame, request: Request, ask: Ask) -> tuple[Clustered, Outcome]:
    """Give every row the means of its group of at least k near rows."""
    how = means_of(frame, request)
    if request.shuffle is not False:
        frame = in_random_order(frame, request.shuffle).rebuilt()
    return cluster_frame(frame, how, ask)


def means_of(frame: Frame, request: Request) -> ClusterRequest:
    """Return the request for clusters that a request for means is."""
    if request.k is None:
        raise InvalidInstanceError("k: missing; say how many rows have to look alike")
    names = columns_of(frame, request.columns, ())
    return ClusterRequest(request.k, names, minimise="squares", scale="deviation")


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """The means that are published of a fitted table."""

    made: Clustered

    @property
    def names(self) -> tuple[Name, ...]:
        return self.made.where.names

    def publish(self, frame: Frame, names: Sequence[Name], _marker: str) -> Frame:
        """Return new rows with the nearest means, in columns called `names`."""
        axes, clusters = self.made.where.axes, self.made.clusters or ()
        units = {n: axis.unit for n, axis in zip(names, axes, strict=True)}
        rows = located(frame, tuple(names), "euclidean", units, "none").axes
        scale = np.array([axis.unit for axis in axes], dtype=np.float64)
        places = [cluster.place for cluster in clusters]
        found = np.column_stack([axis.floats for axis in rows]) / scale
        centres = np.array(places, dtype=np.float64) / scale
        near = [int(((centres - at) ** 2).sum(axis=1).argmin()) for at in found]
        return filled(frame, names, places, near).rebuilt()
