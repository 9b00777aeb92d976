"""Domain generalisation hierarchies: what the values of a column may be made into.

A hierarchy of height h gives every value a *chain* of h + 1 labels: the value itself
(level 0), its generalisations, and at level h the same label for all. Values that
share a label at one level share those of all higher levels. Labels of different levels
are never equal: a cell says at which level it is published.

Suppression is the hierarchy of height 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.shapes import JsonSchema, ListOf, Table

__all__ = ["Hierarchies", "Hierarchy", "suppression_of"]

Label = str | int


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
            message = "expected a chain of labels for every value, got none"
            raise InvalidInstanceError(message)
        values: set[Label] = set()
        above: dict[tuple[int, Label], Label] = {}
        for i, chain in enumerate(chains):
            if chain[0] in values:
                message = f"[{i}]: the value {chain[0]!r} has a chain already"
                raise InvalidInstanceError(message)
            values.add(chain[0])
            for level, (label, general) in enumerate(pairwise(chain)):
                if above.setdefault((level, label), general) != general:
                    message = (
                        f"[{i}]: {label!r} of level {level} becomes {general!r} here "
                        f"and {above[level, label]!r} before"
                    )
                    raise InvalidInstanceError(message)
        tops = {chain[-1] for chain in chains}
        if len(tops) > 1:
            shown = ", ".join(map(repr, sorted(map(str, tops))[:3]))
            message = f"expected one label at the top, got {shown}"
            raise InvalidInstanceError(message)

    @property
    def height(self) -> int:
        """The level of the top."""
        return len(self.chains[0]) - 1

    @cached_property
    def chain_of(self) -> Mapping[Label, Sequence[Label]]:
        """The chain of every value."""
        return {chain[0]: chain for chain in self.chains}


def suppression_of(values: Iterable[Label]) -> Hierarchy:
    """Return the hierarchy of height 1 over these values, with ``*`` at its top."""
    return Hierarchy([(value, "*") for value in dict.fromkeys(values)])


@dataclass(frozen=True, slots=True)
class Hierarchies:
    """The shape of a field with a hierarchy for every column: lists of chains."""

    def parse(self, value: object, path: str) -> tuple[Hierarchy, ...]:
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            message = f"{path}: expected a list with the chains of every column"
            raise InvalidInstanceError(message)
        return tuple(
            _hierarchy(chains, f"{path}[{j}]") for j, chains in enumerate(value)
        )

    def json_schema(self) -> JsonSchema:
        return ListOf(Table()).json_schema()


def _hierarchy(value: object, path: str) -> Hierarchy:
    if isinstance(value, Hierarchy):
        return value
    chains = Table().parse(value, path)
    try:
        return Hierarchy(chains)
    except InvalidInstanceError as error:
        message = f"{path}: {error}"
        raise InvalidInstanceError(message) from error
