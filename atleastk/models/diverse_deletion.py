"""Row suppression at a node of the lattice, for l-diversity and t-closeness.

Rows of the classes of a node may be suppressed, so that every class is empty or
admissible: k rows, and the conditions on sensitive values. The suppressed rows,
together with those that the node itself publishes at the top, are a class as well
(:mod:`atleastk.instances.generalization`, "Suppressed rows"). So classes cannot be
treated one by one; but the sum of their lower bounds bounds the suppressed rows.

Lower bound of a class
----------------------
Let a class have s of n rows, c(v) of them with the value v of p(v) in the table. If r
rows are suppressed, s - r are left, at least `Diversity.least_rows`, or none.

- *Distinct*: fewer rows have no more values. All rows go if there are too few values.
- *Frequency*: with q = floor((s - r) / l), no value keeps more than q. So q rows of
  every value, or all if these are fewer, are l q at least. This is concave in q, and
  true of q = 0: bisection finds the greatest q. The class then keeps
  min(l q + l - 1, sum of min(c(v), q)), and no more.
- *Entropy, recursive*: of all parts of s - r rows the most even one is best, in which
  the most frequent values have lost one row after the other: what is left of any other
  part majorises it, entropy falls with majorisation, and so do the rows of the first
  values that recursive diversity compares with the rest. So r rows are enough for the
  class if they are for its most even part. That is not monotone in r: all are tried.
- *Closeness*: let O be the values v with n c(v) > p(v) s, which have C rows of the
  class and P of the table. O keeps C - r rows or more, and the sum over O of what its
  values have beyond their shares, n (C - r) - P (s - r) at least, is at most
  t n (s - r). So r >= (n C - P s - t n s) / (n - P - t n). The numerator is positive if
  the class is not close to the table; then so is the denominator, for C <= s.
- *Ordered closeness*: one row, if the class is not close to the table.

With several columns or conditions the greatest of these holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, islice
from math import ceil, comb
from typing import Final

import numpy as np

from atleastk.arrays import BoolArray, IntArray
from atleastk.instances.diversity import MODELLED, Diversity
from atleastk.instances.records import Records
from atleastk.models.diversity import Standing, failing, is_diverse, standings
from atleastk.models.generalization import (
    classes_of,
    looks_suppressed,
    loss_of_node,
    ties_of_node,
)
from atleastk.models.tables.row_deletion import first_rows

Levels = tuple[int, ...]

_TRIES: Final = (0, 1, 2, 4, 8)
"""Rows beyond the lower bound that are tried where the bound itself is too few."""

_AT_ONCE: Final = 256
"""Parts of a class that are judged together."""

_MOST_JOINED: Final = 20
"""Further classes that are suppressed so that the suppressed rows are admissible."""


@dataclass(frozen=True, slots=True, eq=False)
class Deletion:
    """A lower bound of the suppressed rows of a node, and rows that are enough."""

    instance: Diversity
    levels: Levels
    """`instance`, `levels`: the node."""
    classes: IntArray
    """The class of every row, tops among them."""
    sizes: IntArray
    """The rows of each class."""
    top: BoolArray
    """The class that the node itself publishes at the top; one at most."""
    least: IntArray
    """The lower bound of the suppressed rows of each class; 0 for the top."""
    fewest: int
    """The lower bound of all suppressed rows."""
    rows: IntArray | None
    """Rows whose suppression is enough; None if none were found."""

    @classmethod
    def at(cls, instance: Diversity, levels: Levels) -> Deletion:
        """Return the suppression at these levels."""
        classes = classes_of(instance, levels)
        sizes = np.bincount(classes)
        top = np.zeros(len(sizes), dtype=np.bool_)
        looks = looks_suppressed(instance, levels)[instance.records.record_of]
        top[classes[looks]] = True
        columns = [*standings(instance, classes)]
        broken = failing(instance, classes) | (sizes < instance.k)
        given = broken & ~top
        least = np.where(given, np.maximum(1, _least(instance, columns, given)), 0)
        fewest = int(least.sum())
        if fewest or broken[top].any():
            fewest = max(fewest, instance.least_rows - int(looks.sum()))
        rows = None
        if fewest <= instance.suppress_rows:
            gone = _thinned(instance, classes, columns, given, least)
            rows = _enough(instance, classes, given, gone, looks)
        return cls(instance, levels, classes, sizes, top, least, fewest, rows)

    @property
    def refused(self) -> bool:
        """Whether more rows must be suppressed than allowed."""
        return self.fewest > self.instance.suppress_rows

    @property
    def least_loss(self) -> int:
        """The lower bound of the loss of the node."""
        return loss_of_node(self.instance, self.levels, self.sizes, self.least)

    def loss(self, rows: IntArray) -> int:
        """Return the loss of the node if these rows are suppressed."""
        return loss_of_node(self.instance, self.levels, self.sizes, self._gone(rows))

    def ties(self, rows: IntArray) -> tuple[int, ...]:
        """Return the tie breakers between nodes of equal loss."""
        return ties_of_node(self.instance, self.levels, self.sizes, self._gone(rows))

    def _gone(self, rows: IntArray) -> IntArray:
        return np.bincount(self.classes[rows], minlength=len(self.sizes))


def is_enough(deletion: Deletion, rows: IntArray) -> bool:
    """Tell whether the suppression of these rows leaves admissible classes only."""
    classes = deletion.classes + 1
    classes[deletion.top[deletion.classes]] = 0
    classes[rows] = 0
    _, numbered, counts = np.unique(classes, return_inverse=True, return_counts=True)
    few = counts < deletion.instance.k
    return not few.any() and not failing(deletion.instance, numbered).any()


def suppressed_sets(deletion: Deletion, most: int) -> Iterator[IntArray] | None:
    """Return the sets of rows that may be suppressed, small ones first.

    Of rows of one class with equal sensitive values the first ones go. None if there
    are more sets than so many.
    """
    instance = deletion.instance
    kinds = Records.coded(np.column_stack((deletion.classes, instance.values)))
    tops = deletion.top[deletion.classes]
    free = [rows for rows in kinds.members if not tops[rows[0]]]
    sizes = range(deletion.fewest, min(instance.suppress_rows, instance.n) + 1)
    if sum(comb(len(free) + size, size) for size in sizes) > most:
        return None
    return (
        np.concatenate([np.empty(0, dtype=np.int64), *parts])
        for size in sizes
        for chosen in combinations_with_replacement(range(len(free)), size)
        for taken in [Counter(chosen)]
        if all(count <= len(free[kind]) for kind, count in taken.items())
        for parts in [[free[kind][:count] for kind, count in taken.items()]]
    )


def _least(
    instance: Diversity, columns: Sequence[Standing], broken: BoolArray
) -> IntArray:
    """Return the lower bound of each class that breaks a condition."""
    least = np.zeros(len(broken), dtype=np.int64)
    sizes = columns[0].rows if columns else least
    for held in columns:
        np.maximum(least, _least_of(instance, held, broken), out=least)
    return np.where(sizes - least < instance.least_rows, sizes, least)


def _total(held: Standing, of_pairs: IntArray) -> IntArray:
    """Return the sum of numbers of pairs over each class."""
    if not len(held.rows):
        return np.zeros(0, dtype=np.int64)
    sums: IntArray = np.add.reduceat(of_pairs, held.starts)
    return sums


def _of_classes(held: Standing) -> list[IntArray]:
    """Return the rows of each value, class by class."""
    return np.split(held.counts, held.starts[1:])


def _least_of(instance: Diversity, held: Standing, broken: BoolArray) -> IntArray:
    """Return the lower bound of the suppressed rows of each broken class."""
    if instance.reading == "distinct":
        given = np.where(held.different < instance.l, held.rows, 0)
    elif instance.reading == "frequency":
        given = held.rows - _most_by_frequency(held, _l_of(instance))
    else:
        given, of_classes = np.zeros_like(held.rows), _of_classes(held)
        for c in np.flatnonzero(broken).tolist():
            given[c] = _until_even(instance, of_classes[c])
    if instance.t is None or instance.ordered:
        return given
    return np.maximum(given, _far(instance, held, instance.t))


def _most_by_frequency(held: Standing, l: int) -> IntArray:  # noqa: E741 - as in papers
    low, high = np.zeros_like(held.rows), held.rows // l
    while (low < high).any():
        middle = (low + high + 1) // 2
        enough = _capped(held, middle) >= l * middle
        low, high = np.where(enough, middle, low), np.where(enough, high, middle - 1)
    staying: IntArray = np.minimum(l * low + l - 1, _capped(held, low))
    return staying


def _capped(held: Standing, most: IntArray) -> IntArray:
    """Return the rows of each class if no value has more than this."""
    return _total(held, np.minimum(held.counts, most[held.home]))


def _far(instance: Diversity, held: Standing, t: Fraction) -> IntArray:
    n, sizes = instance.n, held.rows
    above = n * held.counts > held.shared * sizes[held.home]
    over = _total(held, np.where(above, held.shared, 0))
    given = np.zeros_like(sizes)
    reached = np.array([instance.reach(s) for s in sizes.tolist()], dtype=np.int64)
    for c in np.flatnonzero(held.apart > reached).tolist():
        too_much = int(held.apart[c]) - t * n * int(sizes[c])
        given[c] = ceil(too_much / (n - int(over[c]) - t * n))
    return given


def _nearest(instance: Diversity, held: Standing, rows: IntArray) -> IntArray:
    """Return the rows of each pair that stay, given the number of each class.

    By frequency as many of every value as allowed; by entropy and the recursive reading
    the most even part; by closeness the share of each in the table, rounded by largest
    remainders, as far as there are rows.
    """
    home, counts = held.home, held.counts
    if instance.reading not in MODELLED:
        left = _of_classes(held)
        for c in np.flatnonzero(rows > 0).tolist():
            gone = int(held.rows[c] - rows[c])
            left[c] = next(islice(_evener(left[c]), gone, None))
        return np.where(rows[home] > 0, np.concatenate(left), 0)
    if instance.t is None:
        return np.minimum(counts, (rows // _l_of(instance))[home])
    whole, rest = np.divmod(held.shared * rows[home], instance.n)
    staying = np.minimum(counts, whole)
    missing = rows - _total(held, staying)
    rest[counts == staying] = -1
    order = np.lexsort((-rest, home))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order)) - held.starts[home[order]]
    staying += (rank < missing[home]) & (rest >= 0)
    return staying


def _until_even(instance: Diversity, counts: IntArray) -> int:
    """Return the fewest rows after which a class has a diverse part; all if none has.

    No more than one above those that may be suppressed are tried.
    """
    size = int(counts.sum())
    parts = islice(_evener(counts), min(size, instance.suppress_rows + 2))
    tried = 0
    while some := list(islice(parts, _AT_ONCE)):
        held = np.array(some)
        home, value = held.nonzero()
        each = held.sum(axis=1), (held > 0).sum(axis=1), held.max(axis=1)
        none = np.zeros(len(held), dtype=np.int64)
        standing = Standing(*each, none, home, value, held[home, value])
        wrong, _ = next(standing.wrongs(instance, 0))
        if not wrong.all():
            return tried + int(np.argmin(wrong))
        tried += len(some)
    return size


def _evener(counts: IntArray) -> Iterator[IntArray]:
    """Yield counts, and what is left of them when the greatest loses one, until 1."""
    left = counts.copy()
    for _ in range(int(counts.sum())):
        yield left.copy()
        left[left.argmax()] -= 1


def _l_of(instance: Diversity) -> int:
    """Return l, at most n + 1: no class has more rows than the table."""
    return min(instance.l, instance.n + 1)


def _enough(
    instance: Diversity,
    classes: IntArray,
    broken: BoolArray,
    gone: BoolArray,
    looks: BoolArray,
) -> IntArray | None:
    """Return rows whose suppression is enough, or None if they are more than allowed.

    Rows of classes that break a condition first, then small classes until the
    suppressed rows are admissible themselves.
    """
    if not gone.any() and not looks.any():
        return np.flatnonzero(gone)
    together = gone | looks
    by_size = np.argsort(np.bincount(classes), kind="stable")
    further = iter(by_size[~broken[by_size]].tolist())
    for _ in range(_MOST_JOINED):
        if gone.sum() > instance.suppress_rows:
            return None
        some = np.flatnonzero(together)
        if len(some) >= instance.k and is_diverse(instance, some):
            return np.flatnonzero(gone)
        joined = next(further, None)
        if joined is None:
            return None
        members = (classes == joined) & ~looks
        gone |= members
        together |= members
    return None


def _thinned(
    instance: Diversity,
    classes: IntArray,
    columns: Sequence[Standing],
    broken: BoolArray,
    least: IntArray,
) -> BoolArray:
    """Return rows of classes that break a condition: some if the rest is admissible."""
    gone = broken[classes]
    if len(columns) != 1:
        return gone
    held, values = columns[0], instance.values[:, 0]
    sizes = held.rows
    open_ones = broken & (least < sizes)
    width = 1 + int(values.max(initial=0))
    keys = held.home * width + held.value
    pairs = np.searchsorted(keys, classes.astype(np.int64) * width + values)
    for extra in _TRIES:
        if not open_ones.any():
            break
        rows = np.where(open_ones, sizes - least - extra, 0)
        open_ones &= rows >= instance.least_rows
        staying = first_rows(pairs, _nearest(instance, held, rows))
        staying &= open_ones[classes]
        home = classes[staying]
        count = np.bincount(home, minlength=len(sizes))
        good = open_ones & (count >= instance.k)
        if len(home):
            apart = np.ones(len(sizes), dtype=np.bool_)
            bad = failing(instance, home, staying.nonzero()[0])
            apart[: len(bad)] = ~bad
            good &= apart
        gone &= ~(staying & good[classes])
        open_ones &= ~good
    return gone
