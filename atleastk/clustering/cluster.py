"""Clusters in place of rows: the published view of [Aggarwal10, section 1].

The rows of a table are clustered by columns that somebody may know from elsewhere, and
of every cluster are published its centre, its number of rows, its radius - the greatest
error if the centre is taken for any of its rows - and the sensitive values of its rows,
sorted, so that nobody can tell which is whose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from atleastk.clustering.points import Located, located
from atleastk.frames.frame import Frame, Name, chosen
from atleastk.frames.open_frame import framed
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.clustering import Clustering
from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.r_gather import RGather
from atleastk.instances.spelling import respelled
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.result import Event, Result
from atleastk.solving import AUTO, Outcome
from atleastk.witness import completed
from atleastk.work import Work

__all__ = [
    "MEASURES",
    "Cluster",
    "ClusterRequest",
    "Clustered",
    "cluster",
    "cluster_frame",
    "in_short",
]

MEASURES: Final = ("points", "radius")
"""What is published of every cluster beside columns of the table."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """What is published of a cluster.

    Attributes
    ----------
    centre
        Where it is, by column.
    size
        How many rows it has.
    radius
        The greatest distance of a row to the centre.
    sensitive
        The values of the sensitive columns, sorted.
    """

    centre: Mapping[Name, Any]
    size: int
    radius: float
    sensitive: Mapping[Name, tuple[Any, ...]]

    @property
    def cost(self) -> float:
        """Size times radius."""
        return self.size * self.radius


@dataclass(frozen=True, slots=True, eq=False)
class Clustered:
    """A table before and after.

    Attributes
    ----------
    clusters
        What is published; None without a solution.
    outliers
        The rows of no cluster, which are not published.
    instance, result
        What was solved, in steps of the coordinates, and the answer.
    """

    clusters: tuple[Cluster, ...] | None
    outliers: tuple[int, ...]
    where: Located
    instance: Clustering
    result: Result

    @property
    def radius(self) -> float | None:
        """The greatest radius that is published."""
        if self.clusters is None:
            return None
        return max((c.radius for c in self.clusters), default=0.0)

    @property
    def total(self) -> float | None:
        """The sum of size times radius over what is published."""
        return None if self.clusters is None else sum(c.cost for c in self.clusters)

    def in_units(self, cost: int | None) -> float | None:
        """Return a cost or bound of the result in units of the columns."""
        return None if cost is None else self.instance.radius(cost) / self.where.steps

    def rows(self) -> list[dict[Name, Any]]:
        """Return the published table, a dict for every cluster."""
        return [
            {
                **cluster.centre,
                **dict(zip(MEASURES, (cluster.size, cluster.radius), strict=True)),
                **{n: list(values) for n, values in cluster.sensitive.items()},
            }
            for cluster in self.clusters or ()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of what is published."""
        result = self.result
        return {
            "status": result.status,
            "trust": result.trust,
            "radius": self.radius,
            "total": self.total,
            "bound": self.in_units(result.bound),
            "clusters": None if self.clusters is None else self.rows(),
            "outliers": self.outliers,
            "seconds": result.seconds,
            "note": result.note,
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        status, trust = self.result.status.lower(), self.result.trust
        told = f"{status} ({trust})" if trust else status
        instance = self.instance
        yield f"{instance.n} rows, at least {instance.r} a cluster: {told}"
        if self.clusters is not None:
            yield from self._figures(self.clusters)
        if self.result.note is not None:
            yield f"  note        {self.result.note}"

    def _figures(self, clusters: Sequence[Cluster]) -> Iterator[str]:
        instance = self.instance
        yield f"  clusters    {len(clusters)}"
        yield f"  radius      {in_short(self.radius or 0.0)} at most"
        yield f"  total       {in_short(self.total or 0.0)}, size times radius"
        if instance.max_outliers:
            most = instance.max_outliers
            yield f"  outliers    {len(self.outliers)} of {most} at most"
        bound = self.in_units(self.result.bound)
        if bound is not None:
            gap = f" (gap {self.result.gap:.2%})" if self.result.gap else ""
            of_any = f"the {instance.measured} of any clustering"
            yield f"  at least    {in_short(bound)}, {of_any}{gap}"
        names = ", ".join(map(str, self.where.names))
        steps = self.where.steps
        rounded = f", in steps of {1 / steps:g}" if steps > 1 else ""
        yield f"  distance    {self.where.metric} over {names}{rounded}"
        yield f"  time        {self.result.seconds:.2f} s"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRequest:
    """What is asked of a table; see :func:`atleastk.cluster`."""

    r: int
    columns: Iterable[Name] | None = None
    metric: str = "manhattan"
    units: Mapping[Name, Any] | None = None
    total: bool = False
    facility_cost: float = 0.0
    max_clusters: int | None = None
    max_outliers: int = 0
    centres: str = "input"
    sensitive: Iterable[Name] = ()

    def instance(self, where: Located) -> Clustering:
        """Return what has to be solved."""
        shared: dict[str, Any] = {
            "points": where.points,
            "metric": where.metric,
            "r": self.r,
            "max_clusters": self.max_clusters,
            "max_outliers": self.max_outliers,
            "centres": self.centres,
        }
        if self.centres == "any" and where.metric == "great-circle":
            message = 'centres: "any" has no place to publish on a sphere; take "input"'
            raise InvalidInstanceError(message)
        if not self.total:
            if self.facility_cost:
                message = "facility_cost: counts in a total only; ask for total as well"
                raise InvalidInstanceError(message)
            return RGather(**shared)
        paid = round(self.facility_cost * where.steps)
        costs = [paid] * len(where.points) if paid else None
        return CellularClustering(**shared, facility_costs=costs)


@respelled
def cluster(
    table: Any,
    r: int,
    columns: Iterable[Name] | None = None,
    *,
    metric: str = "manhattan",
    units: Mapping[Name, Any] | None = None,
    total: bool = False,
    facility_cost: float = 0.0,
    max_clusters: int | None = None,
    max_outliers: int = 0,
    centres: str = "input",
    sensitive: Iterable[Name] = (),
    time_limit: float | None = None,
    workers: int | None = None,
    seed: int = 0,
    method: str = AUTO,
    on_event: Callable[[Event], object] | None = None,
    memory_limit: float | None = None,
) -> Clustered:
    """Publish clusters of at least r rows in place of the rows of a table.

    The greatest radius is least; or with `total` the sum of size times radius.

    Parameters
    ----------
    table
        A data frame of pandas or polars, a table of pyarrow, or a list of dicts, tuples
        or lists.
    columns
        The columns that say where a row is; all but the sensitive ones by default.
    metric, units
        How far rows are from each other; see :mod:`atleastk.clustering.points`.
    facility_cost
        What every cluster pays besides, in units of distance; with `total` only.
    max_clusters, max_outliers
        How many clusters there may be, and how many rows may be left out.
    centres
        ``"input"`` (any row), ``"member"`` (a row of the cluster) or ``"any"`` (between
        rows: published is the middle of every column).
    sensitive
        Columns whose values are published for every cluster.
    """
    work = Work.of(time_limit, workers, seed, memory_limit, method, on_event)
    request = ClusterRequest(
        r=r,
        columns=columns,
        metric=metric,
        units=units,
        total=total,
        facility_cost=facility_cost,
        max_clusters=max_clusters,
        max_outliers=max_outliers,
        centres=centres,
        sensitive=sensitive,
    )
    made, outcome = cluster_frame(framed(table), request, work)
    outcome.unless_cut()
    return made


def cluster_frame(
    frame: Frame, request: ClusterRequest, work: Work
) -> tuple[Clustered, Outcome]:
    """Cluster a frame, see `cluster`; return how the search ended, too."""
    sensitive = tuple(request.sensitive)
    kept = chosen(frame, sensitive) if sensitive else ()
    columns = request.columns
    if columns is None:
        columns = [name for name in frame.names if name not in kept]
    names = chosen(frame, columns)
    _expect_distinct([*names, *kept])
    where = located(frame, names, request.metric, request.units)
    instance = request.instance(where)
    outcome = work.sparing().solve(instance)
    solution = outcome.result.solution
    if solution is None:
        return Clustered(None, (), where, instance, outcome.result), outcome
    full = completed(instance, solution)
    assert isinstance(full, ClusteringSolution)
    shown = tuple(_published(frame, where, instance, full, kept))
    made = Clustered(shown, full.outliers, where, instance, outcome.result)
    return made, outcome


def _expect_distinct(published: Sequence[Name]) -> None:
    """Refuse columns that could not be told apart in what is published."""
    for name in published:
        if name in MEASURES:
            message = f'columns: "{name}" is a column of what is published; rename it'
            raise InvalidInstanceError(message)
        if published.count(name) > 1:
            message = (
                f'sensitive: "{name}" is also a column to cluster by; leave one out'
            )
            raise InvalidInstanceError(message)


def in_short(length: float) -> str:
    """Return a length in a few digits."""
    return f"{length:.6g}"


def _published(
    frame: Frame,
    where: Located,
    instance: Clustering,
    solution: ClusteringSolution,
    sensitive: Sequence[Name],
) -> Iterator[Cluster]:
    columns = {name: frame.column(name) for name in sensitive}
    values = {
        name: [column.values[code] for code in column.codes]
        for name, column in columns.items()
    }
    for g, group in enumerate(solution.groups):
        if instance.any_centre:
            centre = where.middle(group)
        else:
            centre = where.cells[solution.centres[g]]
        yield Cluster(
            dict(zip(where.names, map(_plain, centre), strict=True)),
            len(group),
            max(where.distance(where.cells[row], centre) for row in group),
            {
                name: tuple(sorted((found[row] for row in group), key=str))
                for name, found in values.items()
            },
        )


def _plain(cell: Any) -> Any:
    """Return a decimal as an integer or a float."""
    if not isinstance(cell, Decimal):
        return cell
    return int(cell) if cell == cell.to_integral_value() else float(cell)
