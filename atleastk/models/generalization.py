"""k-anonymity by generalisation: cost, check of solutions, losses of nodes.

Definition, complexity and references: :mod:`atleastk.instances.generalization`.

Sizes of the classes of a node are given by distinct record: each class has its size at
one of its records, and 0 at the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np

from atleastk.arrays import (
    BoolArray,
    Int32Array,
    IntArray,
    distinct_places,
)
from atleastk.instances.counted_elsewhere import CountedElsewhere
from atleastk.instances.generalization import Generalization
from atleastk.instances.records import keys_of
from atleastk.models.deals import (
    DealtGroups,
    DealtSolution,
    Entries,
    as_told,
    solution_of_entries,
    violations_of_deals,
)
from atleastk.models.results.fields import INTEGER, INTEGERS
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import (
    Solution,
    Verdict,
    labels_of,
    partition_violations,
)
from atleastk.models.tables.row_deletion import first_rows, row_deletion
from atleastk.models.wording import counted


@dataclass(frozen=True, repr=False)
class GeneralizationSolution(Solution):
    """Groups of rows that are equal at these levels.

    On entries, tables with copies have deals instead: groups at their least levels.
    """

    ALSO = DealtSolution.LISTS
    BY_GROUP = ("levels",)
    LISTS: ClassVar = {"levels": INTEGERS, "suppressed_rows": INTEGER}

    levels: tuple[tuple[int, ...], ...] = ()
    """On entries the levels of every group, in the order of the groups; on attributes
    one tuple, the levels of all rows."""
    suppressed_rows: tuple[int, ...] = ()
    """On attributes, rows that are published at the top of all columns, whatever the
    levels are; on entries the dropped ones, which are in no group."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Solution | None:  # type: ignore[override]
        """Read deals, or groups and levels where there are none."""
        if data.get("deals") is not None:
            return DealtSolution.from_dict(data)
        return super().from_dict(data)

    @property
    def ungrouped(self) -> tuple[int, ...]:
        """The dropped rows."""
        if not self.suppressed_rows:
            return ()
        rows = np.array(self.suppressed_rows, dtype=np.int64)
        there = np.isin(rows, PackedGroups.of(self.groups).items)
        return tuple(rows[~there].tolist())

    def number_of_groups(self, instance: Any) -> int | None:
        """Return the number of published classes; a node of copies lists no groups."""
        if self.groups or not self.levels:
            return len(self.groups)
        if instance is None:
            return None
        sizes, tops = classes = classes_at(instance, self.levels[0])
        gone = fewest_of(instance, self.levels[0], classes)
        left = sizes > (0 if gone is None else gone)
        suppressed = (left & tops).any() or (gone is not None and gone.any())
        return int((left & ~tops).sum()) + bool(suppressed)

    def remarks(self, instance: Any) -> Iterator[str]:
        yield from super().remarks(instance)
        if instance.on == "attributes":
            names = instance.columns or [f"column {j}" for j in range(instance.m)]
            for levels in self.levels[:1]:
                pairs = zip(names, levels, strict=False)
                yield f"levels  {', '.join(f'{name} {level}' for name, level in pairs)}"
        if instance.suppress_rows:
            count, most = len(self.suppressed_rows), instance.suppress_rows
            if instance.nodes_alone:
                classes = classes_at(instance, self.levels[0])
                rows = fewest_of(instance, self.levels[0], classes)
                count = 0 if rows is None else int(rows.sum())
            verb = "suppressed" if instance.on == "attributes" else "dropped"
            yield f"{verb:10}  {counted(count, 'row')}, {most} allowed"

    def to_dict(self) -> dict[str, Any]:
        document = super().to_dict()
        if not self.suppressed_rows:
            del document["suppressed_rows"]
        return document


