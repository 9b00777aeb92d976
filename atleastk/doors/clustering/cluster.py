"""Clusters in place of rows: the published view of [Aggarwal10, section 1].

The rows of a table are clustered by columns that somebody may know from elsewhere, and
of every cluster are published its centre, its number of rows, its radius - the greatest
error if the centre is taken for any of its rows - and the sensitive values of its rows,
sorted, so that none is linked to a row. Or every row is published with its
centre in place of its own cells, and other columns as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from functools import cached_property
from math import ceil, sqrt
from statistics import median
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.doors.calls import Call, OfTable, called_with
from atleastk.doors.clustering.losses import Losses
from atleastk.doors.clustering.nearby import solve_nearby
from atleastk.doors.clustering.page import page_of
from atleastk.doors.clustering.points import MOST_PAIRED, Located, located
from atleastk.doors.clustering.publish import (
    MEAN,
    MEASURES,
    Cluster,
    Member,
    in_rows,
    in_short,
    members,
    published,
    reading_of,
)
from atleastk.doors.made import Made
from atleastk.frames.frame import Frame, Name, chosen
from atleastk.frames.open_frame import framed
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.clustering import Clustering
from atleastk.instances.fields.allowance import Allowance, allowed_rows
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    expect_one_of,
    within_memory,
)
from atleastk.instances.fields.garbage import garbage_waits
from atleastk.instances.fields.spelling import respelled
from atleastk.instances.files.digest import Filed
from atleastk.instances.pair_partition import PairPartition
from atleastk.instances.r_gather import RGather
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.completed import completed
from atleastk.models.results.result import Result, gap_between
from atleastk.models.results.status import Status, Stop, Trust
from atleastk.models.wording import counted
from atleastk.plots.html_page import Filing
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome

MINIMISED: Final = ("total", "radius", "squares", "pairs")
"""Objectives: the sum of size times radius, the greatest radius, the sum of squared
distances to the means of clusters, or that of distances between any two rows of one."""

_FINER: Final = 1_000
"""Parts of a step that straight distances of pairs are rounded up to."""

_PRICED: Final = 2**49
"""All squared distances of rows sum to less, in steps: clusters are priced then."""

_SUMMED: Final = 2**59
"""Those of one column do: they are only summed up."""

_MOST_STEPS: Final = 1_000_000
"""Greater common steps are not looked at: that of decimals is at most this."""

_MOST_ROUNDED: Final = 0.001
"""The greatest gap of rounded distances that an optimum may have."""

_LIKE_CELLS: Final = 40
"""Cells that are published as quickly as a cluster: a million took 20 s, with 2 columns
of numbers."""

_LEAST_GAP: Final = 0.00005
"""Smaller gaps are reported as 0: rounding may cause them, in two decimals of %."""


@dataclass(frozen=True, eq=False)
class Clustered(Made):
    """A table before and after.

    Attributes
    ----------
    clusters
        What is published; None without a solution.
    outliers
        The rows of no cluster, which are not published.
    where
        The rows as points.
    instance, result
        The problem that was solved, in steps of the coordinates, and the answer.
    source
        The table before.
    losses
        Loss and disclosure by column; None without a solution.
    coarse
        Steps of the coordinates that are one of what was solved, for squares.
    """

    clusters: tuple[Cluster, ...] | None
    outliers: tuple[int, ...]
    where: Located
    instance: Clustering | PairPartition
    result: Result
    source: Frame
    losses: Losses | None = None
    coarse: int = 1

    __repr__ = brief

    @cached_property
    def radius(self) -> float | None:
        """The greatest radius that is published."""
        if self.clusters is None:
            return None
        return max((c.radius for c in self.clusters), default=0.0)

    @cached_property
    def total(self) -> float | None:
        """The sum of size times radius over what is published."""
        return None if self.clusters is None else sum(c.cost for c in self.clusters)

    @cached_property
    def cost(self) -> float | None:
        """The objective of what is published: radius, total and fees, or squares."""
        if self.clusters is not None and isinstance(self.instance, PairPartition):
            of = self.where.squares if self.is_squared else self.where.pairs
            return sum(of(cluster.rows) for cluster in self.clusters)
        if self.clusters is None or not isinstance(self.instance, CellularClustering):
            return self.radius
        fee = int(self.instance.facilities.max(initial=0))  # all of them are alike
        return (self.total or 0.0) + fee * len(self.clusters) / self.where.steps

    @property
    def bound(self) -> float | None:
        """A lower bound on the cost of any clustering of the table.

        It is the bound of the result, less what rounding can have added.
        """
        if isinstance(self.instance, PairPartition) and self.is_squared:
            return self._bound_of_squares(self.instance)
        found = self.in_units(self.result.bound)
        return None if found is None else max(0.0, found - self._rounding)

    @property
    def _rounding(self) -> float:
        """How much rounding can have added to the cost of what was solved."""
        instance, slack, steps = self.instance, self.where.slack, self.where.steps
        if isinstance(instance, CellularClustering):
            return instance.least_clustered * slack
        if isinstance(instance, PairPartition):
            finer = 1 / steps - 1 / (steps * parts_of(self.where))
            return instance.n * (instance.most_size - 1) / 2 * (slack - finer)
        return slack

    def _bound_of_squares(self, instance: PairPartition) -> float | None:
        """Return the bound of squares, less what rounding can have added.

        The root of a sum of squares is a length, of which the triangle inequality
        holds: coordinates that were rounded change it by the length of all changes.
        """
        if self.result.bound is None:
            return None
        where, axes = self.where, len(instance.points[0]) if instance.points else 0
        off = (where.slack - 1 / where.steps) / 2  # lengths are not rounded here
        if where.common_step % self.coarse:
            off += sqrt(axes) * (self.coarse - 1) / (2 * where.steps)
        length = sqrt(self.result.bound) * self.coarse / where.steps
        return max(0.0, length - sqrt(instance.n) * off) ** 2

    @property
    def measured(self) -> str:
        """What is minimised."""
        of = self.instance
        if isinstance(of, PairPartition):
            return MINIMISED[2 if of.objective == "squares" else 3]
        return of.measured

    @property
    def is_squared(self) -> bool:
        """Whether squares are minimised."""
        return self.measured == MINIMISED[2]

    @property
    def least(self) -> int:
        """The least number of rows of a cluster."""
        of = self.instance
        return of.k if isinstance(of, PairPartition) else of.r

    @property
    def gap(self) -> float | None:
        """(cost - bound) / cost, of what is published."""
        found = gap_between(self.cost, self.bound)
        return None if found is None else max(0.0, found)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many rows the clusters have, ascending."""
        return tuple(sorted(cluster.size for cluster in self.clusters or ()))

    @property
    def frame(self) -> Any:
        """The table with its cluster's centre in every row, None without a solution.

        It is of the same library as the original, with the same rows in the same order
        and all other columns as they were, identifiers too: the report warns of these.
        Its equal rows are counted anew.

        Raises InvalidInstanceError if rows are left out, which have no centre.
        """
        found = self.in_rows()
        return None if found is None else found.native

    def members(self, name: Name | None = None) -> list[Member | None]:
        """Return the cluster of every row, its centre, and the distance to it.

        None stands for rows that are left out; without a solution it is all of them.
        Rows are called as column `name` says; by default they are numbers from 1.
        """
        return members(self.source, self.where, self.clusters or (), name)

    def in_rows(self) -> Frame | None:
        """Return the table of rows as a frame; see `frame`."""
        if self.clusters is None:
            return None
        left_out = len(self.outliers)
        return in_rows(self.source, self.where, self.clusters, left_out, self.least)

    def in_units(self, cost: int | None) -> float | None:
        """Return a cost or bound of the result in units of the columns."""
        if cost is None:
            return None
        if self.is_squared:
            return cost * (self.coarse / self.where.steps) ** 2
        if isinstance(self.instance, PairPartition):
            return cost / (self.where.steps * parts_of(self.where))
        return self.instance.radius(cost) / self.where.steps

    def rows(self) -> list[dict[Name, Any]]:
        """Return the published table: a dict for every cluster."""
        return [
            {
                **c.centre,
                **dict(zip(MEASURES, (c.size, c.radius), strict=True)),
                **{name: list(values) for name, values in c.sensitive.items()},
            }
            for c in self.clusters or ()
        ]

    def to_html(
        self,
        table: str = "a table",
        *,
        files: Sequence[Filed] = (),
        words: Sequence[str] = (),
    ) -> str:
        """Return a page to be filed on the table of all rows; see `frame`.

        Parameters are those of the page of `atleastk.anonymize`.
        """
        return page_of(self, Filing(table, tuple(files), tuple(words)))

    @property
    def is_of_means(self) -> bool:
        """Whether rows are published with the means of their groups."""
        return isinstance(self.instance, PairPartition)

    def own(self) -> dict[str, Any]:
        return {
            "minimise": self.measured,
            "radius": self.radius,
            "total": self.total,
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap,
            "number_of_clusters": None if self.clusters is None else len(self.sizes),
            "sizes": {str(size): n for size, n in Counter(self.sizes).items()},
            "median_radius": self.median_radius,
            "units": self._units(),
            "losses": None if self.losses is None else self.losses.to_dict(),
            "clusters": None if self.clusters is None else self.rows(),
            "outliers": self.outliers,
        }

    def report(self, *, rows: bool = True) -> str:
        """Return the report in words.

        If the table of all rows is not published, it is silent on its other columns.
        """
        return self.page(self.figures(rows))

    @property
    def standing(self) -> tuple[Status, Trust | None]:
        """The status of what is published, and its trust.

        What is solved may be optimal where what is published is not, since its centres
        are not those that were solved for; and squares are so but for rounding.
        """
        status, trust = self.result.status, self.result.trust
        if self.gap is None or self.clusters is None:
            return status, trust
        differs = self.gap >= _LEAST_GAP and not self._is_rounded
        if differs and status is Status.OPTIMAL:
            return Status.FEASIBLE, Trust.HEURISTIC
        near = self.result.stopped_because is Stop.GAP and self.gap < _LEAST_GAP
        if near and self.is_squared:
            return Status.OPTIMAL, Trust.PROVED
        return status, trust

    @property
    def _is_rounded(self) -> bool:
        """Whether the gap is a small one, and of nothing but rounded distances."""
        if self.is_squared or not self.gap:
            return False
        apart = (self.cost or 0.0) - (self.bound or 0.0)
        return self.gap < _MOST_ROUNDED and apart <= 2 * self._rounding

    @property
    def headline(self) -> str:
        return f"{self.instance.n} rows, at least {self.least} a cluster"

    def figures(self, rows: bool = True) -> Iterator[str]:
        instance = self.instance
        if self.clusters is None:
            return
        yield f"  clusters    {len(self.clusters)}{self._of_sizes()}"
        most, middle = self.radius or 0.0, self.median_radius or 0.0
        told = self.where.in_words
        yield f"  radius      {told(most)} at most, median {told(middle)}"
        total, cost = self.total or 0.0, self.cost or 0.0
        yield f"  total       {told(total)}, size times radius"
        if self.measured == MINIMISED[0] and cost > total:
            yield f"  facilities  {told(cost - total)}; {told(cost)} with the total"
        if self.is_squared:
            yield f"  squares     {in_short(self.cost or 0.0)}, of distances to means"
        elif isinstance(instance, PairPartition):
            yield f"  pairs       {in_short(self.cost or 0.0)}, distances in clusters"
        elif instance.max_outliers:
            left_out = f"{len(self.outliers)} of {instance.max_outliers}"
            yield f"  outliers    {left_out} at most"
        if self.bound is not None and self.gap is not None:
            of = ", of rounding" if self._is_rounded else ""
            gap = f" (gap {self.gap:.2%}{of})" if self.gap >= _LEAST_GAP else ""
            of_any = f"the {self.measured} of any clustering"
            if self.measured == MINIMISED[0] and cost > total:
                of_any = "total and facilities of any clustering"
            if isinstance(instance, Clustering) and instance.any_centre:
                of_any += " about any places"
            yield f"  at least    {told(self.bound)}, {of_any}{gap}"
        steps, units = self.where.steps, self._units()
        names = ", ".join(
            f"{name} / {in_short(unit)}" if unit != 1 else name
            for name, unit in units.items()
        )
        rounded = f", in steps of {1 / steps:g}" if steps > 1 else ""
        yield f"  distance    {self.where.metric} over {names}{rounded}"
        if self.where.spread_out:
            texts = ", ".join(map(str, self.where.spread_out))
            yield f"{'':14}{texts}: texts, all different; see columns"
        if self.where.in_degrees:
            yield f"{'':14}degrees, as if they were lengths; great-circle takes metres"
        if self.where.drowned:
            little = ", ".join(map(str, self.where.drowned))
            yield f"{'':14}{little}: next to nothing beside the others; see scale"
        if self.losses is not None:
            yield from self.losses.lines(of_means=self.is_of_means)
            if rows:
                yield from self.losses.singling_out.lines()
        yield self.time_line

    @cached_property
    def median_radius(self) -> float | None:
        """The median of the radii that are published; None without any."""
        return median(c.radius for c in self.clusters) if self.clusters else None

    def _of_sizes(self) -> str:
        """Return in words how many rows the clusters have."""
        sizes = self.sizes
        if not sizes or sizes[0] == sizes[-1]:
            return f" of {counted(sizes[0], 'row')}" if sizes else ""
        return f" of {sizes[0]} to {sizes[-1]} rows, median {median(sizes):g}"

    def _units(self) -> dict[str, float]:
        return {str(axis.name): float(axis.unit) for axis in self.where.axes}


