"""Regions that stay together: joined to one before the search, apart again after it.

Contraction
-----------
Let the regions of a list be joined by borders among themselves. The partitions of the
map in which they share a part are those of the map in which they are one node of their
weight, with the borders of all: a part that holds the node is connected exactly if it
is with the regions in its place, and weighs the same. So costs, bounds and proofs are
those of the map of joined regions, which is what is solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from atleastk.arrays import distinct
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import InvalidInstanceError, meant
from atleastk.models.connected_partition import breadth_first, reach


@dataclass(frozen=True, slots=True)
class Joined:
    """A map whose regions are joined to nodes."""

    instance: ConnectedPartition
    """The map of the nodes."""
    members: tuple[tuple[int, ...], ...]
    """The regions of every node."""

    @property
    def regions(self) -> int:
        return sum(map(len, self.members))

    def of_regions(self, of_nodes: Sequence[int]) -> tuple[int, ...]:
        """Return for every region what there is for its node."""
        found = [0] * self.regions
        for value, own in zip(of_nodes, self.members, strict=True):
            for region in own:
                found[region] = value
        return tuple(found)


def joined(instance: ConnectedPartition, together: Iterable[Iterable[Any]]) -> Joined:
    """Join the regions of every list of names; without names they are numbers from 1.

    Raises InvalidInstanceError if a name is unknown or ambiguous, or the regions of a
    list do not touch.
    """
    number: dict[str, list[int]] = {}
    for v in range(instance.n):
        number.setdefault(_name(instance, v), []).append(v)
    lists = [
        [_region(number, name) for name in some if _is_name(name)] for some in together
    ]
    beside: list[set[int]] = [set() for _ in range(instance.n)]
    for some in filter(None, lists):
        apart = set(some) - reach(instance.neighbours, dict.fromkeys(some))
        if apart:
            names = [_name(instance, v) for v in (some[0], min(apart))]
            raise InvalidInstanceError(
                f"together: {names[0]} and {names[1]} share no border, nor one by "
                "others of their list; add these"
            )
        for v in some:
            beside[v] |= set(some)
    near = [sorted(others - {v}) for v, others in enumerate(beside)]
    members = tuple(tuple(sorted(own)) for own in breadth_first(near))
    if len(members) == instance.n:
        return Joined(instance, members)
    return Joined(_contracted(instance, members), members)


def _contracted(
    instance: ConnectedPartition, members: Sequence[Sequence[int]]
) -> ConnectedPartition:
    n = len(members)
    node = np.empty(instance.n, dtype=np.int64)
    for i, own in enumerate(members):
        node[list(own)] = i
    ends = np.sort(node[np.array(instance.edges, dtype=np.int64).reshape(-1, 2)])
    u, v = np.divmod(distinct(ends[:, 0] * n + ends[:, 1]), n)
    weights, places = instance.weights, instance.positions
    heaviest = [max(own, key=weights.__getitem__) for own in members]
    return replace(
        instance,
        weights=[sum(weights[v] for v in own) for own in members],
        edges=[(a, b) for a, b in zip(u.tolist(), v.tolist(), strict=True) if a < b],
        labels=[" + ".join(_name(instance, v) for v in own) for own in members],
        positions=None if places is None else [places[v] for v in heaviest],
    )


def _is_name(cell: Any) -> bool:
    """Return whether a cell of a list holds a name; lists may end early."""
    return cell is not None and str(cell).strip() != ""


def _name(instance: ConnectedPartition, v: int) -> str:
    return str(v + 1) if instance.labels is None else instance.labels[v]


def _region(number: Mapping[str, Sequence[int]], name: Any) -> int:
    found = number.get(str(name), [])
    if not found:
        first = next(iter(number), "")
        how = f'the first is called "{first}", and --name says where names are'
        raise InvalidInstanceError(
            f'together: no region is called "{name}"; {meant(name, number)}{how}'
        )
    if len(found) > 1:
        raise InvalidInstanceError(
            f'together: {len(found)} regions are called "{name}"; choose another '
            "column of names"
        )
    return found[0]
