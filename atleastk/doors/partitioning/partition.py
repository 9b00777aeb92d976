"""Districting: connected parts of a map of weight at least k.

The heaviest is as light as can be, or regions of one part are as alike as can be. A map
is given in one of several forms: tables of counties and of their neighbours, polygons
in a file or a GeoDataFrame, or a graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

from atleastk.doors.calls import Call, called_with
from atleastk.doors.made import Made
from atleastk.doors.partitioning import page
from atleastk.doors.partitioning.alike import (
    MINIMISED,
    alike,
    in_deviations,
    share_lost,
)
from atleastk.doors.partitioning.joining import Joined, joined
from atleastk.doors.partitioning.refining import solve_finely, solve_finest
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.counties import (
    connected_partition_from_tables,
    table_of,
)
from atleastk.instances.datasets.map_files import is_map_file, read_map_file
from atleastk.instances.datasets.maps import (
    connected_partition_from_file,
    connected_partition_from_geodataframe,
)
from atleastk.instances.fields.attributes import USUAL, Attribute, unknown_name
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import InvalidInstanceError, within_memory
from atleastk.instances.files.paths import AnyPath, is_standard
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.connected_partition import most_by_counting
from atleastk.models.connectivity import connectivity
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status, Trust
from atleastk.models.wording import counted
from atleastk.packages import nx
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Partitioned(Made):
    """A map in parts.

    Attributes
    ----------
    part
        The number of every region's part, from 1, in the order of the map; None without
        a solution.
    map
        What parts are made of: regions, or nodes of several that stay together.
    instance, result
        The problem that was solved, and the answer: the map, or pair partition where
        regions are to be alike.
    asked
        The number of parts that was asked for, if one was: it sets k, but the number of
        parts is free.
    maximised
        Whether as many parts as possible were wanted: then the status is about their
        number, and that of the result about the heaviest part, as ever.
    most
        No partition has more parts than this, if that was asked for.
    members
        The regions of every node of the map: several where they stay together.
    columns
        Those that regions of a part are to be alike in.
    """

    part: tuple[int, ...] | None
    map: ConnectedPartition
    instance: ConnectedPartition | PairPartition
    result: Result
    asked: int | None = None
    maximised: bool = False
    most: int | None = None
    members: tuple[tuple[int, ...], ...] = ()
    columns: tuple[str, ...] = ()

    __repr__ = brief

    @classmethod
    def of(
        cls,
        map_: Joined,
        result: Result,
        instance: PairPartition | None = None,
        **asked: Any,
    ) -> Partitioned:
        """Return the parts of a result on a map."""
        part, solved = None, map_.instance if instance is None else instance
        if result.labels is not None:
            part = map_.of_regions([label + 1 for label in result.labels])
        return cls(part, map_.instance, solved, result, members=map_.members, **asked)

    def of_nodes(self, of_regions: Sequence[Sequence[T]]) -> list[list[T]]:
        """Return for every node what its regions have, such as their polygons."""
        return [[one for v in own for one in of_regions[v]] for own in self.members]

    @property
    def weights(self) -> list[int]:
        """The weights of the parts, by their numbers."""
        weights = self.map.weights
        return [sum(weights[i] for i in group) for group in self.result.groups or ()]

    @property
    def standing(self) -> tuple[Status, Trust | None]:
        """The status of the answer, and its trust."""
        result, number = self.result, len(self.weights)
        if not self.maximised or self.part is None:
            return result.status, result.trust
        if number < (self.most or number + 1):
            return Status.FEASIBLE, Trust.HEURISTIC
        counted = number == most_by_counting(self.map)
        return Status.OPTIMAL, Trust.CERTIFIED if counted else Trust.PROVED

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the parts."""
        result = self.result
        status, trust = self.standing
        return {
            "status": status,
            "trust": trust,
            "parts": None if self.part is None else self.weights,
            "asked": self.asked,
            **({"most": self.most} if self.maximised else {}),
            "minimise": self.minimised,
            "cost": self._told(result.cost),
            "bound": self._told(result.bound),
            "part": self.part,
            "seconds": result.seconds,
            "note": result.note,
        }

    @property
    def minimised(self) -> str:
        """What is least: one of `MINIMISED`."""
        if not isinstance(self.instance, PairPartition):
            return MINIMISED[0]
        return MINIMISED[2 if self.instance.objective == "squares" else 1]

    def _told(self, cost: int | None) -> float | int | None:
        """Return a cost in the unit in which it is told."""
        if cost is None or not isinstance(self.instance, PairPartition):
            return cost
        return in_deviations(cost, self.instance)

    @property
    def _gap(self) -> str:
        """The gap, as it stands behind a bound; empty if it is closed."""
        return f" (gap {self.result.gap:.2%})" if self.result.gap else ""

    @property
    def headline(self) -> str:
        """How many regions there are, and the least weight of a part."""
        many = ", as many as possible" if self.maximised else ""
        regions = sum(map(len, self.members))
        return f"{regions:,} regions, at least {self.map.k:,} a part{many}"

    def figures(self) -> Iterator[str]:
        """Yield the lines of the report on what was found."""
        map_, result, weights = self.map, self.result, self.weights
        if result.status is Status.INFEASIBLE:
            for reason in page.why_infeasible(map_):
                yield f"  reason      {reason}"
        if weights:
            groups = result.groups or ()
            yield f"  parts       {page.parts(map_, len(weights), self.asked)}"
            if self.most is not None:
                yield f"  proved      no partition has more than {self.most:,} parts"
            yield from self._alike()
            yield f"  heaviest    {page.heaviest(map_, groups)}"
            yield f"  lightest    {min(weights):,}"
        if result.bound is not None and self.minimised == MINIMISED[0]:
            least = f"{result.bound:,}{self._gap}"
            yield f"  proved      no partition has a heaviest part below {least}"
        borders = counted(sum(map(len, map_.neighbours)) // 2, "border", ",")
        yield f"  map         {borders}, {connectivity(map_)}"
        if map_.comment:
            yield f"  remark      {map_.comment}"
        yield self.time_line

    def _alike(self) -> Iterator[str]:
        """Yield the lines on how alike regions of one part are, if they are to be."""
        instance, result = self.instance, self.result
        if not isinstance(instance, PairPartition) or result.cost is None:
            return
        within = f"within parts, of {', '.join(self.columns)} in standard deviations"
        lost = share_lost(result.cost, instance)
        yield f"  {self.minimised:11} {self._told(result.cost):.6g} {within}"
        yield f"              {lost:.2%} of one part of all regions"
        if result.bound is not None:
            bound = self._told(result.bound)
            yield f"  at least    {bound:.6g}, of any parts{self._gap}"


def is_polygons(path: AnyPath, edges: AnyPath | None = None) -> bool:
    """Return whether a file holds polygons: by its name, or as there are no edges."""
    if is_standard(path):
        return edges is None
    return is_map_file(path)


@dataclass(eq=False)
class MapRequest:
    """A request for parts of a map; see :func:`atleastk.partition`."""

    k: int | None = None
    _: KW_ONLY
    parts: int | None = None
    within: float = 0.0
    maximise: str | None = None
    minimise: str | None = None
    alike: Iterable[str] = ()
    together: Iterable[Iterable[Any]] = ()
    edges: AnyPath | None = None
    weight: Attribute = USUAL
    name: str | None = None
    state: str | None = None
    code: str | None = None
    tolerance: float | None = None
    layer: str | None = None

    def __post_init__(self) -> None:
        if (self.k is None) == (self.parts is None) or (
            self.parts is not None and self.parts < 1
        ):
            raise InvalidInstanceError(
                "expected the least weight k of a part, or a number of parts"
            )
        if self.within and (self.parts is None or not 0 <= self.within < 1):
            raise InvalidInstanceError(
                "within: expected a share below 1, by which parts may be lighter than "
                f"the mean of a number of parts, got {self.within}"
            )
        if self.maximise not in (None, "parts"):
            raise InvalidInstanceError(
                f'maximise: expected "parts", got "{self.maximise}"'
            )
        if self.minimise not in (None, *MINIMISED):
            raise InvalidInstanceError(
                f"minimise: expected one of {', '.join(MINIMISED)}, got "
                f'"{self.minimise}"'
            )
        self.alike = tuple(self.alike)
        if bool(self.alike) != (self.minimised != MINIMISED[0]):
            raise InvalidInstanceError(
                "alike: give columns that regions of a part are to be alike in, and "
                "minimise pairs or squares"
            )
        if self.alike and self.maximise:
            raise InvalidInstanceError(
                "maximise: parts are as many as possible, or alike; leave one out"
            )

    @property
    def minimised(self) -> str:
        """What is least: by default squares if regions are to be alike."""
        return self.minimise or MINIMISED[2 if self.alike else 0]

    def columns(self, source: Any) -> dict[str, list[Any]]:
        """Return the cells of the columns that regions are to be alike in."""
        regions = self._regions(source)
        found: dict[str, list[Any]] = {}
        for name in self.alike:
            for region in regions:
                if name not in region:
                    raise InvalidInstanceError(
                        unknown_name(name, region, "alike", "column")
                    )
            found[name] = [region[name] for region in regions]
        return found

    def _regions(self, source: Any) -> list[Mapping[str, Any]]:
        """Return the attributes of all regions, in their order."""
        if isinstance(source, ConnectedPartition):
            raise InvalidInstanceError("alike: an instance has no columns")
        if isinstance(source, nx.Graph):
            return [data for _, data in source.nodes(data=True)]
        if not isinstance(source, str | Path):
            return [dict(row) for _, row in source.iterrows()]
        if is_polygons(source, self.edges):
            features = read_map_file(source, self.layer)["features"]
            return [feature.get("properties") or {} for feature in features]
        return [*table_of(source, self.state)[1]]

    def instance(self, source: Any) -> ConnectedPartition:
        """Return the map in files, a frame or a graph."""
        found = self._read(source, self.k or 1)
        if self.parts is None:
            return found
        mean = Fraction(found.total, self.parts)
        if not self.within:
            return replace(found, k=max(1, int(mean)))
        lower = mean * (1 - Fraction(str(self.within)))
        return replace(found, k=max(1, ceil(lower)))

    def _read(self, source: Any, k: int) -> ConnectedPartition:
        weight, name = self.weight, self.name
        if isinstance(source, ConnectedPartition):
            return replace(source, k=k)
        if isinstance(source, nx.Graph):
            return ConnectedPartition.of_graph(
                source, k, weight=weight, **_labels(source, name)
            )
        if not isinstance(source, str | Path):
            near = 0.0 if self.tolerance is None else self.tolerance
            return connected_partition_from_geodataframe(
                source, weight, k, name=name, tolerance=near
            )
        if is_polygons(source, self.edges):
            return connected_partition_from_file(
                source,
                weight,
                k,
                name=name,
                tolerance=self.tolerance,
                layer=self.layer,
            )
        if self.edges is None:
            raise InvalidInstanceError(
                f"{source}: a table of regions needs one of neighbours as edges"
            )
        return connected_partition_from_tables(
            source,
            self.edges,
            k,
            state=self.state,
            code=self.code,
            weight=weight,
            name=name,
        )


def _labels(graph: nx.Graph[Any], name: str | None) -> dict[str, Any]:
    """Return the names of the nodes of a graph in an attribute, if one is given."""
    if name is None:
        return {}
    called = []
    for node, data in graph.nodes(data=True):
        if name not in data:
            raise InvalidInstanceError(
                unknown_name(name, data, f"graph: node {node!r}", "attribute")
            )
        called.append(str(data[name]))
    return {"labels": called}


@dataclass(eq=False)
class _OfMap:
    source: Any


@dataclass(eq=False)
class _Call(Call, MapRequest, _OfMap):
    """The parameters of `partition`: a map, the request, and the search."""


@called_with(_Call)
def partition(call: _Call) -> Partitioned:
    """Partition a map into connected parts of at least k; minimise the heaviest.

    Parameters
    ----------
    source
        A file of polygons (GeoJSON, a shapefile, a GeoPackage), a table of regions
        (CSV, with `edges`), a GeoDataFrame, a networkx graph, or a
        `ConnectedPartition`.
    k, parts, within
        The least weight of a part; or a number of parts, for which k is the total
        weight divided by it, less the share `within`, such as 0.05. The answer may have
        another number of parts, as the report says then.
    maximise
        ``"parts"`` asks for as many parts as possible; of those the heaviest is made
        lighter, without a proof.
    minimise, alike
        ``"squares"`` makes regions of one part as alike as can be in the columns
        `alike`: the sum of squares about the means of parts, in standard deviations;
        ``"pairs"`` the sum of what any two regions of a part differ by. By default it
        is ``"heaviest"``, the weight of the heaviest part.
    together
        Lists of names of regions that share a part; those of a list touch each other.
    edges
        The table of pairs of neighbours that belongs to a table of regions.
    weight, name
        The column, property or attribute that holds weights, and that of names. Weights
        are in ``weight`` or ``population`` by default; with None every region weighs 1,
        and so does every node of a graph whose nodes have no attributes.
    state, code
        Of tables: the state that is wanted, and the column with the codes.
    tolerance
        Of polygons: how far borders may be apart.
    layer
        Of polygons: which map is meant, of a file that holds several.

    Examples
    --------
    >>> import networkx
    >>> row = networkx.path_graph(6)
    >>> atleastk.partition(row, k=2, weight=None).part
    (1, 1, 2, 2, 3, 3)
    """
    made, outcome = partition_map(call.source, call, call.ask())
    outcome.unless_cut()
    return made


@within_memory("partitioning")
def partition_map(
    source: Any, request: MapRequest, ask: Ask
) -> tuple[Partitioned, Outcome]:
    """Partition a map, see `partition`; return the outcome of the search, too."""
    whole = request.instance(source)
    map_ = joined(whole, request.together)
    within = ask.sparing(whole.n)
    if request.alike:
        regions = Joined(whole, tuple((region,) for region in range(whole.n)))
        found = request.columns(source)
        instance = alike(whole, found, request.minimised, map_.members)
        outcome = solve_within(instance, within)
        told = {"asked": request.parts, "columns": tuple(found)}
        return Partitioned.of(regions, outcome.result, instance, **told), outcome
    if request.maximise is None:
        outcome = solve_finely(map_.instance, within)
        return Partitioned.of(map_, outcome.result, asked=request.parts), outcome
    outcome, most = solve_finest(map_.instance, within)
    made = Partitioned.of(map_, outcome.result, maximised=True, most=most)
    return made, outcome
