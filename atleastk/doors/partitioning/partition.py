"""Districting: connected parts of a map of weight at least k.

The heaviest is as light as can be, or regions of one part are as alike as can be. A map
is given in one of several forms: tables of counties and of their neighbours, polygons
in a file or a GeoDataFrame, or a graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.doors.calls import Call, called_with
from atleastk.doors.made import MadeOfGroups
from atleastk.doors.partitioning import page
from atleastk.doors.partitioning.alike import (
    MINIMISED,
    alike,
    bound_in,
    cost_in,
    deviations_of,
)
from atleastk.doors.partitioning.joining import Joined, joined
from atleastk.doors.partitioning.refining import (
    FIRST,
    solve_evenly,
    solve_finely,
    solve_finest,
)
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.counties import (
    connected_partition_from_tables,
    rows_by_name,
    table_of,
)
from atleastk.instances.datasets.map_files import is_map_file, read_map_file
from atleastk.instances.datasets.maps import (
    connected_partition_from_file,
    connected_partition_from_geodataframe,
)
from atleastk.instances.fields.attributes import USUAL, Attribute, unknown_name
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    expect_one_of,
    within_memory,
)
from atleastk.instances.files.paths import AnyPath, is_standard
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.connected_partition import components, most_by_counting, reach
from atleastk.models.connectivity import connectivity
from atleastk.models.results.result import Result
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status, Trust
from atleastk.models.wording import counted
from atleastk.packages import Axes, nx
from atleastk.plots.connected_partition import Polygons, draw
from atleastk.plots.html_page import drawn
from atleastk.runs.ask import Ask
from atleastk.runs.solving import Outcome, solve_within
from atleastk.solvers.connected_partition.most_parts import Groups, in_parts, most_even

T = TypeVar("T")

_LIGHTEST: Final = "lightest"
MAXIMISED: Final = ("parts", _LIGHTEST)
"""What there can be as much of as possible: parts, or weight of the lightest one."""

_OF_TABLES: Final = ("edges", "state", "code")
_OF_POLYGONS: Final = ("tolerance", "layer")
"""What is said of maps in one form only."""

_WORDS = {
    "squares": "For every part, how far its regions are from its mean in a column, in "
    "standard deviations of all regions, squared; summed over parts and columns.",
    "pairs": "How far any two regions of one part differ in a column, in standard "
    "deviations of all regions; summed over pairs, parts and columns.",
    "spread": "The standard deviation of a column within a part, in its own unit.",
    "proved": "What no partition can be better than.",
    "at least": "What every part weighs, or any partition costs.",
    "planar": "A map that can be drawn without borders that cross.",
    "component": "A piece of the map without a border to the rest.",
    "connectivity": "The least number of regions that cut the map where left out.",
}


@dataclass(frozen=True, slots=True, eq=False)
class Partitioned(MadeOfGroups):
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
        One of `MAXIMISED`, if that was wanted: then the status is about the number of
        parts, or the weight of the lightest, and that of the result about what is
        least, as ever.
    most
        No partition has more parts than this, or a heavier lightest one, if that was
        asked for.
    members
        The regions of every node of the map: several where they stay together.
    columns
        Those that regions of a part are to be alike in, with a number of every region.
    """

    part: tuple[int, ...] | None
    map: ConnectedPartition
    instance: ConnectedPartition | PairPartition
    result: Result
    asked: int | None = None
    maximised: str | None = None
    most: int | None = None
    members: tuple[tuple[int, ...], ...] = ()
    columns: Mapping[str, Sequence[Any]] = field(default_factory=dict)

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
        result, reached = self.result, self._reached
        if reached is None or self.part is None:
            return result.status, result.trust
        if reached < (reached + 1 if self.most is None else self.most):
            return Status.FEASIBLE, Trust.HEURISTIC
        if isinstance(self.instance, PairPartition):
            return result.status, result.trust
        counted = most_by_counting(self.map)
        if self.maximised == _LIGHTEST:
            counted = most_even(self.map, len(self.weights))
        return Status.OPTIMAL, Trust.CERTIFIED if reached == counted else Trust.PROVED

    @property
    def _reached(self) -> int | None:
        """What there is of what was to be most: parts, or weight of the lightest."""
        if self.maximised is None:
            return None
        weights = self.weights
        return min(weights, default=0) if self.maximised == _LIGHTEST else len(weights)

    @property
    def by_group(self) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """The headings and rows of a table of the parts.

        They are the regions of a part, its weight, the mean and standard deviation of
        every column that they are to be alike in, whether it is connected, and their
        names.
        """
        regions: dict[int, list[int]] = {}
        for region, number in enumerate(self.part or ()):
            regions.setdefault(number, []).append(region)
        numbers = [[float(x) for x in cells] for cells in self.columns.values()]
        groups = [*enumerate(self.result.groups or (), start=1)]
        near = self.map.neighbours
        rows: list[tuple[object, ...]] = []
        for (number, nodes), weight in zip(groups, self.weights, strict=True):
            cells = [[x[v] for v in regions[number]] for x in numbers]
            alike = [f"{of(own):.4g}" for own in cells for of in (np.mean, np.std)]
            whole = "yes" if len(reach(near, nodes)) == len(nodes) else "no"
            names = ", ".join(page.name_of(self.map, v) for v in nodes)
            rows.append((number, len(regions[number]), weight, *alike, whole, names))
        of = [f"{of} of {name}>" for name in self.columns for of in ("mean", "spread")]
        return ("part>", "regions>", "weight>", *of, "connected", "names"), rows

    def to_html(
        self, source: str = "a map", polygons: Sequence[Polygons] | None = None
    ) -> str:
        """Return the page of the parts, one file that needs no other.

        The map is called `source`; `polygons` are the regions of every node, as `draw`
        takes them: without them the page has a picture of the graph.
        """
        picture = drawn(source, lambda: self.draw(polygons), self.headline)
        more = {"The map": [picture]}
        return self.filed(f"Parts of {source}", self.by_group, _WORDS, more)

    def draw(self, polygons: Sequence[Polygons] | None = None) -> Axes:
        """Draw the parts: the polygons of every node, or the graph without them.

        A picture of vectors holds the regions as pixels, of which there are fewer than
        of corners.
        """
        ax = draw(self.map, self.result, None, polygons, self.wanted)
        ax.set_rasterization_zorder(5)
        return ax

    def own(self) -> dict[str, Any]:
        headings, rows = self.by_group
        names = [heading.removesuffix(">") for heading in headings]
        of_parts = [dict(zip(names, row, strict=True)) for row in rows]
        return {
            "parts": None if self.part is None else self.weights,
            "asked": self.asked,
            **({"most": self.most} if self.maximised else {}),
            "of_parts": of_parts if self.part else None,
            "minimise": self.minimised,
            "cost": self.cost,
            "bound": self.bound,
            "part": self.part,
        }

    @property
    def minimised(self) -> str:
        """What is least: one of `MINIMISED`."""
        if not isinstance(self.instance, PairPartition):
            return MINIMISED[0]
        return MINIMISED[2 if self.instance.objective == "squares" else 1]

    @property
    def cost(self) -> float | int | None:
        """The weight of the heaviest part, or how far regions differ from alike ones.

        It is in standard deviations or squares of them, of columns as they are.
        """
        if not self.columns or self.result.cost is None:
            return self.result.cost
        return cost_in(self._deviations, self.result.groups or (), self.minimised)

    @property
    def bound(self) -> float | int | None:
        """What any parts cost at least."""
        if not self.columns or self.result.bound is None:
            return self.result.bound
        return bound_in(self._deviations, self.result.bound, self.minimised)

    @property
    def _deviations(self) -> FloatArray:
        return deviations_of(self.map, self.columns)

    @property
    def _gap(self) -> str:
        return f" (gap {self.result.gap:.2%})" if self.result.gap else ""

    @property
    def headline(self) -> str:
        return f"{sum(map(len, self.members)):,} regions, {self.wanted}"

    @property
    def wanted(self) -> str:
        """What was asked of parts: their least weight, or how many there are."""
        exactly = "" if self.asked is None else counted(self.asked, "part", ",")
        if self.maximised == _LIGHTEST:
            return f"{exactly}, the lightest as heavy as can be"
        if self._is_free:
            return f"{exactly} alike in {', '.join(self.columns)}"
        least = f"at least {self.map.k:,} a part"
        if self.maximised:
            return f"{least}, as many as possible"
        return f"{least}, {exactly}" if exactly and self.columns else least

    @property
    def _is_free(self) -> bool:
        """Whether so many parts are asked for, alike, and of any weight."""
        return self.asked is not None and bool(self.columns) and self.map.k == 1

    def figures(self) -> Iterator[str]:
        map_, result, weights = self.map, self.result, self.weights
        if result.status is Status.INFEASIBLE:
            for reason in page.why_infeasible(map_, self.asked):
                yield f"  reason      {reason}"
        if weights:
            groups = result.groups or ()
            yield f"  parts       {page.parts(map_, len(weights), self.asked)}"
            if self.most is not None and self.maximised == _LIGHTEST:
                so_many = counted(len(weights), "part", ",")
                yield f"  proved      no {so_many} have a lightest above {self.most:,}"
            elif self.most is not None:
                yield f"  proved      no partition has more than {self.most:,} parts"
            yield from self._alike()
            yield f"  heaviest    {page.heaviest(map_, groups)}"
            yield f"  lightest    {page.lightest(weights, self._is_free)}"
        heaviest = self.minimised == MINIMISED[0] and self.maximised != _LIGHTEST
        if result.bound is not None and heaviest:
            least = f"{result.bound:,}{self._gap}"
            yield f"  proved      no partition has a heaviest part below {least}"
        borders = counted(sum(map(len, map_.neighbours)) // 2, "border", ",")
        yield f"  map         {borders}, {connectivity(map_)}"
        if map_.comment:
            yield f"  remark      {map_.comment}"
        yield self.time_line

    def _alike(self) -> Iterator[str]:
        """Yield the lines on how alike regions of one part are, if they are to be."""
        cost, bound = self.cost, self.bound
        if not self.columns or cost is None:
            return
        within = f"within parts, of {', '.join(self.columns)} in standard deviations"
        one = cost_in(self._deviations, [range(self.map.n)], self.minimised)
        yield f"  {self.minimised:11} {cost:.6g} {within}"
        yield f"              {cost / one:.2%} of one part of all regions"
        if self.result.cost and not self.result.bound:
            pieces = len(components(self.map))
            why = f"; {page.in_pieces(pieces)}" if pieces > 1 else ""
            yield f"  at least    0, nothing is proved so far{why}"
        elif bound is not None:
            down = Context(prec=6, rounding=ROUND_FLOOR).create_decimal(bound)
            yield f"  at least    {down:.6g}, of any parts{self._gap}"


def is_polygons(path: AnyPath, edges: AnyPath | None = None) -> bool:
    """Return whether a file holds polygons: by its name, or as there are no edges."""
    if is_standard(path):
        return edges is None
    return is_map_file(path)


class MapRead(NamedTuple):
    """A map as it was read, and the attributes of all regions, if they have some."""

    instance: ConnectedPartition
    regions: Sequence[Mapping[str, Any]] | None


@dataclass(eq=False)
class MapRequest:
    """A request for parts of a map; see :func:`atleastk.partition`."""

    k: int | None = None
    _: KW_ONLY
    parts: int | None = None
    within: float | None = None
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
        self.alike, share = tuple(self.alike), self.within
        given = [n for n in (self.k, self.parts) if n is not None]
        if not 0 < len(given) < (3 if self.alike else 2) or min(given) < 1:
            raise InvalidInstanceError(
                "expected the least weight k of a part, or a number of parts (both go "
                "with alike only)"
            )
        if share is not None and (self.parts is None or not 0 <= share < 1):
            raise InvalidInstanceError(
                "within: expected a number of parts, and a share below 1 by which "
                f"they may be lighter than their mean, got {share}"
            )
        if share is not None and self.k is not None:
            raise InvalidInstanceError("k, within: both say how light parts may be")
        if self.maximise is not None:
            expect_one_of("maximise", self.maximise, MAXIMISED)
        if self.maximise == _LIGHTEST and (self.parts is None or share is not None):
            raise InvalidInstanceError(
                "maximise lightest: give the number of parts, and no share within: it "
                "finds how light parts have to be"
            )
        if self.maximise == _LIGHTEST and self.alike:
            raise InvalidInstanceError(
                "maximise lightest: parts are even, or alike; --parts with --within "
                "(parts, within) and alike bounds how uneven they are"
            )
        if self.maximise == MAXIMISED[0] and self.parts is not None:
            raise InvalidInstanceError(
                "maximise parts: give the least weight k of a part; a number of parts "
                "goes with maximise lightest"
            )
        expect_one_of("minimise", self.minimised, MINIMISED)
        if bool(self.alike) != (self.minimised != MINIMISED[0]):
            raise InvalidInstanceError(
                "alike: give columns that regions of a part are to be alike in, and "
                "minimise pairs or squares"
            )

    @property
    def minimised(self) -> str:
        """What is least: by default squares if regions are to be alike."""
        return self.minimise or MINIMISED[2 if self.alike else 0]

    def columns(
        self, regions: Sequence[Mapping[str, Any]] | None
    ) -> dict[str, list[Any]]:
        if regions is None:
            raise InvalidInstanceError("alike: an instance has no columns")
        found: dict[str, list[Any]] = {}
        for name in self.alike:
            for region in regions:
                if name not in region:
                    raise InvalidInstanceError(
                        unknown_name(name, region, "alike", "column")
                    )
            found[name] = [region[name] for region in regions]
        return found

    def read(self, source: Any) -> MapRead:
        """Return the map in files, a frame or a graph, and what its regions have."""
        found, regions = self._read(source, self.k or 1)
        if self.parts is None or self.k is not None:
            return MapRead(found, regions)
        mean = Fraction(found.total, self.parts)
        lower = int(mean)
        if self.within is not None:
            lower = min(lower, ceil(mean * (1 - Fraction(str(self.within)))))
        elif self.is_exact:
            lower = 1
        return MapRead(replace(found, k=max(1, lower)), regions)

    @property
    def is_exact(self) -> bool:
        """Whether there are exactly so many parts, and not only a least weight."""
        asked = self.maximise == _LIGHTEST or bool(self.alike)
        return self.parts is not None and asked

    def _read(self, source: Any, k: int) -> MapRead:
        weight, name = self.weight, self.name
        how: dict[str, Any]
        if isinstance(source, ConnectedPartition):
            self._expect_none("an instance", *_OF_TABLES, *_OF_POLYGONS, "name")
            return MapRead(replace(source, k=k), None)
        if isinstance(source, nx.Graph):
            self._expect_none("a graph", *_OF_TABLES, *_OF_POLYGONS)
            labels = _labels(source, name)
            graph = ConnectedPartition.of_graph(source, k, weight=weight, **labels)
            return MapRead(graph, [data for _, data in source.nodes(data=True)])
        if not isinstance(source, str | Path):
            self._expect_none("a frame", *_OF_TABLES, "layer")
            near = 0.0 if self.tolerance is None else self.tolerance
            frame = connected_partition_from_geodataframe(
                source, weight, k, name=name, tolerance=near
            )
            return MapRead(frame, [dict(row) for _, row in source.iterrows()])
        if is_polygons(source, self.edges):
            self._expect_none("polygons", *_OF_TABLES)
            document = read_map_file(source, self.layer)
            how = {"name": name, "layer": self.layer, "read": document}
            polygons = connected_partition_from_file(
                source, weight, k, tolerance=self.tolerance, **how
            )
            features = document["features"]
            return MapRead(polygons, [f.get("properties") or {} for f in features])
        self._expect_none("a table", *_OF_POLYGONS)
        if self.edges is None:
            raise InvalidInstanceError(
                f"{source}: a table of regions needs one of neighbours as edges"
            )
        read = rows_by_name(source)
        how = {"state": self.state, "code": self.code, "name": name, "read": read}
        table = connected_partition_from_tables(
            source, self.edges, k, weight=weight, **how
        )
        return MapRead(table, table_of(source, self.state, read=read)[1])

    def _expect_none(self, kind: str, *names: str) -> None:
        for name in names:
            if getattr(self, name) is not None:
                raise InvalidInstanceError(
                    f"{name}: says nothing of {kind}; leave it out"
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
        another number of parts, as the report says then. With `alike` there are exactly
        so many, and k goes with them.
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
    return partition_read(request.read(source), request, ask)


def partition_read(
    read: MapRead, request: MapRequest, ask: Ask
) -> tuple[Partitioned, Outcome]:
    """Partition a map that has been read."""
    map_ = joined(read.instance, request.together)
    within = ask.sparing(read.instance.n)
    asked: dict[str, Any] = {"asked": request.parts, "maximised": request.maximise}
    if request.is_exact:
        _expect_parts(map_.instance, request)
    if request.alike:
        return _alike(read, map_, request, within, asked)
    if request.maximise is None:
        outcome = solve_finely(map_.instance, within)
    elif request.parts is None:
        outcome, asked["most"] = solve_finest(map_.instance, within)
    else:
        outcome, asked["most"] = solve_evenly(map_.instance, request.parts, within)
    return Partitioned.of(map_, outcome.result, **asked), outcome


def _alike(
    read: MapRead, map_: Joined, request: MapRequest, ask: Ask, asked: dict[str, Any]
) -> tuple[Partitioned, Outcome]:
    """Partition a map into parts that are alike; of the most parts, if that is asked.

    So many parts are found on the map alone, and the search begins with them.
    """
    whole, parts, groups = read.instance, request.parts, Groups()
    found = request.columns(read.regions)
    if request.maximise is not None:
        share = replace(ask, budget=ask.budget.share(FIRST).apart())
        outcome, asked["most"] = solve_finest(map_.instance, share)
        if outcome.result.solution is None:
            return Partitioned.of(map_, outcome.result, **asked), outcome
        groups = [[*nodes] for nodes in outcome.result.groups or ()]
        parts = len(groups)
    elif parts is not None and len(components(map_.instance)) == 1:
        part = ask.budget.share(FIRST)
        _, groups = in_parts(map_.instance, parts, part, decides=False)
    places = deviations_of(whole, found)
    instance = alike(whole, places, request.minimised, map_.members, parts)
    if groups:
        of = [[v for node in nodes for v in map_.members[node]] for nodes in groups]
        ask = replace(ask, start=Solution.of(of))
    outcome = solve_within(instance, ask)
    regions = Joined(whole, tuple((region,) for region in range(whole.n)))
    made = Partitioned.of(regions, outcome.result, instance, **asked, columns=found)
    return made, outcome


def _expect_parts(map_: ConnectedPartition, request: MapRequest) -> None:
    """Refuse a number of parts that no partition of a map has, by counting."""
    parts, pieces = request.parts or 1, len(components(map_))
    if pieces > parts or (pieces > 1 and request.maximise == _LIGHTEST):
        raise InvalidInstanceError(f"parts: {page.in_pieces(pieces)}")
    if parts > (most := most_by_counting(map_)):
        raise InvalidInstanceError(
            f"parts: {parts:,} parts of at least {map_.k:,} need more than the map "
            f"has: regions make {most:,} at most, however they touch"
        )
