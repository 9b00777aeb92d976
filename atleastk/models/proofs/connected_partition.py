"""Proofs of connected partition: all connected parts of one component are listed.

A part S of p is *inadmissible* if counting excludes that the rest has p - 1 parts:
components of weight R have at least R / most and at most R / least parts, where these
bounds are the window of p. Where the weights need that
(:mod:`atleastk.models.certificates.connected_partition`), the proof assumes that S is
used, derives a contradiction by counting, and continues with the other case.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

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


@dataclass(frozen=True, slots=True)
class _Rests:
    """The rests of listed parts."""

    levels: Levels
    neighbours: Sequence[Sequence[int]]

    def unused(self, case: Open, weights: Sequence[int]) -> Mapping[int, int]:
        """Return lines that exclude inadmissible parts above the greatest weight."""
        groups = self.levels.listed.groups
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
        left = set(range(len(self.neighbours))).difference(group.items)
        found = []
        while left:
            component = reach(self.neighbours, left)
            found.append(sorted(component))
            left -= component
        return found

    def _sizes(self, rest: Sequence[int]) -> int:
        return sum(self.levels.sizes[i] for i in rest)

    def _possible(self, case: Open, rests: Sequence[Sequence[int]]) -> bool:
        least, most = case.window.least, case.window.most
        fewest = [max(1, -(-self._sizes(rest) // most)) for rest in rests]
        mosts = [self._sizes(rest) // least for rest in rests]
        each = all(a <= b for a, b in zip(fewest, mosts, strict=True))
        return each and sum(fewest) <= case.window.parts - 1 <= sum(mosts)

    def _refuted(self, case: Open, group: int, rests: Sequence[Sequence[int]]) -> int:
        """Return the line that a part is not used."""
        program = self.levels.listed.program
        used = program.cases({group: 1}, 0)
        apart = self._apart(group, used.above)
        fewest, mosts = [], []
        for rest in rests:
            inside = self._inside(rest)
            counts = dict.fromkeys(inside, 1)
            fewest.append(self._bound(case, "G", counts, rest, apart))
            mosts.append(self._bound(case, "L", counts, rest, apart))
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

    def _inside(self, rest: Sequence[int]) -> list[int]:
        within = set(rest)
        groups = self.levels.listed.groups
        return [g for g, group in enumerate(groups) if within.issuperset(group.items)]

    def _apart(self, group: int, used: int) -> int:
        """Return the line that parts are not used that share a node with one in use."""
        listed = self.levels.listed
        items = listed.groups[group].items
        shared: dict[int, int] = {}
        for g, other in enumerate(listed.groups):
            common = len(items.keys() & other.items.keys())
            if common and g != group:
                shared[g] = common
        combined = {listed.rows[i]: 1 for i in items}
        return listed.program.rounded("L", shared, {**combined, used: -len(items)})

    def _bound(
        self,
        case: Open,
        sense: str,
        counts: Mapping[int, int],
        rest: Sequence[int],
        apart: int,
    ) -> int:
        """Return the line with the fewest or the most parts of a component."""
        listed, sizes = self.levels.listed, self.levels.sizes
        if sense == "G" and not self._sizes(rest):  # its nodes are in a part
            one = {listed.rows[rest[0]]: 1, apart: -1}
            return listed.program.rounded(sense, counts, one)
        share = case.window.most if sense == "G" else case.window.least
        combined: dict[int, Fraction | int] = {
            listed.rows[i]: Fraction(sizes[i], share) for i in rest if sizes[i]
        }
        sign = -1 if sense == "G" else 1
        weigh = Fraction(sign, share)
        within = dict.fromkeys(rest, 1)
        sums: list[Fraction] = [
            sum(sizes[i] for i in group.items if i in within) * weigh
            for group in listed.groups
        ]
        for line in case.none:
            named = listed.program.line(line).terms
            excess = max((sign - sums[g] for g in named if g in counts), default=0)
            combined[line] = sign * max(0, excess)
        crossing = [-h for g, h in enumerate(sums) if g not in counts]
        combined[apart] = sign * max([Fraction(0), *crossing])
        return listed.program.rounded(sense, counts, combined)
