"""Proofs of lattices: statements on single nodes exclude all nodes.

The program has a variable for every column j and level x above the lowest: whether j
has level x or more, which implies x - 1. There is a row for every node that the
certificate names: no node at or below a refused one, none at or above a dear one, and
not one that stands alone. `height` and `precision` have a row for their sum.

It is refuted box by box: all nodes between two are refuted by a single row, or they are
divided by the level of a column. That the rows hold is counted at each node that is
named, by :mod:`atleastk.models.certificates.generalization`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

from atleastk.instances.fields.errors import CertificateError
from atleastk.instances.generalization import Generalization
from atleastk.models.proofs.vipr import Number, Program, add_lines

_Levels = tuple[int, ...]


def lattice_refuted(
    instance: Generalization, certificate: Mapping[str, Any], bound: int
) -> Program:
    """Return the refuted program of all nodes that lose less than a bound."""
    lattice = _Lattice(instance, certificate, bound)
    lattice.refute(_Box((0,) * instance.m, tuple(instance.heights), {}, {}))
    return lattice.program


class _Box(NamedTuple):
    """An interval of the lattice, and the lines that restrict the node to it."""

    lowest: _Levels
    highest: _Levels
    least: Mapping[int, int]
    most: Mapping[int, int]
    """`least`, `most`: by column, the line that it has the level of the lowest node or
    more, and that it has none above that of the highest."""


class _Lattice:
    """The program of a lattice, and how it is refuted."""

    def __init__(
        self, instance: Generalization, certificate: Mapping[str, Any], bound: int
    ) -> None:
        self.program = program = Program(_about(instance, bound))
        self._at_least = [
            [program.variable(f"level_{j}_{x}", 1) for x in range(1, height + 1)]
            for j, height in enumerate(instance.heights)
        ]
        self._places = {
            variable: (j, x)
            for j, variables in enumerate(self._at_least)
            for x, variable in enumerate(variables, 1)
        }
        self._chains = [
            [
                program.row(f"chain_{j}_{x}", "L", {upper: 1, lower: -1}, 0)
                for x, (lower, upper) in enumerate(pairwise(variables), 1)
            ]
            for j, variables in enumerate(self._at_least)
        ]
        self._weights, self._bound = instance.weights, bound
        self._loss = self._limited() if instance.is_linear else None
        self._refused, self._dear, self._alone = (
            {tuple(node): self._row(name, tuple(node)) for node in certificate[name]}
            if name in certificate
            else {}
            for name in ("refused", "dear", "alone")
        )

    def refute(self, box: _Box) -> int:
        """Return the contradiction of a box."""
        row = next(self._refuting(box), None)
        if row is not None:
            return self._contradiction(box, row)
        column, level = self._divided(box)
        cases = self.program.cases({self._at_least[column][level]: 1}, 0)
        low, high = list(box.lowest), list(box.highest)
        high[column], low[column] = level, level + 1
        below = box._replace(
            highest=tuple(high), most={**box.most, column: cases.below}
        )
        above = box._replace(
            lowest=tuple(low), least={**box.least, column: cases.above}
        )
        return self.program.joined(cases, self.refute(below), self.refute(above))

    def _refuting(self, box: _Box) -> Iterator[int]:
        """Yield the rows that no node of a box keeps."""
        if self._loss is not None:
            pairs = zip(self._weights, box.lowest, strict=True)
            if sum(weight * level for weight, level in pairs) >= self._bound:
                yield self._loss
        yield from (row for d, row in self._dear.items() if _below(d, box.lowest))
        yield from (row for r, row in self._refused.items() if _below(box.highest, r))
        if box.lowest == box.highest and box.lowest in self._alone:
            yield self._alone[box.lowest]

    def _divided(self, box: _Box) -> tuple[int, int]:
        """Return a column, and the highest level of the part with the lowest node.

        That part lies below a refused node, as large as possible, but for later cuts.
        """
        reached = [r for r in self._refused if _below(box.lowest, r)]
        if box.lowest in self._alone:
            reached.append(box.lowest)
        if not reached:
            raise CertificateError(f"nothing is said of the node {box.lowest}")
        best = max(reached, key=lambda r: prod(_sizes(box, r)))
        pairs = enumerate(zip(best, box.highest, strict=True))
        return next((j, level) for j, (level, top) in pairs if level < top)

    def _contradiction(self, box: _Box, row: int) -> int:
        """Return the line that no node of a box keeps a row."""
        sign = -1 if self.program.line(row).sense == "G" else 1
        combined: dict[int, Number] = {row: sign}
        for variable, factor in self.program.left(combined).items():
            column, level = self._places[variable]
            if factor > 0 and level <= box.lowest[column]:  # it is 1
                lines: dict[int, Number] = {box.least[column]: -1}
                span = slice(level - 1, box.lowest[column] - 1)
            elif factor < 0 and level > box.highest[column]:  # it is 0
                lines = {box.most[column]: 1}
                span = slice(box.highest[column], level - 1)
            else:
                continue
            lines |= dict.fromkeys(self._chains[column][span], 1)
            add_lines(combined, max(factor, -factor), lines)
        return self.program.refuted(combined)

    def _limited(self) -> int:
        terms = {
            variable: weight
            for variables, weight in zip(self._at_least, self._weights, strict=True)
            for variable in variables
        }
        return self.program.row("loss", "L", terms, self._bound - 1)

    def _row(self, name: str, node: _Levels) -> int:
        """Return the row by which a named node excludes others, or itself."""
        label = "_".join((name, *map(str, node)))
        up: dict[int, int] = {}
        down: dict[int, int] = {}
        for found, level in zip(self._at_least, node, strict=True):
            up |= dict.fromkeys(found[level : level + 1], 1)
            down |= dict.fromkeys(found[:level][-1:], -1)
        if name == "refused":
            return self.program.row(label, "G", up, 1)
        if name == "dear":
            return self.program.row(label, "G", down, 1 - len(down))
        return self.program.row(label, "G", up | down, 1 - len(down))


def _below(lower: _Levels, upper: _Levels) -> bool:
    return all(a <= b for a, b in zip(lower, upper, strict=True))


def _sizes(box: _Box, node: _Levels) -> Iterator[int]:
    """Yield by column how many levels of a box are no higher than those of a node."""
    for low, high, level in zip(box.lowest, box.highest, node, strict=True):
        yield min(high, level) - low + 1


def _about(instance: Generalization, bound: int) -> Iterator[str]:
    yield "Variables: whether column j has level x or more."
    yield (
        "Rows: no node at or below a refused one (it is not admitted); none at or above"
    )
    yield (
        f"a dear one (without suppressed rows it loses {bound} or more); not one that "
        "stands"
    )
    yield "alone (not admitted, or as dear with what has to be suppressed)."
    if instance.is_linear:
        yield f"The loss is less than {bound}."
