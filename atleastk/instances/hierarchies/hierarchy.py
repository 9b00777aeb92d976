"""Domain generalisation hierarchies: the generalisations of the values of a column.

A hierarchy of height h gives every value a *chain* of h + 1 labels: the value itself
(level 0), its generalisations, and at level h the same label for all. Values that
share a label at one level share those of all higher levels.

A cell says at which level it is published, and labels are compared level by level. So
a label may come back at a higher level, as it does where a branch is shorter than the
others: the text is the same there, the cells are not.

Suppression is the hierarchy of height 1. Files of hierarchies are read by
:mod:`~atleastk.instances.hierarchies.files`, those that follow a rule are made by
:mod:`~atleastk.instances.hierarchies.rules`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

from atleastk.instances.fields.errors import InvalidInstanceError, placed
from atleastk.instances.fields.shapes import JsonSchema, Table

Label = str | int

TOP: Final = "*"
"""The label at the top of hierarchies that are made."""


@dataclass(frozen=True)
class Hierarchy:
    """Chains of labels of one length, one chain per value.

    In the layout of ARX a chain is a line: the value, its generalisations, the top.
    """

    chains: Sequence[Sequence[Label]]

    def __post_init__(self) -> None:
        chains = Table().parse(self.chains, "chains")
        object.__setattr__(self, "chains", chains)
        if not chains or not chains[0]:
            raise InvalidInstanceError(
                "expected a chain of labels for every value, got none"
            )
        flaw = flaw_of(chains)
        if flaw is not None:
            raise InvalidInstanceError(f"[{flaw[0]}]: {flaw[1]}")

    @property
    def height(self) -> int:
        """The level of the top."""
        return len(self.chains[0]) - 1

    @cached_property
    def chain_of(self) -> Mapping[Label, Sequence[Label]]:
        """The chain of every value."""
        return {chain[0]: chain for chain in self.chains}


def flaw_of(chains: Sequence[Sequence[Label]]) -> tuple[int, str] | None:
    """Return the first chain that does not fit those before it, and why.

    None if all do.

    The chains are of one length.
    """
    levels = [*zip(*chains, strict=True)]
    ends = len({*levels[0]}), len({*levels[-1]})
    if ends == (len(chains), 1) and all(map(_are_nested, levels, levels[1:])):
        return None  # as nearly always, and fast
    values: set[Label] = set()
    above: dict[tuple[int, Label], Label] = {}
    for i, chain in enumerate(chains):
        if chain[0] in values:
            return i, f"the value {chain[0]!r} has a chain already"
        values.add(chain[0])
        for level, (label, general) in enumerate(pairwise(chain)):
            before = above.setdefault((level, label), general)
            if before != general:
                return i, (
                    f"{label!r} of level {level} becomes {general!r} here and "
                    f"{before!r} before"
                )
        if chain[-1] != chains[0][-1]:
            return i, (
                f"expected one label at the top, got {chain[-1]!r} here and "
                f"{chains[0][-1]!r} before"
            )
    return None


def _are_nested(labels: Sequence[Label], general: Sequence[Label]) -> bool:
    """Tell whether equal labels of a level have equal ones at the next."""
    above = dict(zip(labels, general, strict=True))
    return tuple(map(above.__getitem__, labels)) == general


def suppression_of(values: Iterable[Label]) -> Hierarchy:
    """Return the hierarchy of height 1 over these values, with ``*`` at its top."""
    return Hierarchy([(value, TOP) for value in dict.fromkeys(values)])


@dataclass(frozen=True, slots=True)
class Chains:
    """The shape of a hierarchy: its chains, one per value."""

    def parse(self, value: object, path: str) -> Hierarchy:
        if isinstance(value, Hierarchy):
            return value
        chains = Table().parse(value, path)
        with placed(path):
            return Hierarchy(chains)

    def json_schema(self) -> JsonSchema:
        return Table().json_schema()