def check(instance: Generalization, solution: Solution) -> Verdict:
    """Recompute the loss of a solution and list its violations.

    Groups without levels get the least ones at which they are equal, as those of deals
    do. On attributes a solution for rows with copies is a node, and the fewest rows are
    suppressed.
    """
    if instance.nodes_alone:
        return _check_node(instance, solution)
    if isinstance(solution, DealtSolution) and instance.on == "entries":
        violations = violations_of_deals(instance, solution)
        if violations:
            return Verdict(None, tuple(violations))
        groups = DealtGroups.of(solution)
        least = _least_levels(instance, groups)
        levels = np.maximum(least, instance.least_levels)
        levels = np.minimum(levels, instance.greatest_levels)
        return _check_entries(instance, groups, least, levels)
    if instance.dealt:
        return check(instance.written_out, solution)
    whole, dropped = solution, getattr(solution, "suppressed_rows", ())
    if dropped and instance.on == "entries":
        whole = Solution((*solution.groups, dropped))
    violations = partition_violations(instance.n, whole)
    if violations:
        return Verdict(None, tuple(violations))
    solution = with_levels(instance, solution)
    violations = _impossible_levels(instance, solution)
    n, rows = instance.n, solution.suppressed_rows
    if len(set(rows)) < len(rows) or not all(0 <= row < n for row in rows):
        violations += [f"suppressed_rows: expected rows of 0..{n - 1}, each once"]
    if violations:
        return Verdict(None, tuple(violations))
    groups = DealtGroups.of_rows(instance.n, solution)
    if instance.on == "attributes":
        return _check_attributes(instance, solution, groups)
    shape = len(groups.held), instance.m
    levels = np.array(solution.levels, dtype=np.int64).reshape(shape)
    return _check_entries(instance, groups, _least_levels(instance, groups), levels)


def _check_entries(
    instance: Generalization, groups: DealtGroups, least: IntArray, levels: IntArray
) -> Verdict:
    """Return the verdict on groups at these levels, [group, column]."""
    copies, dropped = groups.copies, instance.n - int(groups.sizes.sum())
    violations = [
        *_too_few(instance, groups, dropped),
        *_apart(levels, levels < least),
    ]
    if instance.row_weights is not None:
        copies = copies * np.array(instance.row_weights, dtype=np.int64)[groups.row]
    sums = (groups.held.sums(copies) @ levels).tolist()
    loss = sum(w * x for w, x in zip(instance.weights, sums, strict=True))
    ties = (dropped,) if instance.most_dropped else ()
    return Verdict(loss, tuple(violations), ties=ties)


def _check_attributes(
    instance: Generalization, solution: GeneralizationSolution, groups: DealtGroups
) -> Verdict:
    """Return the verdict on the classes of a node, with its suppressed rows."""
    held, node, gone = groups.held, solution.levels[0], [*solution.suppressed_rows]
    levels = np.tile(np.array(node, dtype=np.int64), (len(held), 1))
    violations = [*_too_few(instance, groups, len(gone))]
    class_of = classes_of_records(instance, node)[1][instance.records.record_of]
    published = class_of + 1
    if gone:
        hidden = np.isin(np.arange(instance.n), gone)
        top = hidden | looks_suppressed(instance, node)[instance.records.record_of]
        published[top] = 0
        alike, some = held.sums(top) == held.sizes, held.sums(hidden) > 0
        levels[alike | some] = instance.heights
        for g in np.flatnonzero(some & ~alike).tolist():
            row = next(row for row in solution.groups[g] if not top[row])
            violations.append(
                f"group {g} has suppressed rows and row {row}, which is none"
            )
    violations += broken_conditions(instance, node, np.bincount(published))
    # At the tops nothing differs.
    differing = levels < instance.heights
    for j, level in enumerate(node):
        if len(held) and level < instance.heights[j]:
            differing[:, j] &= held.differ(instance.codes[j][level])
    violations += _apart(levels, differing)
    sizes = np.bincount(class_of)
    suppressed = np.bincount(class_of[gone], minlength=len(sizes))
    loss = loss_of_node(instance, node, sizes, suppressed)
    ties = ties_of_node(instance, node, sizes, suppressed)
    return Verdict(loss, tuple(violations), ties=ties)


def _too_few(
    instance: Generalization, groups: DealtGroups, suppressed: int
) -> Iterator[str]:
    """Yield which groups are below k, and that too many rows are in none."""
    sizes, most = groups.sizes, instance.suppress_rows
    for g in np.flatnonzero(sizes < instance.k).tolist():
        yield f"group {g} has {sizes[g]} rows, below k = {instance.k}"
    if suppressed > most:
        yield f"{suppressed} suppressed rows, above suppress_rows = {most}"


def _apart(levels: IntArray, differing: BoolArray) -> Iterator[str]:
    """Yield which groups differ in which columns at their levels, [group, column]."""
    for g, j in zip(*differing.nonzero(), strict=True):
        yield f"group {g} has rows that differ in column {j} at level {levels[g, j]}"


