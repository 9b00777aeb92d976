"""Exact bounded knapsack: the most valuable choice whose level lies in [low, high].

Kinds of items with positive sizes and multiplicities; every kind may be taken up to its
multiplicity. Two algorithms, both in exact 64-bit integers:

- *by levels*: dynamic programming, O(parts * high) for sum log(multiplicity) parts;
- *by halves*: meet in the middle [Horowitz and Sahni 1974], about the square root of
  the number of choices, for few items of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

import numpy as np

from atleastk.arrays import IntArray

LARGEST = 2**60
"""Values and levels stay below this magnitude, so that no 64-bit sum overflows."""

_UNREACHED = -(2**62)
"""The value of a level that no choice has; twice it still fits 64 bits."""

_MOST_CELLS = 60_000_000
"""Cells of the dynamic program, kinds times levels: less than a second."""

_MOST_CHOICES = 2**18
"""The most choices that are listed, of half of the kinds or of all."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """A knapsack problem; all sizes at least 1, ``0 <= low <= high``."""

    sizes: tuple[int, ...]
    demand: tuple[int, ...]
    low: int
    high: int

    @property
    def copies(self) -> tuple[int, ...]:
        """How often each kind fits."""
        pairs = zip(self.sizes, self.demand, strict=True)
        return tuple(min(d, self.high // size) for size, d in pairs)

    @property
    def exact(self) -> type:
        """The elements of arrays that hold levels exactly."""
        return np.int64 if max((self.high, *self.sizes)) < LARGEST else object

    @property
    def cells(self) -> int:
        """The cells of the dynamic program."""
        return (1 + sum(c.bit_length() for c in self.copies)) * (self.high + 1)

    @property
    def levels_fit(self) -> bool:
        """Whether the dynamic program is affordable."""
        return self.cells <= _MOST_CELLS

    def choices(self, halves: bool) -> int:
        """Return the number of all choices, or of those of the larger half of kinds."""
        copies = self.copies
        parts = self._halves() if halves else [range(len(copies))]
        return max(prod(copies[kind] + 1 for kind in part) for part in parts)

    def can_list(self, halves: bool) -> bool:
        """Tell whether it is affordable to list them."""
        return self.high < LARGEST and self.choices(halves) <= _MOST_CHOICES

    def by_levels(
        self, weights: Sequence[int], penalties: IntArray | int = 0
    ) -> list[int] | None:
        """Return the kinds of a choice of greatest weight minus penalty, or None.

        ``penalties`` has an entry for every level from low to high.
        """
        steps = [
            (kind, share)
            for kind, copies in enumerate(self.copies)
            for share in _shares(copies)
        ]
        best = np.full(self.high + 1, _UNREACHED, dtype=np.int64)
        best[0] = 0
        taken = np.zeros((len(steps), self.high + 1), dtype=np.bool_)
        top = 0
        for step, (kind, share) in enumerate(steps):
            size = self.sizes[kind] * share
            top = min(self.high, top + size)
            if size > top:
                continue
            with_it = best[: top + 1 - size] + weights[kind] * share
            np.greater(with_it, best[size : top + 1], out=taken[step, size : top + 1])
            np.maximum(with_it, best[size : top + 1], out=best[size : top + 1])
        final = best[self.low :] - penalties
        level = int(final.argmax())
        if best[self.low + level] < _UNREACHED // 2:
            return None
        level += self.low
        kinds: list[int] = []
        for step in range(len(steps) - 1, -1, -1):
            if taken[step, level]:
                kind, share = steps[step]
                kinds += [kind] * share
                level -= self.sizes[kind] * share
        return sorted(kinds)

    def by_halves(self, weights: Sequence[int]) -> list[int] | None:
        """Return the kinds of a choice of greatest weight, or None."""
        left, right = self._halves()
        a = self._all_choices(left, weights)
        b = self._all_choices(right, weights)
        by_level = np.argsort(b.levels, kind="stable")
        b = _Choices(*(part[by_level] for part in b))
        start = np.searchsorted(b.levels, self.low - a.levels, side="left")
        stop = np.searchsorted(b.levels, self.high - a.levels, side="right")
        possible = np.flatnonzero(stop > start)
        if not len(possible):
            return None
        start, stop = start[possible], stop[possible]
        greatest = a.weights[possible] + _range_maxima(b.weights, start, stop)
        at = int(greatest.argmax())
        partner = int(start[at]) + int(b.weights[start[at] : stop[at]].argmax())
        return sorted(
            self._kinds(left, int(a.codes[possible[at]]))
            + self._kinds(right, int(b.codes[partner]))
        )

    def by_listing(
        self, weights: Sequence[int], penalty: Any, reach: int
    ) -> list[int] | None:
        """Return the kinds of a choice of greatest weight minus penalty, or None.

        ``penalty`` maps an array of levels to penalties; `reach` bounds its magnitude.
        """
        kinds = list(range(len(self.sizes)))
        every = self._all_choices(kinds, weights)
        inside = np.flatnonzero(every.levels >= self.low)
        if not len(inside):
            return None
        levels = every.levels[inside]
        if reach >= LARGEST:
            levels = levels.astype(object)
        at = int((every.weights[inside] - penalty(levels)).argmax())
        return sorted(self._kinds(kinds, int(every.codes[inside[at]])))

    def _halves(self) -> tuple[list[int], list[int]]:
        """Split the kinds so that both halves have about as many choices."""
        copies = self.copies
        halves: tuple[list[int], list[int]] = ([], [])
        counts = [1, 1]
        for kind in sorted(range(len(copies)), key=copies.__getitem__, reverse=True):
            smaller = 0 if counts[0] <= counts[1] else 1
            halves[smaller].append(kind)
            counts[smaller] *= copies[kind] + 1
        return halves

    def _all_choices(self, kinds: Sequence[int], weights: Sequence[int]) -> _Choices:
        """Return every choice from these kinds of level at most high."""
        copies = self.copies
        levels, values, codes = (np.zeros(1, dtype=np.int64) for _ in range(3))
        radix = 1
        for kind in kinds:
            count = np.arange(copies[kind] + 1, dtype=np.int64)[:, None]
            levels = (levels + self.sizes[kind] * count).ravel()
            values = (values + weights[kind] * count).ravel()
            codes = (codes + radix * count).ravel()
            fits = levels <= self.high
            levels, values, codes = levels[fits], values[fits], codes[fits]
            radix *= copies[kind] + 1
        return _Choices(levels, values, codes)

    def _kinds(self, kinds: Sequence[int], code: int) -> list[int]:
        """Return the choice of a code."""
        copies = self.copies
        chosen: list[int] = []
        for kind in kinds:
            code, count = divmod(code, copies[kind] + 1)
            chosen += [kind] * count
        return chosen


class _Choices(NamedTuple):
    """Choices from some kinds: levels, weights, and counts as mixed-radix codes."""

    levels: IntArray
    weights: IntArray
    codes: IntArray


def suffix_sums(
    shelf: Shelf, most: int, stopped: Callable[[], bool] = lambda: False
) -> list[IntArray | None]:
    """Return the sorted levels <= high that the kinds i, i+1, ... reach, for every i.

    None where there are more than `most`, or once it was stopped; the last entry, no
    kinds, reaches 0.
    """
    reached: IntArray | None = np.zeros(1, dtype=shelf.exact)
    suffixes: list[IntArray | None] = [reached]
    for size, copies in zip(reversed(shelf.sizes), reversed(shelf.copies), strict=True):
        for share in _shares(copies):
            if reached is None:
                break
            reached = np.union1d(reached, reached + size * share)
            reached = reached[: np.searchsorted(reached, shelf.high, side="right")]
            if len(reached) > most or stopped():
                reached = None
        suffixes.append(reached)
    return suffixes[::-1]


def _shares(copies: int) -> list[int]:
    """Return numbers whose subset sums are exactly 0, 1, ..., copies."""
    shares = []
    share = 1
    while copies > 0:
        shares.append(min(share, copies))
        copies -= share
        share *= 2
    return shares


def _range_maxima(values: IntArray, start: IntArray, stop: IntArray) -> IntArray:
    """Return max(values[start:stop]) for every non-empty range: a sparse table."""
    lengths = stop - start
    _, exponents = np.frexp(lengths)
    maxima = np.empty(len(start), dtype=np.int64)
    table = values
    for exponent in range(int(exponents.max())):
        if exponent:
            half = 1 << (exponent - 1)
            table = np.maximum(table[:-half], table[half:])
        chosen = np.flatnonzero(exponents == exponent + 1)
        last = stop[chosen] - (1 << exponent)
        maxima[chosen] = np.maximum(table[start[chosen]], table[last])
    return maxima
