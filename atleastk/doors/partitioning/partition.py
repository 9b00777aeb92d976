"""Districting: connected parts of a map of weight at least k, the heaviest minimal.

A map is given in one of several forms: tables of counties and of their neighbours,
polygons in a file or a GeoDataFrame, or a graph.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any

from atleastk.doors.calls import Call, called_with
from atleastk.doors.made import Made
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.counties import connected_partition_from_tables
from atleastk.instances.datasets.map_files import is_map_file
from atleastk.instances.datasets.maps import (
    connected_partition_from_file,
    connected_partition_from_geodataframe,
)
from atleastk.instances.fields.attributes import USUAL, Attribute, unknown_name
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import InvalidInstanceError, within_memory
from atleastk.instances.files.paths import AnyPath, is_standard
from atleastk.models.connectivity import connectivity
from atleastk.models.results.result import Result
from atleastk.packages import nx
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within


@dataclass(frozen=True, slots=True, eq=False)
class Partitioned(Made):
    """A map in parts.

    Attributes
    ----------
    part
        The number of every region's part, from 1, in the order of the map; None without
        a solution.
    instance, result
        The problem that was solved, and the answer.
    asked
        The number of parts that was asked for, if one was: it sets k, but the number of
        parts is free.
    """

    part: tuple[int, ...] | None
    instance: ConnectedPartition
    result: Result
    asked: int | None = None

    __repr__ = brief

    @classmethod
    def of(
        cls, instance: ConnectedPartition, result: Result, asked: int | None = None
    ) -> Partitioned:
        """Return the parts of a result on a map."""
        labels = result.labels
        part = None if labels is None else tuple(label + 1 for label in labels)
        return cls(part, instance, result, asked)

    @property
    def weights(self) -> list[int]:
        """The weights of the parts, by their numbers."""
        weights = self.instance.weights
        return [sum(weights[i] for i in group) for group in self.result.groups or ()]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of the parts."""
        result = self.result
        return {
            "status": result.status,
            "trust": result.trust,
            "parts": None if self.part is None else self.weights,
            "asked": self.asked,
            "cost": result.cost,
            "bound": result.bound,
            "part": self.part,
            "seconds": result.seconds,
            "note": result.note,
        }

    @property
    def headline(self) -> str:
        """How many regions there are, and the least weight of a part."""
        return f"{self.instance.n:,} regions, at least {self.instance.k:,} a part"

    def figures(self) -> Iterator[str]:
        """Yield the lines of the report on what was found."""
        instance, result, weights = self.instance, self.result, self.weights
        if weights:
            other = ""
            if self.asked not in (None, len(weights)):
                other = f", where {self.asked:,} were asked for: they set k, no more"
            yield f"  parts       {len(weights):,}{other}"
            yield f"  heaviest    {max(weights):,}"
            yield f"  lightest    {min(weights):,}"
        if result.bound is not None:
            gap = f" (gap {result.gap:.2%})" if result.gap else ""
            yield f"  at least    {result.bound:,}, the heaviest of any partition{gap}"
        yield f"  map         {connectivity(instance)}"
        if instance.comment:
            yield f"  pieces      {instance.comment}"
        yield self.time_line


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

    def instance(self, source: Any) -> ConnectedPartition:
        """Return the map in files, a frame or a graph."""
        found = self._read(source, self.k or 1)
        if self.parts is None:
            return found
        return replace(found, k=max(1, found.total // self.parts))

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
    k, parts
        The least weight of a part; or a number of parts, for which k is the total
        weight divided by it. The answer may have another number of parts, as the report
        says then.
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
    instance = request.instance(source)
    outcome = solve_within(instance, ask.sparing())
    return Partitioned.of(instance, outcome.result, request.parts), outcome
