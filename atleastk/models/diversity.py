"""l-diversity and t-closeness: the check of solutions.

Definition, complexity and references: :mod:`atleastk.instances.diversity`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import gcd, log, prod
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, Int32Array, IntArray, distinct_places
from atleastk.instances.diversity import MODELLED, Diversity
from atleastk.models import generalization
from atleastk.models.deals import DealtGroups, DealtSolution
from atleastk.models.generalization import (
    GeneralizationSolution,
    classes_of_records,
    with_levels,
)
from atleastk.models.generalization import completed as completed
from atleastk.models.results.solution import Solution, Verdict, labels_of
from atleastk.models.wording import counted

_NEAR: Final = 1e-9
"""Entropies that differ by less are compared exactly."""


def _none() -> IntArray:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """Counts of the values of one sensitive column in every class."""

    rows: IntArray
    """The rows of each class."""
    different: IntArray
    """The different values of each class."""
    most: IntArray
    """The rows of its most frequent value."""
    apart: IntArray
    """How far its shares are from those of the table: with n rows in the table, s in
    the class, c and p of them with a value, the sum of max(0, n c - p s)."""
    home: IntArray = field(default_factory=_none)
    value: IntArray = field(default_factory=_none)
    counts: IntArray = field(default_factory=_none)
    """`home`, `value`, `counts`: of every class and value in it, how many rows."""
    shared: IntArray = field(default_factory=_none)
    """How many rows of the table have that value."""

    @classmethod
    def of(
        cls,
        classes: IntArray,
        values: Int32Array,
        totals: IntArray,
        copies: IntArray | None = None,
    ) -> Standing:
        """Count the values, numbered 0, 1, ..., of every class, numbered likewise.

        `totals` has how many rows of the table have each value; `copies` how many rows
        each entry stands for, 1 by default.
        """
        n = int(totals.sum())
        rows = np.bincount(classes, copies).astype(np.int64)
        pairs = classes.astype(np.int64) * len(totals) + values
        places, numbers = distinct_places(pairs)
        counts = np.bincount(numbers, copies).astype(np.int64)
        home, value = np.divmod(pairs[places], max(1, len(totals)))
        most = np.zeros(len(rows), dtype=np.int64)
        np.maximum.at(most, home, counts)
        apart = np.zeros(len(rows), dtype=np.int64)
        shared = totals[value]
        np.add.at(apart, home, np.maximum(0, n * counts - shared * rows[home]))
        different = np.bincount(home, minlength=len(rows))
        return cls(rows, different, most, apart, home, value, counts, shared)

    @property
    def starts(self) -> IntArray:
        """The first pair of each class and a value in it."""
        return np.searchsorted(self.home, np.arange(len(self.rows)))

    def wrongs(
        self, instance: Diversity, column: int
    ) -> Iterator[tuple[BoolArray, str]]:
        """Yield which classes break a condition, and the condition in words."""
        l = instance.l  # noqa: E741 - as in the papers
        if instance.reading == "distinct":
            yield self.different < l, f"fewer than {l} different values"
        elif instance.reading == "entropy":
            yield ~self._has_entropy(l), f"an entropy below log {l}"
        elif instance.reading == "recursive":
            few = self.most >= (instance.c or 1) * self._rest(l)
            yield few, f"no ({instance.c}, {l})-diverse values"
        else:
            # Beyond n no product is needed, and none leaves 64 bits.
            yield (
                self.most * min(l, instance.n + 1) > self.rows,
                (f"more than 1/{l} of its rows with one value"),
            )
        if instance.t is not None and instance.ordered:
            ahead = self._far_in_order(instance.ranks[column], instance.totals[column])
            far = np.array([x > instance.t for x in ahead], dtype=np.bool_)
            yield far, f"values further than {instance.t} from those of the table"
        elif instance.t is not None:
            most = [instance.reach(rows) for rows in self.rows.tolist()]
            far = self.apart > np.array(most, dtype=np.int64)
            yield far, f"values further than {instance.t} from those of the table"

    def _has_entropy(self, l: int) -> BoolArray:  # noqa: E741 - as in the papers
        """Tell which classes have an entropy of log l at least; exactly, if it is near.

        That is s^s >= l^s times the product of c^c.
        """
        spread = np.zeros(len(self.rows))
        np.add.at(spread, self.home, self.counts * np.log(self.counts))
        rows = np.maximum(1, self.rows)
        more = np.log(rows) - spread / rows - log(l)
        found: BoolArray = more > 0
        for g in np.flatnonzero(np.abs(more) < _NEAR).tolist():
            counts = self.counts[self.home == g].tolist()
            # Only shares count: the root of both sides has smaller numbers.
            counts = [count // gcd(*counts) for count in counts]
            s = sum(counts)
            found[g] = s**s >= l**s * prod(c**c for c in counts)
        return found

    def _rest(self, l: int) -> IntArray:  # noqa: E741 - as in the papers
        """Return the rows of each class without those of its l - 1 commonest values."""
        order = np.lexsort((-self.counts, self.home))
        home, counts = self.home[order], self.counts[order]
        place = np.arange(len(home)) - self.starts[home]
        rest = np.zeros(len(self.rows), dtype=np.int64)
        np.add.at(rest, home, np.where(place >= l - 1, counts, 0))
        return rest

    def _far_in_order(self, ranks: IntArray, totals: IntArray) -> list[Fraction]:
        """Return how far the shares are, values being in the order of their ranks."""
        m, n = len(totals), int(totals.sum())
        held = np.zeros((len(self.rows), m), dtype=np.int64)
        held[self.home, ranks[self.value]] = self.counts
        whole = np.zeros(m, dtype=np.int64)
        whole[ranks] = totals
        ahead = n * held.cumsum(axis=1) - self.rows[:, None] * whole.cumsum()
        # Sums of these may leave 64 bits; those of their upper and lower halves do not.
        halves = (half.sum(axis=1).tolist() for half in np.divmod(np.abs(ahead), 2**31))
        steps = max(1, m - 1) * n
        return [
            Fraction(2**31 * high + low, steps * max(1, s))
            for high, low, s in zip(*halves, self.rows.tolist(), strict=True)
        ]


def check(instance: Diversity, solution: Solution) -> Verdict:
    """Recompute the loss of a solution and list its violations.

    Each group is checked by itself: if groups that look the same are admissible, so is
    their union.
    """
    verdict = generalization.check(instance, solution)
    if verdict.cost is None:
        return verdict
    if instance.nodes_alone:
        levels = with_levels(instance, solution).levels[0]
        found = standings_of_kinds(instance, classes_of_records(instance, levels)[1])
    elif isinstance(solution, DealtSolution):
        held = DealtGroups.of(solution).held
        row, _, copies = solution.columns
        found = standings(instance, held.homes, row[held.items], copies[held.items])
    elif instance.dealt:
        return check(instance.written_out, solution)
    else:
        found = standings(instance, labels_of(solution.groups, instance.n))
    more = [
        f"group {g} has {words} in sensitive column {j}"
        for j, standing in enumerate(found)
        for broken, words in standing.wrongs(instance, j)
        for g in broken.nonzero()[0].tolist()
    ]
    return replace(verdict, violations=(*verdict.violations, *more))


def standings(
    instance: Diversity,
    classes: IntArray,
    rows: IntArray | slice = slice(None),
    copies: IntArray | None = None,
) -> Iterator[Standing]:
    """Yield the counts of each sensitive column in classes of copies of these rows."""
    for values, totals in zip(instance.values.T, instance.totals, strict=True):
        yield Standing.of(classes, values[rows], totals, copies)


def standings_of_kinds(instance: Diversity, class_of: IntArray) -> Iterator[Standing]:
    """Yield the counts of each sensitive column in classes of the distinct records."""
    record, *columns = instance.kinds.codes.T
    for values, totals in zip(columns, instance.totals, strict=True):
        yield Standing.of(class_of[record], values, totals, instance.kinds.copies)


def failing_kinds(
    instance: Diversity, classes: IntArray, kinds: IntArray, copies: IntArray
) -> BoolArray:
    """Tell which classes of copies of kinds break l-diversity or t-closeness."""
    columns = instance.kinds.codes[kinds, 1:].T
    pairs = zip(columns, instance.totals, strict=True)
    found = (Standing.of(classes, *pair, copies) for pair in pairs)
    none = np.zeros(int(classes.max(initial=-1)) + 1, dtype=np.bool_)
    return none | _broken(instance, found)


def is_diverse_whole(instance: Diversity) -> bool:
    """Tell whether the whole table, as one class, satisfies the conditions."""
    whole = np.zeros(instance.records.distinct, dtype=np.int64)
    return not _broken(instance, standings_of_kinds(instance, whole)).any()


def is_diverse(instance: Diversity, rows: Sequence[int] | IntArray) -> bool:
    """Tell whether these rows, as one class, satisfy l-diversity and t-closeness."""
    chosen = np.array(rows, dtype=np.int64)
    classes = np.zeros(len(chosen), dtype=np.int64)
    return not failing(instance, classes, chosen).any()


def failing(
    instance: Diversity, classes: IntArray, rows: IntArray | slice = slice(None)
) -> BoolArray:
    """Tell which classes of these rows break l-diversity or t-closeness."""
    none = np.zeros(int(classes.max(initial=-1)) + 1, dtype=np.bool_)
    return none | _broken(instance, standings(instance, classes, rows))


def _broken(instance: Diversity, found: Iterable[Standing]) -> BoolArray:
    """Tell which classes break a condition; False if there are no sensitive columns."""
    wrong = np.zeros((), dtype=np.bool_)
    for j, standing in enumerate(found):
        for broken, _ in standing.wrongs(instance, j):
            wrong = wrong | broken
    return wrong


def obstacles(instance: Diversity) -> dict[int, str]:
    """Return why the whole table breaks a condition, by sensitive column.

    Then nothing is feasible, see "Joins" in :mod:`atleastk.instances.diversity`. The
    whole table always satisfies t-closeness.
    """
    found = {}
    whole = np.zeros(instance.records.distinct, dtype=np.int64)
    of_whole = standings_of_kinds(instance, whole) if instance.n else ()
    for j, standing in enumerate(of_whole):
        if instance.reading not in MODELLED:
            wrongs = standing.wrongs(instance, j)
            broken = next((words for wrong, words in wrongs if wrong[0]), None)
            if broken is not None:
                found[j] = f"has {broken}{_nearest(instance, standing, j)}"
            continue
        different, most = int(standing.different[0]), int(standing.most[0])
        l, asks = instance.l, f"l = {instance.l}"  # noqa: E741 - as in the papers
        if instance.reading == "distinct" and different < l:
            found[j] = (
                f"has {counted(different, 'value')}, {asks} asks for {l}; l = "
                f"{different} can be had"
            )
        elif instance.reading == "frequency" and most * l > instance.n:
            allowed = f"{asks} by frequency allows {instance.n // l}"
            found[j] = (
                f"has one value in {most} of {instance.n} rows, {allowed}; l = "
                f"{instance.n // most} can be had"
            )
    return found


def _nearest(instance: Diversity, standing: Standing, column: int) -> str:
    """Return the greatest l that the whole table has, in words."""
    for l in range(min(instance.l - 1, int(standing.different[0])), 0, -1):  # noqa: E741
        wrongs = standing.wrongs(replace(instance, l=l), column)
        if not any(wrong[0] for wrong, _ in wrongs):
            return f"; l = {l} can be had"
    return ""


def is_diverse_node(instance: Diversity, levels: tuple[int, ...]) -> bool:
    """Tell whether the classes of a node have k rows and are diverse."""
    class_of = classes_of_records(instance, levels)[1]
    sizes = np.bincount(class_of, instance.records.copies)
    enough = not instance.n or int(sizes.min()) >= instance.k
    found = standings_of_kinds(instance, class_of)
    return enough and not _broken(instance, found).any()


SOLUTION: Final = GeneralizationSolution