@dataclass(eq=False)
class ClusterRequest:
    """A request for clusters; see :func:`atleastk.cluster`."""

    r: int
    columns: Iterable[Name] | None = None
    _: KW_ONLY
    metric: str | None = None
    units: Mapping[Name, Any] | None = None
    scale: str = "none"
    minimise: str | None = None
    total: bool | None = None
    facility_cost: float = 0.0
    max_clusters: int | None = None
    max_outliers: Allowance = 0
    centres: str | None = None
    sensitive: Iterable[Name] = ()

    @property
    def least(self) -> str:
        said = None if self.total is None else MINIMISED[not self.total]
        found = self.minimise or said or MINIMISED[0]
        expect_one_of("minimise", found, MINIMISED)
        if said not in (None, found):
            raise InvalidInstanceError(
                f'total: says something else than minimise "{found}"'
            )
        return found

    @property
    def distances(self) -> str:
        """The metric: Manhattan by default, but for squares."""
        squares = self.least == MINIMISED[2]
        if squares and self.metric not in (None, "euclidean"):
            raise InvalidInstanceError(
                f"metric: squares are of euclidean distances, not of {self.metric} ones"
            )
        return self.metric or ("euclidean" if squares else "manhattan")

    @property
    def places(self) -> str:
        """The centres: rows by default, but for squares, which are about means."""
        if self.least not in MINIMISED[2:]:
            return self.centres or "input"
        if self.centres not in (None, MEAN):
            raise InvalidInstanceError(
                f'centres: {self.least} are about means, not about "{self.centres}"'
            )
        return MEAN

    def instance(self, where: Located, coarse: int = 1) -> Clustering | PairPartition:
        if self.least in MINIMISED[2:]:
            return self._alike(where, coarse)
        shared: dict[str, Any] = {
            "points": where.points,
            "metric": where.metric,
            "r": self.r,
            "max_clusters": self.max_clusters,
            "max_outliers": allowed_rows(
                self.max_outliers, len(where.points), "max_outliers"
            ),
            "centres": reading_of(self.places, where.metric),
        }
        if self.least == "radius":
            if self.facility_cost:
                raise InvalidInstanceError(
                    "facility_cost: counts in a total only; minimise that"
                )
            return RGather(**shared)
        paid = self._paid(where)
        costs = [paid] * len(where.points) if paid else None
        return CellularClustering(**shared, facility_costs=costs)

    def _paid(self, where: Located) -> int:
        paid = Decimal(str(self.facility_cost)) * where.steps
        if not paid.is_finite() or paid < 0 or paid != paid.to_integral_value():
            raise InvalidInstanceError(
                f"facility_cost: expected 0 or more, a multiple of {1 / where.steps:g} "
                f"as {where.metric} distances are, got {self.facility_cost}"
            )
        return int(paid)

    def _alike(self, where: Located, coarse: int) -> PairPartition:
        for name in ("facility_cost", "max_outliers"):
            if getattr(self, name):
                raise InvalidInstanceError(
                    f"{name}: {self.least} have none; leave it out"
                )
        most = self.max_clusters
        groups = None if most is None else (0, most)
        if self.least == MINIMISED[2]:
            points = [[round(x / coarse) for x in map(int, p)] for p in where.points]
            return PairPartition(
                points=points, k=self.r, objective="squares", groups=groups
            )
        costs = list(_distances(where))
        return PairPartition(
            items=len(where.points), costs=costs, k=self.r, groups=groups
        )