def solution_of_groups(
    instance: Generalization,
    groups: Sequence[Sequence[int]],
    dropped: Sequence[int] = (),
) -> GeneralizationSolution:
    """Return the solution with the least levels at which the groups are equal.

    They are a partition of the rows that are not dropped.
    """
    normal = Solution.of(groups)
    least = _least_levels(instance, DealtGroups.of_rows(instance.n, normal))
    if instance.on == "attributes":
        most = np.maximum(least.max(axis=0, initial=0), instance.least_levels)
        return solution_of_levels(instance, most.tolist())
    least = np.maximum(least, instance.least_levels)
    gone = tuple(sorted(map(int, dropped)))
    levels = tuple(map(tuple, least.tolist()))
    return GeneralizationSolution(normal.groups, levels, gone)


def solution_dropping_rest(
    instance: Generalization, solution: Solution
) -> GeneralizationSolution | DealtSolution:
    """Return the solution with the least levels of these groups, on entries.

    Rows that are in none of them are dropped.
    """
    told = as_told(instance, solution)
    if isinstance(told, DealtSolution):
        return told
    rest = np.flatnonzero(labels_of(told.groups, instance.n) < 0)
    return solution_of_groups(instance, told.groups, rest.tolist())


def classes_on_entries(instance: Generalization, levels: Sequence[int]) -> Solution:
    """Return the classes of a node as groups on entries, each at its least levels."""
    records, home = instance.records, classes_of_records(instance, levels)[1]
    entries = Entries(home, np.arange(records.distinct), records.copies)
    return completed(instance, solution_of_entries(records, entries))


def solution_of_levels(
    instance: Generalization, levels: Sequence[int]
) -> GeneralizationSolution:
    """Return the full-domain solution with these levels; its groups are the classes.

    The fewest rows are suppressed that make it k-anonymous, if that is allowed. Where
    copies are not written out there are no groups.
    """
    if instance.nodes_alone:
        return GeneralizationSolution((), (tuple(map(int, levels)),))
    first, class_of = classes_of_records(instance, levels)
    labels = class_of[instance.records.record_of]
    rows: Sequence[int] = ()
    fewest = fewest_of(instance, levels, classes_at(instance, levels))
    if fewest is not None:
        rows = np.flatnonzero(first_rows(labels, fewest[first])).tolist()
    return solution_at(instance, levels, rows, labels)


def solution_at(
    instance: Generalization,
    levels: Sequence[int],
    rows: Sequence[int],
    labels: IntArray | None = None,
) -> GeneralizationSolution:
    """Return the full-domain solution with these levels and suppressed rows.

    `labels` are its classes, if they are known; they are changed.
    """
    labels = classes_of(instance, levels) if labels is None else labels
    chosen, gone = (tuple(map(int, levels)),), tuple(map(int, rows))
    if gone:
        labels[list(gone)] = -1
        labels[looks_suppressed(instance, levels)[instance.records.record_of]] = -1
    return GeneralizationSolution(Solution.labelled(labels).groups, chosen, gone)


def looks_suppressed(
    instance: Generalization, levels: Sequence[int], codes: Int32Array | None = None
) -> BoolArray:
    """Tell which distinct records a node itself publishes at the top of all columns.

    Or which of those with these codes, [column, record].
    """
    codes = instance.columns_of_records if codes is None else codes
    pairs = zip(instance.top_from, levels, strict=True)
    at_top = [tops <= level for tops, level in pairs]
    if not all(some.any() for some in at_top):
        return np.zeros(codes.shape[1], dtype=np.bool_)
    found = np.ones(codes.shape[1], dtype=np.bool_)
    for column, of_values in zip(codes, at_top, strict=True):
        if not of_values.all():
            found &= of_values[column]
    return found


class Classes(NamedTuple):
    """The classes of a node."""

    sizes: IntArray
    """Their sizes; a size of 0 stands for no class."""
    tops: BoolArray
    """Which of them the node itself publishes at the top of all columns."""


def classes_at(instance: Generalization, levels: Sequence[int]) -> Classes:
    """Return the classes of a node, each at one of its records; in time O(D log D)."""
    if isinstance(instance, CountedElsewhere):
        return Classes(*instance.sizes_at(levels))
    first, class_of = classes_of_records(instance, levels)
    sizes = np.zeros(instance.records.distinct, dtype=np.int64)
    np.add.at(sizes, first[class_of], instance.records.copies)
    return Classes(sizes, looks_suppressed(instance, levels))


