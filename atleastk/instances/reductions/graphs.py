"""Graphs that problems are about: vertices 0..n-1 and edges, without loops or twins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shaped import COUNT, LISTS
from atleastk.instances.instance import Instance


@dataclass(frozen=True)
class GraphInstance(Instance):
    """The base of the problems whose instance is a simple graph."""

    vertices: int = field(metadata=COUNT)
    """Their number; they are 0, 1, ..."""
    edges: Sequence[Sequence[int]] = field(metadata=LISTS)
    """Pairs of vertices, stored in ascending order."""

    def __post_init__(self) -> None:
        super().__post_init__()
        first: dict[tuple[int, ...], int] = {}
        for e, given in enumerate(self.edges):
            edge = tuple(sorted(given))
            if len(edge) != 2 or edge[0] == edge[1] or edge[1] >= self.vertices:
                raise InvalidInstanceError(
                    f"edges[{e}]: expected two vertices below {self.vertices}, "
                    f"got {list(given)}"
                )
            if first.setdefault(edge, e) != e:
                raise InvalidInstanceError(
                    f"edges[{e}]: the same edge as edges[{first[edge]}]"
                )
        object.__setattr__(self, "edges", tuple(sorted(first)))

    @cached_property
    def neighbours(self) -> tuple[frozenset[int], ...]:
        """The neighbours of every vertex."""
        found: list[set[int]] = [set() for _ in range(self.vertices)]
        for u, v in self.edges:
            found[u].add(v)
            found[v].add(u)
        return tuple(map(frozenset, found))
