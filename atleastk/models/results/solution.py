"""Solutions, and the verdict of a checker on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain, islice
from typing import Any, ClassVar, Self

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidResultError
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.fields.shapes import Shape
from atleastk.models.results.fields import GROUPS, read, read_list
from atleastk.models.results.packed_groups import PackedGroups


def in_short(shown: Iterable[str], rest: int, between: str = " ") -> str:
    """Return some of many texts on a line, and how many more there are."""
    return between.join(shown) + (f" ... {rest} more" if rest > 0 else "")


def others(rest: int) -> Iterator[str]:
    """Yield how many groups there are besides those that are shown."""
    if rest > 0:
        yield f"... {rest} more; -o or --json has all"


@dataclass(frozen=True, slots=True)
class Solution:
    """A partition of the items 0..n-1 into groups.

    Problems whose solutions have more (centres, rectangles, suppressed cells) subclass
    this: `SOLUTION` of their model. `LISTS` names the lists of their JSON objects, with
    the shape of an entry; `BY_GROUP` those with one entry for each group, by position,
    `ASCENDING` those that are sorted, and `FIELDS` the fields of other names. `ALSO`
    are the lists of another form of the same problem's solutions.
    """

    LISTS: ClassVar[Mapping[str, Shape[Any]]] = {}
    ALSO: ClassVar[Mapping[str, Shape[Any]]] = {}
    BY_GROUP: ClassVar[tuple[str, ...]] = ()
    ASCENDING: ClassVar[tuple[str, ...]] = ()
    FIELDS: ClassVar[Mapping[str, str]] = {}

    groups: Sequence[tuple[int, ...]]

    __repr__ = brief

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self | None:
        """Read the solution of a result's JSON object; None if it has none."""
        groups, more = read(data, "groups", GROUPS), cls._more(data)
        return None if groups is None else cls.of(groups, **more)

    @classmethod
    def _more(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Read the lists beside the groups."""
        lists = {name: read_list(data, name, item) for name, item in cls.LISTS.items()}
        lists |= {name: tuple(sorted(lists[name])) for name in cls.ASCENDING}
        return {cls.FIELDS.get(name, name): found for name, found in lists.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of a result's JSON object that hold the solution."""
        named = {name: self.FIELDS.get(name, name) for name in ("groups", *self.LISTS)}
        found = {name: getattr(self, field) for name, field in named.items()}
        return {
            name: one.lists() if isinstance(one, PackedGroups | CodedTable) else one
            for name, one in found.items()
        }

    @classmethod
    def of(cls, groups: Iterable[Iterable[int]], **more: Any) -> Self:
        """Return the solution in normal form: items sorted, groups by first item.

        Entries of `BY_GROUP` are permuted with the groups; a field of another length is
        left as it is, for the checkers to report.
        """
        found: Sequence[tuple[int, ...]]
        if isinstance(groups, PackedGroups) and groups.sizes.all():
            found, places = groups.arranged()
            order = places.tolist()
        else:
            listed = [tuple(sorted(map(int, group))) for group in groups]
            order = sorted(range(len(listed)), key=listed.__getitem__)
            found = tuple(listed[g] for g in order)
        for name in cls.BY_GROUP:
            entries = more.get(name, ())
            if len(entries) == len(order):
                more[name] = tuple(entries[g] for g in order)
        return cls(found, **more)

    @property
    def ungrouped(self) -> tuple[int, ...]:
        """The outliers: items that are deliberately in no group."""
        return ()

    @property
    def labels(self) -> tuple[int, ...]:
        """The number of its group for every item, and -1 for one in none.

        Raises
        ------
        InvalidResultError
            If the groups are no partition of items 0..n-1.
        """
        pairs = [(item, -1) for item in self.ungrouped]
        pairs += [(item, g) for g, group in enumerate(self.groups) for item in group]
        pairs.sort()
        if [item for item, _ in pairs] != list(range(len(pairs))):
            raise InvalidResultError(
                "groups: no partition of items 0 to n - 1, so items have no label"
            )
        return tuple(label for _, label in pairs)

    def radius(self, _instance: Any) -> float | None:
        """Return the greatest radius of a group, in the unit of the items."""
        return None

    def number_of_groups(self, instance: Any) -> int | None:
        """Return how many groups there are; None if only the instance would say."""
        del instance
        return len(self.groups)

    def group_lines(self, most: int, members: int) -> Iterator[str]:
        """Yield lines of some groups, of some members each, and how many more."""
        for group in islice(self.groups, most):
            yield in_short(map(str, group[:members]), len(group) - members)
        yield from others(len(self.groups) - most)

    def remarks(self, instance: Any) -> Iterator[str]:
        """Yield report lines of what a solution has beside cost and groups."""
        del instance
        yield from ()

    def in_normal_form(self) -> Self:
        """Return the same solution in normal form; see :meth:`of`."""
        more = {one.name: getattr(self, one.name) for one in fields(self)}
        return self.of(more.pop("groups"), **more)

    @classmethod
    def labelled(cls, labels: IntArray) -> Solution:
        """Return the solution, in normal form, that groups items of equal label."""
        return cls(PackedGroups.labelled(labels))


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a checker, without any solver, on a solution or a result.

    Attributes
    ----------
    cost
        Recomputed; None if the solution is not even a partition of the items, and of a
        result without a solution.
    violations
        The reasons against the solution or result, in words.
    verified
        Claims of a result that the checker verified, in words.
    claimed
        Claims of a result that are neither proved nor refuted here, in words.
    proof
        The proof of the claimed bound or of infeasibility, in words; None without one.
    ties
        Tie breakers between solutions of equal cost: lexicographically less is better.
    """

    cost: int | None
    violations: tuple[str, ...] = ()
    verified: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    proof: str | None = None
    ties: tuple[int, ...] = ()

    @property
    def feasible(self) -> bool:
        """Whether nothing is violated."""
        return not self.violations

    @property
    def proved(self) -> bool:
        """Whether nothing is violated, and the claimed bound or status is proved here.

        Never for a solution alone, or for a result without a bound.
        """
        return self.feasible and self.proof is not None

    def _repr_html_(self) -> str:
        told = {
            "violated": self.violations,
            "verified": self.verified,
            "claimed": self.claimed,
        }
        head = "holds" if self.feasible else "does not hold"
        costs = "" if self.cost is None else f", cost {self.cost}"
        rows = [(what, line) for what, lines in told.items() for line in lines]
        return notebook(head + costs, ("", ""), rows)


def _is_partition(n: int, groups: Sequence[Sequence[int]]) -> bool:
    """Tell whether non-empty groups hold each of 0..n-1 once."""
    if isinstance(groups, PackedGroups):
        items, full = groups.items, bool(groups.sizes.all())
    else:
        items, full = np.array([*chain.from_iterable(groups)]), all(groups)
    if not full or len(items) != n:
        return False
    if not n:
        return True
    within = items.dtype.kind in "iu" and items.min() >= 0 and items.max() < n
    return bool(within) and bool(np.bincount(items, minlength=n).all())


def partition_violations(n: int, solution: Solution) -> list[str]:
    """List why the groups are not a partition of 0..n-1 into non-empty groups."""
    if _is_partition(n, solution.groups):
        return []
    home: dict[int, int] = {}
    violations = []
    for g, group in enumerate(solution.groups):
        if not group:
            violations.append(f"group {g} is empty")
        for item in group:
            if not 0 <= item < n:
                violations.append(f"group {g} holds item {item}, outside 0..{n - 1}")
            elif item in home:
                violations.append(f"item {item} is in groups {home[item]} and {g}")
            else:
                home[item] = g
    missing = n - len(home)
    if missing:
        first = next(item for item in range(n) if item not in home)
        violations.append(f"{missing} items are in no group, the first is item {first}")
    return violations


def labels_of(groups: Sequence[Sequence[int]], n: int) -> IntArray:
    """Return the number of its group for every item, -1 for one in none.

    As :attr:`Solution.labels`, but without a check of the groups.
    """
    held = PackedGroups.of(groups)
    labels = np.full(n, -1, dtype=np.int64)
    labels[held.items] = held.homes
    return labels
