"""Kinds: equal items, merged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Kinds:
    """The distinct values among items, and which items have them."""

    values: tuple[Any, ...]  # one value per kind, the greatest first
    members: tuple[tuple[int, ...], ...]  # the items of every kind

    @classmethod
    def of(cls, values: Iterable[Any]) -> Kinds:
        """Merge the items 0, 1, ... that have equal values."""
        members: dict[Any, list[int]] = {}
        for item, value in enumerate(values):
            members.setdefault(value, []).append(item)
        ordered = sorted(members, reverse=True)
        return cls(tuple(ordered), tuple(tuple(members[value]) for value in ordered))

    @classmethod
    def apart(cls, values: Iterable[Any]) -> Kinds:
        """Make every item a kind of its own, in the same order."""
        merged = cls.of(values)
        pairs = list(zip(merged.values, merged.members, strict=True))
        return cls(
            tuple(value for value, items in pairs for _ in items),
            tuple((item,) for _, items in pairs for item in items),
        )

    @cached_property
    def demand(self) -> tuple[int, ...]:
        """The multiplicity of every kind."""
        return tuple(map(len, self.members))

    @cached_property
    def kind_of(self) -> tuple[int, ...]:
        """The kind of every item."""
        home = {item: kind for kind, items in enumerate(self.members) for item in items}
        return tuple(home[item] for item in range(len(home)))

    def merge(self, groups: Iterable[Iterable[int]]) -> list[list[int]]:
        """Turn groups of items into groups of kinds."""
        return [sorted(self.kind_of[item] for item in group) for group in groups]

    def unmerge(self, groups: Iterable[Sequence[int]]) -> list[list[int]]:
        """Turn groups of kinds, together a partition, into groups of items."""
        left = [iter(items) for items in self.members]
        return [[next(left[kind]) for kind in group] for group in groups]
