"""The gadgets of the reductions to maps and tilings, with their expected states.

Each is isolated from its surroundings, of which only the part remains that groups of
the gadget can reach: nodes beyond it, and the first locations of corridors. All states
are found by trying all covers of its own items.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from atleastk.instances.reductions.corridor_gadgets import (
    BLOCK,
    Cells,
    chooser,
    corridor,
    crossing,
    triple,
)
from atleastk.instances.reductions.path_gadgets import GadgetGraph
from atleastk.instances.reductions.rectangle_tiling import blocked
from atleastk.solvers.brute_force.gadget_states import (
    Group,
    boxes_of_weight,
    connected_triples,
    states,
)

Location = tuple[int, int]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Gadget:
    """A gadget out of its surroundings."""

    name: str
    inner: frozenset[int]
    """The items that are its own."""
    groups: tuple[Group, ...]
    """All groups that there can be."""
    expected: frozenset[Group]
    """The states it should have: sets of items beyond it that its groups cover."""


def wrong_states(gadget: Gadget) -> int:
    """Return the number of states a gadget should not have, or should and lacks."""
    return len(gadget.expected ^ set(states(gadget.groups, gadget.inner)))


def every_gadget() -> Iterator[Gadget]:
    """Yield all gadgets, those of graphs first."""
    for capped in (False, True):
        yield _connector(capped)
    yield _triangle()
    for fanned in (False, True):
        yield _crossover(fanned)
    for degree in range(2, 9):
        yield _choice(degree)
    for degree in range(3):
        yield _cap(degree)
    for length in (1, 3, 5, 7):
        doors = [(0, 0), (0, length + 1)]
        cells = corridor(0, 1, length)
        yield from _tiled(f"corridor of {length}", cells, doors, _each(doors))
    doors = [(i, 1) for i in (0, 2, 4)]
    yield from _tiled("triple", triple(0, 0), doors, [[], doors])
    for ways in range(1, 7):
        doors = [(2 * i, -1) for i in range(ways)]
        cells = chooser(0, 0, ways)
        yield from _tiled(f"chooser of {ways}", cells, doors, _each(doors))
    doors = [(0, -1), (2, -1), (2, 3), (0, 3)]
    yield from _tiled("crossing", crossing(0, 0), doors, _sides(doors))


class _Surrounded(GadgetGraph):
    """A graph with nodes beyond a gadget, which is to be added.

    Each of its ends has `beyond` neighbours beyond, each with another neighbour.
    """

    def __init__(self, ends: int, beyond: int = 2) -> None:
        super().__init__()
        self.ends = list(self.nodes(ends))
        for end in self.ends:
            for near in self.nodes(beyond):
                self.join(end, near)
                self.join(near, self.nodes(1)[0])
        self.outside = len(self.around)

    def gadget(self, name: str, expected: Iterable[Collection[int]]) -> Gadget:
        """Return what was added since."""
        inner = frozenset(range(self.outside, len(self.around)))
        groups = tuple(connected_triples(self.around))
        return Gadget(name, inner, groups, frozenset(map(frozenset, expected)))


def _connector(capped: bool) -> Gadget:
    graph = _Surrounded(2)
    middle = graph.connector(*graph.ends)
    if capped:
        graph.cap(middle + 1)
    name = "connector, capped" if capped else "connector"
    return graph.gadget(name, _each(graph.ends))


def _triangle() -> Gadget:
    graph = _Surrounded(3)
    graph.triple(graph.ends)
    return graph.gadget("triple", [[], graph.ends])


def _crossover(fanned: bool) -> Gadget:
    graph = _Surrounded(4)
    outer = graph.crossover()
    if fanned:
        graph.fan_out(outer[0] - 1)
    for end, choice in zip(graph.ends, outer, strict=True):
        graph.connector(end, choice)
    name = "crossover, centre fanned out" if fanned else "crossover"
    return graph.gadget(name, _sides(graph.ends))


def _choice(degree: int) -> Gadget:
    """Return a choice and its connectors, which cover all ends but one."""
    graph = _Surrounded(degree)
    (choice,) = graph.nodes(1)
    for end in graph.ends:
        graph.connector(choice, end)
    graph.fan_out(choice)
    expected = [[end for end in graph.ends if end != one] for one in graph.ends]
    return graph.gadget(f"choice of {degree}", expected)


def _cap(degree: int) -> Gadget:
    """Return the cap of a node of that degree; the node is its own if of degree 0."""
    graph = _Surrounded(1, degree) if degree else _Surrounded(0)
    graph.cap(graph.ends[0] if degree else graph.nodes(1)[0])
    return graph.gadget(f"cap of degree {degree}", [[]] if degree else [])


def _tiled(
    name: str,
    cells: Cells,
    doors: Sequence[Location],
    expected: Iterable[Sequence[Location]],
) -> Iterator[Gadget]:
    """Yield a gadget of tilings, for both covers.

    To cover the points, only weights need be in boxes, and these have free locations
    only. To cover the plane, all must be, and the blocked ones around too. The
    corridors at the doors begin with the weights that belong there.
    """
    free = cells | {(x, y): 1 + (x + y) % 2 for x, y in doors}
    states = [*expected]
    for cover, window in (("points", free), ("plane", blocked(cells) | free)):
        wanted = [place for place in window if cover == "plane" or window[place]]
        number = {place: i for i, place in enumerate(wanted)}
        yield Gadget(
            f"{name}, {cover}",
            frozenset(number[place] for place in wanted if place not in doors),
            tuple(
                frozenset(number[place] for place in box if place in number)
                for box in boxes_of_weight(window, BLOCK)
            ),
            frozenset(frozenset(number[door] for door in state) for state in states),
        )


def _each(items: Sequence[T]) -> list[list[T]]:
    return [[item] for item in items]


def _sides(items: Sequence[T]) -> list[list[T]]:
    """Return the states in which two neighbours on a cycle of four are covered."""
    return [[items[i], items[(i + 1) % 4]] for i in range(4)]
