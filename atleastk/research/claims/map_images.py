"""Images of 3DM in maps and tilings, and the matchings that their solutions choose.

All groups that can be part of a solution of cost 3 are listed, and CP-SAT is asked for
disjoint ones that cover all. Every answer is checked, taken back to the triples it
chooses, and excluded, until there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.instances.reductions import rectangle_tiling
from atleastk.instances.reductions.connected_partition import to_connected_partition
from atleastk.instances.reductions.rectangle_tiling import (
    to_rectangle_tiling,
    to_rectangle_tiling_grid,
)
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.models import connected_partition as partition_model
from atleastk.models import rectangle_tiling as tiling_model
from atleastk.models import rectangle_tiling_grid as grid_model
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.solution import Solution, Verdict
from atleastk.models.results.status import Status
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.brute_force.combinatorial import exact_covers
from atleastk.solvers.brute_force.gadget_states import (
    boxes_of_weight,
    connected_triples,
)
from atleastk.solvers.budget import Budget

COST: Final = 3
"""What solutions cost that choose a matching."""

Chosen = frozenset[int]
Items = frozenset[Any]
Back = Callable[
    [ThreeDimensionalMatching, Iterable[Iterable[int]]], tuple[int, ...] | None
]


@dataclass(frozen=True, slots=True)
class Cover:
    """A question for disjoint groups that cover items."""

    groups: Sequence[Items]  # what may be taken
    wanted: Collection[Hashable]  # what must be covered


@dataclass(frozen=True, slots=True)
class Image:
    """A reduction from 3DM, with all that is needed to check it."""

    name: str
    forward: Callable[[ThreeDimensionalMatching], Any]
    back: Back
    """`forward`, `back`: as of
    :class:`atleastk.instances.reductions.reduction.Reduction`."""
    cover: Callable[[Any], Cover]
    """What solutions of cost 3 are covers of."""
    solution: Callable[[Any, Sequence[Items]], Solution]
    """The solution that some groups are."""
    check: Callable[[Any, Any], Verdict]
    """The checker of the target."""
    place: Callable[[Any, int], Hashable]
    """The first of the three items of the triple of that number."""


def objection(image: Image, problem: ThreeDimensionalMatching) -> str | None:
    """Return why a problem refutes a reduction; None if it does not.

    The solutions of cost 3 should choose all matchings, and nothing else.
    """
    target = image.forward(problem)
    cover = image.cover(target)
    found: set[Chosen] = set()
    excluded: list[list[int]] = []
    while (taken := _answer(cover, excluded)) is not None:
        groups = [cover.groups[j] for j in taken]
        solution = image.solution(target, groups)
        verdict = image.check(target, solution)
        if not verdict.feasible or verdict.cost != COST:
            return f"a cover is no solution of cost 3: {verdict}"
        matching = image.back(problem, solution.groups)
        if matching is None or not problem.is_matching(matching):
            return f"a solution of cost 3 gives {matching}"
        if frozenset(matching) in found:
            return f"{matching} is chosen by different groups"
        found.add(frozenset(matching))
        places = {image.place(target, i) for i in matching}
        excluded.append([j for j in taken if cover.groups[j] & places])
    if found != {*map(frozenset, exact_covers(problem.sets, problem.elements))}:
        return f"chosen are {sorted(map(sorted, found))} only"
    return None


def _answer(cover: Cover, excluded: Sequence[Sequence[int]]) -> list[int] | None:
    """Return which groups to take, not all of any excluded; None if none will do."""
    builder = LinearModelBuilder()
    columns = builder.binaries(len(cover.groups))
    holding: dict[Hashable, list[int]] = {item: [] for item in cover.wanted}
    for column, group in zip(columns, cover.groups, strict=True):
        for item in group:
            holding.setdefault(item, []).append(column)
    for item, having in holding.items():
        builder.row(having, at_least=int(item in cover.wanted), at_most=1)
    for taken in excluded:
        builder.row(taken, at_most=len(taken) - 1)
    answer = CpSat().minimise(builder.build(), Budget.of())
    if answer.values is None:
        assert answer.status is Status.INFEASIBLE, "there is no limit"
        return None
    return [int(j) for j in answer.values.nonzero()[0]]


def _rectangles(instance: RectangleTiling) -> Cover:
    width, height = instance.grid.shape
    cells = {
        (x, y): int(instance.grid[x, y]) for x in range(width) for y in range(height)
    }
    whole = instance.cover == "plane"
    wanted = {place for place in cells if whole or cells[place]}
    return Cover(boxes_of_weight(cells, COST), wanted)


def _rectangle_solution(instance: Any, groups: Sequence[Items]) -> Solution:
    boxes = []
    for group in groups:
        xs, ys = zip(*group, strict=True)
        boxes.append((min(xs), min(ys), max(xs) + 1, max(ys) + 1))
    if isinstance(instance, RectangleTilingGrid):
        return grid_model.solution_of_boxes(instance, boxes)
    return tiling_model.solution_of_boxes(instance, boxes)


def _grid_rectangles(instance: RectangleTilingGrid) -> Cover:
    """Return the rectangles of weight 3: in a total of 3 p there are no others."""
    assert instance.total == COST * instance.p
    cells = {
        (i, j): weight
        for i, row in enumerate(instance.grid)
        for j, weight in enumerate(row)
    }
    return Cover(boxes_of_weight(cells, COST), set(cells))


def _of_graphs(name: str, planar: bool, cubic: bool) -> Image:
    return Image(
        name,
        partial(to_connected_partition, planar=planar, cubic=cubic),
        ThreeDimensionalMatching.matching_of,
        lambda one: Cover([*connected_triples(one.neighbours)], range(one.n)),
        lambda _instance, groups: Solution.of(groups),
        partition_model.check,
        lambda _target, i: 3 * i,
    )


def _of_tilings(cover: str, unit: bool = False) -> Image:
    return Image(
        f"tiling, {cover}{', unit weights' if unit else ''}",
        partial(to_rectangle_tiling, cover=cover, unit=unit),
        ThreeDimensionalMatching.matching_of,
        _rectangles,
        _rectangle_solution,
        tiling_model.check,
        lambda target, i: tuple(target.cells[3 * i].tolist()),
    )


IMAGES: Final = (
    _of_graphs("graph", planar=False, cubic=False),
    _of_graphs("cubic graph", planar=False, cubic=True),
    _of_graphs("planar graph", planar=True, cubic=False),
    _of_graphs("planar cubic graph", planar=True, cubic=True),
    _of_tilings("plane"),
    _of_tilings("points"),
    _of_tilings("plane", unit=True),
    Image(
        "RTILE",
        to_rectangle_tiling_grid,
        rectangle_tiling.grid_matching_back,
        _grid_rectangles,
        _rectangle_solution,
        grid_model.check,
        lambda _target, i: (1, 1 + 6 * i),
    ),
)
"""Four of graphs, three of tilings, and RTILE."""
