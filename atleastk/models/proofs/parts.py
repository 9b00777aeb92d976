"""Proofs by cases: for every number of groups that weigh at least k and at most K.

See :mod:`atleastk.models.proofs.listed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from atleastk.models.proofs.listed import Listed
from atleastk.models.windows import Window, hull


class Case(NamedTuple):
    """The refutation of all remaining numbers of groups up to `parts`."""

    parts: int
    tree: Mapping[str, Any]
    """Weights by item, ``{"weights": [...]}``; or a node ``{"pair": [a, b], "together":
    node, "apart": node}`` of two items."""


@dataclass(frozen=True, slots=True)
class Levels:
    """Groups of a list that weigh at least k and at most the level K."""

    listed: Listed
    sizes: Sequence[int]  # the weights of the items in the instance
    k: int
    level: int

    @property
    def total(self) -> int:
        """The weight of all items."""
        pairs = zip(self.sizes, self.listed.demand, strict=True)
        return sum(size * copies for size, copies in pairs)

    def unused(self, some: Sequence[int], line: int, bound: int) -> int:
        """Return the line that none of these groups is used.

        By the line of the fewest groups if they are above the window, and so leave
        others less than k, the bound of each; by that of the most if below, for K.
        """
        share = min((self._weight(g) - bound for g in some), key=abs)
        combined = self.listed.summed(self.sizes, Fraction(1, share))
        combined[line] = Fraction(-bound, share)
        return self.listed.program.rounded("L", dict.fromkeys(some, 1), combined)

    def counted(self, exactly: int | None) -> tuple[int, int]:
        """Return the lines of the fewest and the most groups, the best of several.

        Every group weighs k or more, and has an item of positive weight: either bounds
        their number. If there are exactly so many, the program says so.
        """
        listed, sizes, program = self.listed, self.sizes, self.listed.program
        least, most = [], []
        if exactly is None:
            capped, some = ([min(x, cap) for x in sizes] for cap in (self.k, 1))
            most = [listed.most(capped), listed.most(some)]
        else:
            least = [program.row("fewest", "G", listed.count, exactly)]
            most = [program.row("most", "L", listed.count, exactly)]
        least.append(listed.fewest(sizes))
        values = {line: program.line(line).value for line in (*least, *most)}
        return max(least, key=values.__getitem__), min(most, key=values.__getitem__)

    def open(self, at_least: int, at_most: int) -> Open:
        """Return a case of the numbers of groups with its open numbers."""
        line = self.listed.program.line
        fewest, most = int(line(at_least).value), int(line(at_most).value)
        window = hull(self.total, self.k, (fewest, most), self.level)
        numbers = range(len(self.listed.groups))
        weights = [self._weight(g) for g in numbers]
        heavy = [g for g in numbers if weights[g] > window.most]
        light = [g for g in numbers if weights[g] < min(window.least, window.most + 1)]
        left = [g for g in numbers if window.holds(weights[g])]
        none = [self.unused(heavy, at_least, self.k)] if heavy else []
        none += [self.unused(light, at_most, self.level)] if light else []
        return Open(at_least, at_most, window, left, none)

    def _weight(self, group: int) -> int:
        return self.listed.groups[group].sum(self.sizes)


class Open(NamedTuple):
    """A case of the numbers of groups."""

    at_least: int
    at_most: int
    """`at_least`, `at_most`: the lines of the fewest and the most groups."""
    window: Window
    """The weights of groups."""
    left: Sequence[int]
    """The groups of such weights."""
    none: Sequence[int]
    """The lines that the others are not used."""

    def without(self, lines: Iterable[int], listed: Listed) -> Open:
        """Return the case with further lines that groups are not used."""
        named = {v for line in lines for v in listed.program.line(line).terms}
        left = [group for group in self.left if group not in named]
        return self._replace(left=left, none=(*self.none, *lines))


Unused = Callable[[Open, Sequence[int]], Mapping[int, int]]
"""Returns lines of a case and weights, by the group that each excludes."""


def refute_all(
    levels: Levels,
    cases: Callable[[range], Iterable[Case]],
    unused: Unused = lambda *_: {},
    exactly: int | None = None,
) -> None:
    """Add the proof that no number of groups is possible, given cases of the numbers.

    Cases follow each other up to the most groups; `unused` are lines of further groups
    that are not used. If a number of groups is asked for, the program says so.
    """
    listed, program = levels.listed, levels.listed.program
    missed = listed.missed
    if missed is not None:
        listed.refute([int(item == missed) for item in range(len(listed.demand))])
        return
    at_least, at_most = levels.counted(exactly)
    joins = []
    for case in cases(listed.numbers(at_least, at_most)):
        divided = program.cases(listed.count, case.parts)
        found = levels.open(at_least, divided.below)
        joins.append((divided, _refute_tree(listed, found, case.tree, unused)))
        at_least = divided.above
    above = program.refuted({at_most: 1, at_least: -1})
    for divided, below in reversed(joins):
        above = program.joined(divided, below, above)


def _refute_tree(
    listed: Listed, case: Open, tree: Mapping[str, Any], unused: Unused
) -> int:
    if "pair" in tree:
        cases, alone = listed.by_pair(*tree["pair"])
        below, above = (
            _refute_tree(listed, case.without(lines, listed), tree[name], unused)
            for name, lines in (("apart", (cases.below,)), ("together", alone))
        )
        return listed.program.joined(cases, below, above)
    bounds = unused(case, tree["weights"])
    counted = case.at_least, case.at_most
    return listed.refute(tree["weights"], counted, none=case.none, bounds=bounds)