def broken_conditions(
    instance: Generalization, levels: Sequence[int], sizes: IntArray | None = None
) -> Iterator[str]:
    """Yield which further conditions the classes of a node break, in words.

    `sizes` are those of the published classes, if they are known; by default no row is
    suppressed.
    """
    asked, n = instance.conditions, instance.n
    if not asked or not n:
        return
    if sizes is None:
        sizes = classes_at(instance, levels).sizes
    classes = int((sizes > 0).sum())
    if asked.mean_risk is not None and classes > asked.mean_risk * n:
        yield f"mean risk {classes}/{n}, above {asked.mean_risk}"
    if asked.small is not None and asked.at_risk is not None:
        rows = int(sizes[sizes < asked.small].sum())
        if rows > asked.at_risk * n:
            yield (
                f"{rows} of {n} rows in classes below {asked.small}, above a share of "
                f"{asked.at_risk}"
            )
    if asked.owners is not None and asked.households is not None:
        pairs = {*zip(classes_of(instance, levels).tolist(), asked.owners, strict=True)}
        owners = int(np.bincount([home for home, _ in pairs]).min())
        if owners < asked.households:
            yield f"a class of {counted(owners, 'owner')}, below {asked.households}"
    if asked.k_map is not None:
        rows = len(instance.table)
        class_of = classes_of(instance.with_population, levels)
        alike = np.bincount(class_of[rows:], minlength=int(class_of.max()) + 1)
        fewest = int(alike[class_of[:rows]].min())
        if fewest < asked.k_map:
            yield f"a row that may be {counted(fewest, 'person')}, below {asked.k_map}"


def fewest_of(
    instance: Generalization,
    levels: Sequence[int],
    classes: Classes,
    allowed: int | None = None,
) -> IntArray | None:
    """Return the fewest rows of each class of a node that have to be suppressed.

    None if they are more than allowed, or the node is refused for another reason. Rows
    that the node itself publishes at the top are not among them.
    """
    allowed = instance.suppress_rows if allowed is None else allowed
    sizes, tops = classes
    none = np.zeros_like(sizes)
    if sizes.max(initial=0) == 0 or sizes[sizes > 0].min() >= instance.k:
        broken = next(broken_conditions(instance, levels, sizes), None)
        if broken is None:
            return none
    if not allowed:
        return None
    others = np.where(tops, 0, sizes)
    asked = instance.conditions
    share = None if asked is None else asked.mean_risk
    most = None if share is None else int(share * instance.n)
    rows = row_deletion(others, instance.k, int(sizes[tops].sum()), most)
    if rows is None or int(rows.sum()) > allowed:
        return None
    return rows


def loss_of_node(
    instance: Generalization,
    levels: Sequence[int],
    sizes: IntArray,
    suppressed: IntArray | int = 0,
) -> int:
    """Return the loss of a node with these suppressed rows of each class.

    Without any, that is a lower bound for it and all nodes above.
    """
    if instance.loss == "discernibility":
        return _discernibility(instance, sizes, suppressed)
    if instance.loss == "average-class-size":
        return instance.n - int((sizes > suppressed).sum())
    return price_of_levels(instance, levels)


def price_of_levels(instance: Generalization, levels: Sequence[int]) -> int:
    """Return the sum of weighted levels: the loss height or precision."""
    return sum(w * x for w, x in zip(instance.weights, levels, strict=True))