def parts_of(where: Located) -> int:
    """Return into how many parts of a step distances of pairs are rounded up."""
    return _FINER if where.metric == "euclidean" else 1


def _distances(where: Located) -> Iterator[tuple[int, int, int]]:
    """Yield all pairs of rows with their distances, in parts of steps, rounded up."""
    n, metric = len(where.points), where.metric
    if metric == "great-circle":
        raise InvalidInstanceError(
            "metric: means have no place on the earth; assign has pairs near there"
        )
    if n > MOST_PAIRED:
        raise InvalidInstanceError(
            f"the table has {n:,} rows; expected at most {MOST_PAIRED:,} for pairs"
        )
    scale = parts_of(where)
    space = CellularClustering(points=where.points, metric=metric, scale=scale).space
    for i in range(n):
        row = space.row(i).tolist()
        yield from ((i, j, row[j]) for j in range(i + 1, n))


def coarse_of(where: Located) -> int:
    """Return how many steps are one, so that rows can be priced by squares.

    Of one column they need not be, and fewer are enough. As few as can be, since a cost
    is rounded once a cluster; if possible such that no coordinate is rounded.
    """
    points = np.array(where.points, dtype=np.float64)
    total = len(points) ** 2 * float(points.var(axis=0).sum()) if points.size else 0.0
    most = _SUMMED if points.ndim == 2 and points.shape[1] == 1 else _PRICED
    least, common = max(1, ceil(sqrt(total / most))), where.common_step
    exact = (step for step in range(least, common + 1) if common % step == 0)
    return least if common > _MOST_STEPS else next(exact, least)


