"""Proofs of connected partition: all connected parts of one component are listed.

A part S of p is *inadmissible* if counting excludes that the rest has p - 1 parts:
components of weight R have at least R / most and at most R / least parts, where these
bounds are the window of p. Where the weights need that
(:mod:`atleastk.models.certificates.connected_partition`), the proof assumes that S is
used, derives a contradiction by counting, and continues with the other case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.connected_partition import components, counting_bound, reach
from atleastk.models.encodings.connected_partition import connected_sets
from atleastk.models.proofs.listed import Group, Listed, expect_kind
from atleastk.models.proofs.parts import Case, Levels, Open, refute_all
from atleastk.models.proofs.vipr import Program

_MOST_SETS: Final = 1_000_000
"""The most connected sets that are looked at: some seconds."""


def refuted(
    instance: ConnectedPartition, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    expect_kind(certificate, "count", "parts")
    nodes = _component(instance, certificate, bound)
    place = {node: i for i, node in enumerate(nodes)}
    weights = [instance.weights[node] for node in nodes]
    neighbours = [[place[v] for v in instance.neighbours[node]] for node in nodes]
    level = sum(weights) if bound is None else bound - 1
    listed = _listed(nodes, weights, neighbours, instance.k, level)
    claims = {claim["parts"]: claim for claim in certificate.get("refuted", ())}
    levels = Levels(listed, weights, instance.k, level)
    refute_all(
        levels,
        lambda numbers: [Case(p, _by_place(claims[p], place)) for p in numbers],
        _Rests(levels, neighbours).unused,
    )
    return listed.program


def _by_place(node: Mapping[str, Any], place: Mapping[int, int]) -> dict[str, Any]:
    """Return a tree, or weights, with nodes numbered within the component."""
    if "tree" in node:
        return _by_place(node["tree"], place)
    if "pair" in node:
        sides = {name: _by_place(node[name], place) for name in ("together", "apart")}
        return {"pair": [place[v] for v in node["pair"]], **sides}
    values = [0] * len(place)
    for v, value in node["weights"]:
        values[place[v]] = value
    return {"weights": values}


def _component(
    instance: ConnectedPartition, certificate: Mapping[str, Any], bound: int | None
) -> list[int]:
    """Return the component that is too small, or that proves the bound."""
    if certificate["kind"] == "parts":
        first = certificate["component"]
        return next(c for c in components(instance) if c[0] == first)
    found = [[instance.weights[v] for v in c] for c in components(instance)]
    if bound is None:
        few = (i for i, weights in enumerate(found) if sum(weights) < instance.k)
    else:
        counts = [counting_bound(weights, instance.k) for weights in found]
        few = (i for i, count in enumerate(counts) if count >= bound)
    return components(instance)[next(few)]


def _listed(
    nodes: Sequence[int],
    weights: Sequence[int],
    neighbours: Sequence[Sequence[int]],
    k: int,
    level: int,
) -> Listed:
    """Return the program of all connected parts that weigh from k to a level."""
    found = connected_sets(weights, neighbours, k, level, _MOST_SETS)
    if found is None:
        raise NotApplicableError("there are too many connected sets to list")
    groups = [
        Group("part_" + "_".join(str(nodes[i]) for i in part), dict.fromkeys(part, 1))
        for part in found
    ]
    about = (
        f"Variables: whether a part is used, all connected sets of nodes that weigh "
        f"from {k} to {level},",
        f"of the component of node {nodes[0]}, named by their nodes.",
        "Rows: every node of it, in ascending order, is in one part.",
    )
    return Listed.of(about, groups, [1] * len(nodes))


class _Rests:
    """The rests of listed parts."""

    def __init__(self, levels: Levels, neighbours: Sequence[Sequence[int]]) -> None:
        self._listed, self._neighbours = levels.listed, neighbours
        groups = self._listed.groups
        self._holds = np.zeros((len(groups), len(neighbours)), dtype=np.int64)
        for g, group in enumerate(groups):
            self._holds[g, list(group.items)] = 1
        self._sizes = np.array(levels.sizes, dtype=np.int64)

    def unused(self, case: Open, weights: Sequence[int]) -> Mapping[int, int]:
        """Return lines that exclude inadmissible parts above the greatest weight."""
        groups = self._listed.groups
        rests = {g: self._rest(groups[g]) for g in case.left}
        wrong = {g for g in case.left if not self._possible(case, rests[g])}
        right = [groups[g].sum(weights) for g in case.left if g not in wrong]
        greatest = max(right, default=None)
        return {
            g: self._refuted(case, g, rests[g])
            for g in sorted(wrong)
            if greatest is None or groups[g].sum(weights) > greatest
        }

    def _rest(self, group: Group) -> list[list[int]]:
        """Return the components that a part leaves."""
        left = set(range(len(self._neighbours))).difference(group.items)
        found = []
        while left:
            component = reach(self._neighbours, left)
            found.append(sorted(component))
            left -= component
        return found

    def _possible(self, case: Open, rests: Sequence[Sequence[int]]) -> bool:
        least, most = case.window.least, case.window.most
        sizes = [int(self._sizes[rest].sum()) for rest in rests]
        fewest = [max(1, -(-size // most)) for size in sizes]
        mosts = [size // least for size in sizes]
        each = all(a <= b for a, b in zip(fewest, mosts, strict=True))
        return each and sum(fewest) <= case.window.parts - 1 <= sum(mosts)

    def _refuted(self, case: Open, group: int, rests: Sequence[Sequence[int]]) -> int:
        """Return the line that a part is not used."""
        program = self._listed.program
        used = program.cases({group: 1}, 0)
        apart = self._apart(group, used.above)
        fewest, mosts = [], []
        for rest in rests:
            fewest.append(self._bound(case, "G", rest, apart))
            mosts.append(self._bound(case, "L", rest, apart))
        for low, high in zip(fewest, mosts, strict=True):
            if program.line(low).value > program.line(high).value:
                wrong = program.refuted({low: -1, high: 1})
                return program.joined(used, used.below, wrong)
        if sum(program.line(low).value for low in fewest) > case.window.parts - 1:
            factors = {case.at_most: 1, used.above: -1, **dict.fromkeys(fewest, -1)}
        else:
            factors = {case.at_least: -1, apart: 1, **dict.fromkeys(mosts, 1)}
        wrong = program.refuted(factors)
        return program.joined(used, used.below, wrong)

    def _apart(self, group: int, used: int) -> int:
        """Return the line that parts are not used that share a node with one in use."""
        items = list(self._listed.groups[group].items)
        common = self._holds[:, items].sum(axis=1)
        common[group] = 0
        shared = {g: int(common[g]) for g in np.flatnonzero(common).tolist()}
        combined = {self._listed.rows[i]: 1 for i in items}
        combined[used] = -len(items)
        return self._listed.program.rounded("L", shared, combined)

    def _bound(self, case: Open, sense: str, rest: Sequence[int], apart: int) -> int:
        """Return the line with the fewest or the most parts of a component."""
        program, rows = self._listed.program, self._listed.rows
        held = self._holds[:, rest]
        inside = held.sum(axis=1) == self._holds.sum(axis=1)
        counts = dict.fromkeys(np.flatnonzero(inside).tolist(), 1)
        sizes = self._sizes[rest]
        if sense == "G" and not sizes.any():  # its nodes are in a part
            return program.rounded(sense, counts, {rows[rest[0]]: 1, apart: -1})
        # The rows, each times the weight of its node, bound `share` times the number.
        sign, share = (-1, case.window.most) if sense == "G" else (1, case.window.least)
        sums = held @ sizes
        combined = {
            rows[i]: size for i, size in zip(rest, sizes.tolist(), strict=True) if size
        }
        for line in case.none:
            named = [g for g in program.line(line).terms if inside[g]]
            short = max((sign * (share - int(sums[g])) for g in named), default=0)
            combined[line] = sign * max(0, short)
        crossing = sums[~inside].max(initial=0) if sense == "G" else 0
        combined[apart] = -int(crossing)
        return program.rounded(sense, counts, combined, share)