def least_by_sizes(instance: Generalization) -> int:
    """Return a lower bound of the loss of every node, since its classes have k rows.

    With suppressed rows, those that look like them may be a smaller class.
    """
    n, k = instance.n, instance.k
    if instance.is_linear or n < k:
        return 0
    allowed = bool(instance.suppress_rows)
    if instance.loss == "average-class-size":
        return max(0, n - n // k - allowed)
    return n * k - (k * k // 4 + 1) * allowed


def ties_of_node(
    instance: Generalization,
    levels: Sequence[int],
    sizes: IntArray,
    suppressed: IntArray,
) -> tuple[int, int, int]:
    """Return the tie breakers between nodes of equal loss; less is better.

    The fewest suppressed rows, then the greatest precision, then the least
    discernibility. So the best node is Pareto optimal in these and the loss.
    """
    imprecise = sum(x * level for x, level in zip(instance.shares, levels, strict=True))
    discernibility = _discernibility(instance, sizes, suppressed)
    return int(suppressed.sum()), imprecise, discernibility


def levels_of(instance: Generalization, solution: GeneralizationSolution) -> IntArray:
    """Return the level of every cell, [row, column]."""
    levels = np.zeros((instance.n, instance.m), dtype=np.int64)
    if instance.on == "attributes":
        levels[:] = solution.levels[0]
        levels[list(solution.suppressed_rows)] = instance.heights
        return levels
    groups = PackedGroups.of(solution.groups)
    chosen = np.array(solution.levels, dtype=np.int64).reshape(len(groups), instance.m)
    levels[groups.items] = np.repeat(chosen, groups.sizes, axis=0)
    levels[list(solution.suppressed_rows)] = instance.heights
    return levels


def classes_of(instance: Generalization, levels: Sequence[int]) -> IntArray:
    """Return the class of every row if the columns are published at these levels."""
    if not instance.m:
        return np.zeros(instance.n, dtype=np.int64)
    codes = [instance.codes[j][level] for j, level in enumerate(levels)]
    return distinct_places(keys_of(codes, len(codes[0])))[1]


def classes_of_records(
    instance: Generalization, levels: Sequence[int]
) -> tuple[IntArray, IntArray]:
    """Return the first record of every class, and the class of every record."""
    if not instance.m:
        none = np.zeros(instance.records.distinct, dtype=np.int64)
        return none[:1], none
    pairs = zip(instance.labels, levels, strict=True)
    codes = [labels[level] for labels, level in pairs]
    return distinct_places(keys_of(codes, instance.records.distinct))


def _discernibility(
    instance: Generalization, sizes: IntArray, suppressed: IntArray | int
) -> int:
    published = sizes - suppressed
    return int((published * sizes).sum()) + instance.n * int((sizes - published).sum())


def _least_levels(instance: Generalization, groups: DealtGroups) -> IntArray:
    """Return the least levels at which each group is equal, [group, column].

    In the order of their labels, from the top down, values that share a label are next
    to each other. So the first and the last of a group share what all of it share.
    """
    held, row, _ = groups
    least = np.zeros((len(held), instance.m), dtype=np.int64)
    for j, column in enumerate(instance.codes if len(held) else ()):
        order = np.lexsort(column.labels)
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        first, last = held.extremes(place[column.numbers[row]])
        below = column.labels[:-1]
        least[:, j] = (below[:, order[first]] != below[:, order[last]]).sum(axis=0)
    return least


def _check_node(instance: Generalization, solution: Solution) -> Verdict:
    """Return the verdict on a node of a table with copies."""
    if solution.groups or not isinstance(solution, GeneralizationSolution):
        return Verdict(None, ("groups: with copies a solution has levels only",))
    if solution.suppressed_rows:
        wrong = "suppressed_rows: with copies they are not named"
        return Verdict(None, (wrong,))
    violations = _impossible_levels(instance, solution)
    if violations:
        return Verdict(None, tuple(violations))
    levels = solution.levels[0]
    classes = classes_at(instance, levels)
    rows = fewest_of(instance, levels, classes)
    if rows is None:
        most = instance.suppress_rows
        wrong = f"levels {levels}: not {instance.k}-anonymous with {most} suppressed"
        wrong = next(broken_conditions(instance, levels, classes.sizes), wrong)
        return Verdict(loss_of_node(instance, levels, classes.sizes), (wrong,))
    loss = loss_of_node(instance, levels, classes.sizes, rows)
    return Verdict(loss, ties=ties_of_node(instance, levels, classes.sizes, rows))


def _impossible_levels(
    instance: Generalization, solution: GeneralizationSolution
) -> list[str]:
    wanted = 1 if instance.on == "attributes" else len(solution.groups)
    if len(solution.levels) != wanted:
        return [
            f"levels: expected {wanted} lists of levels, got {len(solution.levels)}"
        ]
    low, high = instance.least_levels, instance.greatest_levels
    lowest = 0 if not any(low) else low
    impossible = {
        chosen
        for chosen in {*map(tuple, solution.levels)}  # few differ
        if len(chosen) != instance.m
        or not all(a <= x <= b for a, x, b in zip(low, chosen, high, strict=True))
    }
    return [
        f"levels[{g}]: expected {instance.m} levels from {lowest} to {high}, got "
        f"{chosen}"
        for g, chosen in enumerate(solution.levels if impossible else ())
        if tuple(chosen) in impossible
    ]


SOLUTION: Final = GeneralizationSolution


def with_levels(instance: Generalization, solution: Solution) -> GeneralizationSolution:
    """Return groups of rows with their least levels, unless they have some."""
    if isinstance(solution, GeneralizationSolution):
        return solution
    return solution_of_groups(instance, solution.groups)


def completed(instance: Generalization, solution: Solution) -> Solution:
    """Return deals on entries with copies, else groups at their least levels."""
    if isinstance(solution, DealtSolution) or instance.dealt:
        solution = as_told(instance, solution)
    if isinstance(solution, DealtSolution):
        return solution
    return with_levels(instance, solution)