@dataclass(eq=False)
class _Call(Call, ClusterRequest, OfTable):
    """The parameters of `cluster`: a table, the request, and the search."""


@respelled
@called_with(_Call)
def cluster(call: _Call) -> Clustered:
    """Publish clusters of at least r rows in place of the rows of a table.

    The sum of size times radius is least, unless `minimise` says something else:
    whoever takes the centre of a cluster for one of its rows is off by the radius at
    most. What comes back has a table of clusters, ``rows()``, and the table of all rows
    with their centres, ``frame``.

    Parameters
    ----------
    table
        A data frame of pandas or polars, a table of pyarrow, or a list of dicts, tuples
        or lists.
    columns
        The columns that say where a row is; all but the sensitive ones by default.
    metric, units
        How far rows are from each other; see :mod:`atleastk.doors.clustering.points`.
    scale
        ``"range"`` makes the range of every column of numbers a unit, ``"deviation"``
        its standard deviation (by n); of columns without a unit of their own.
    minimise
        ``"total"``, the default, or ``"radius"``: the greatest one, and then rows are
        brought near their centres, without a proof, or ``"squares"``, the sum of
        squared euclidean distances to the means of clusters, which are published then:
        microaggregation; or ``"pairs"``, the sum of distances between any two rows of a
        cluster, published as means too.
    total
        True for the first, False for the second: an older form of `minimise`.
    facility_cost
        What every cluster pays besides, in units of distance; of a total only.
    max_clusters, max_outliers
        How many clusters there may be, and how many rows may be left out: a number, or
        a share such as 0.02 or ``"2%"``, rounded down.
    centres
        ``"input"`` (any row), ``"member"`` (a row of the cluster), ``"any"`` (between
        rows: published is the middle of every column) or ``"mean"`` (published is the
        mean, as precise as the column). Of columns that are no numbers, the middle and
        the mean are the commonest value.
    sensitive
        Columns whose values are published for every cluster.

    Examples
    --------
    >>> places = [{"x": 0}, {"x": 2}, {"x": 9}, {"x": 8}]
    >>> atleastk.cluster(places, 2).result.groups
    ((0, 1), (2, 3))
    """
    made, outcome = cluster_frame(framed(call.table), call, call.ask())
    outcome.unless_cut()
    return made


class Points(NamedTuple):
    """The rows of a table as points, and the instance to be solved."""

    where: Located
    sensitive: tuple[Name, ...]
    places: str
    """Which centres are published, as a request says it."""
    coarse: int
    """As of `Clustered`."""
    instance: Clustering | PairPartition


@within_memory("clustering")
def cluster_frame(
    frame: Frame, request: ClusterRequest, ask: Ask
) -> tuple[Clustered, Outcome]:
    """Cluster a frame, see `cluster`; return the outcome of the search, too."""
    points = points_of(frame, request)
    clusters = frame.n // max(1, request.r)
    ask = ask.sparing(frame.n * len(frame.names) + _LIKE_CELLS * clusters)
    outcome = solve_nearby(points.instance, ask)
    return clustered(frame, points, points.instance, outcome.result), outcome


def points_of(frame: Frame, request: ClusterRequest) -> Points:
    """Return the rows of a frame as points, and what is to be solved."""
    sensitive = tuple(request.sensitive)
    others = chosen(frame, sensitive) if sensitive else ()
    columns = request.columns
    if columns is None:
        columns = [name for name in frame.names if name not in others]
    names = chosen(frame, columns)
    _expect_distinct([*names, *others])
    where = located(frame, names, request.distances, request.units, request.scale)
    coarse = coarse_of(where) if request.least == MINIMISED[2] else 1
    instance = request.instance(where, coarse)
    return Points(where, others, request.places, coarse, instance)


@garbage_waits()
def clustered(
    frame: Frame, points: Points, instance: Clustering | PairPartition, result: Result
) -> Clustered:
    """Return what is published of a result for these points."""
    where, coarse = points.where, points.coarse
    if result.solution is None:
        return Clustered(None, (), where, instance, result, frame, coarse=coarse)
    full = completed(instance, result.solution)
    outliers = full.outliers if isinstance(full, ClusteringSolution) else ()
    others = points.sensitive
    shown = tuple(published(frame, where, full, others, points.places))
    losses = Losses.of(frame, where, shown, others)
    return Clustered(shown, outliers, where, instance, result, frame, losses, coarse)


def _expect_distinct(published: Sequence[Name]) -> None:
    for name in published:
        if name in MEASURES:
            raise InvalidInstanceError(
                f'columns: "{name}" is a column of what is published; rename it'
            )
        if published.count(name) > 1:
            raise InvalidInstanceError(
                f'sensitive: "{name}" is also a column to cluster by; leave one out'
            )
