"""Branching rules: the splits that a fractional assignment violates.

In this order: the columns of the region and the thresholds between classes of rows,
without which weights bound little; in k-ambiguity, how many rows hide a column, or all
of them; how many copies of a kind keep a column, which divides the assignments evenly;
how many keep several columns; and at last which patterns are in use. A fractional
assignment that violates none of these is an assignment.

There are two exceptions. In diversity it may exceed the limits and not be refuted,
since the worth of groups is overrated; in k-ambiguity some of equal rows may still lack
matches. Then the copies of one pair after the other are fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import floor
from operator import itemgetter
from typing import Any, Final

import numpy as np

from atleastk.arrays import FloatArray
from atleastk.models.certificates.pattern_pairs import CountSplit, Node, PatternPairs
from atleastk.solvers.precision import NOTHING

_TRIED: Final = 6
"""Candidates of strong branching: both sides of each are bounded. Not tuned."""


Split = tuple[Mapping[str, Any], tuple[Node, Node]]
"""A split in the form of the certificate, and its sides: yes and no."""


def splits(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    """Yield the splits of the first rule that has any.

    `x` are the copies of every pair.
    """
    for rule in _RULES:
        offered = list(islice(rule(pairs, node, x), _TRIED))
        if offered:
            yield from offered
            return


def _region(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    """Yield the open column with most cells, if the open ones cannot all belong."""
    question = pairs.table
    if "columns" not in question.region:
        return
    counted = (x > NOTHING) & ~pairs.outside(node)
    cells = {
        j: float(x[pairs.hides(j) & counted].sum())
        for j in range(question.m)
        if not (node.inside | node.outside) >> j & 1
    }
    touched = [j for j, some in cells.items() if some]
    room = question.limits["columns"] - node.inside.bit_count()
    divided = touched if len(touched) > room else []
    if question.deletion and not divided:
        whole = float(x[counted].sum())
        divided = [j for j in touched if cells[j] < whole - NOTHING]
    if divided:
        j = max(divided, key=cells.__getitem__)
        yield {"column": j}, node.by_region(j)


def _thresholds(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    """Yield the first pair of classes of rows without a threshold between them."""
    stars = pairs.stars()
    classes, used = pairs.class_of[pairs.kind], x > NOTHING
    for c in range(pairs.boundaries):
        most = int(stars[used & (classes <= c)].max(initial=0))
        least = int(stars[used & (classes > c)].min(initial=pairs.table.m))
        if most > least:
            q = (most + least) // 2
            yield {"class": c, "at_most": q}, node.by_threshold(c, q)
            return


def _row_counts(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    """Yield how many rows hide a column, or all, in k-ambiguity."""
    if pairs.problem.matches:
        bits = [1 << j for j in _distinct_columns(pairs)]
        counted = [CountSplit(None, columns, 0) for columns in (sum(bits), *bits)]
        yield from _fractional(pairs, node, x, counted)


def _column_counts(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    columns = [1 << j for j in _distinct_columns(pairs)]
    kinds = np.unique(pairs.kind[_is_fractional(x)]).tolist()
    counted = [CountSplit(t, j, 0) for t in kinds for j in columns]
    yield from _fractional(pairs, node, x, counted)


def _set_counts(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    fractional = np.flatnonzero(_is_fractional(x)).tolist()
    counted = {_copies_keeping(pairs, pair) for pair in fractional}
    yield from _fractional(pairs, node, x, sorted(counted))


def _fractional(
    pairs: PatternPairs, node: Node, x: FloatArray, counted: Iterable[CountSplit]
) -> Iterator[Split]:
    counts = []
    for split in counted:
        count = float(x[pairs.counted(split)].sum())
        away = abs(count - round(count))
        if away > NOTHING:
            counts.append((away, split._replace(most=floor(count))))
    for _, split in sorted(counts, key=itemgetter(0), reverse=True):
        yield split.to_dict(), node.by_count(split)


def _use(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    """Yield patterns that have rows, but no admissible group of them."""
    rows = np.bincount(pairs.pattern, weights=x, minlength=len(pairs.hidden))
    few = (rows > NOTHING) & (rows < pairs.least - NOTHING)
    if pairs.problem.diverse is not None:
        few = rows > NOTHING
    few[list(node.used)] = False
    for number in np.flatnonzero(few).tolist():
        kind = int(pairs.kind[pairs.pattern == number][0])
        kept = np.flatnonzero(~pairs.hidden[number]).tolist()
        yield {"kind": kind, "pattern": kept}, node.by_use(number)


def _fixed_pairs(pairs: PatternPairs, node: Node, x: FloatArray) -> Iterator[Split]:
    """Yield whether kinds have a pattern as often as they do, if that is open."""
    if pairs.problem.diverse is None and not pairs.problem.matches:
        return
    for pair in np.flatnonzero(x > NOTHING).tolist():
        most = round(float(x[pair])) - 1
        split = _copies_keeping(pairs, pair)._replace(most=most, yes=False)
        if split not in node.counts:
            yield split.to_dict(), node.by_count(split)


def _copies_keeping(pairs: PatternPairs, pair: int) -> CountSplit:
    """Return the split by whether a copy of a kind keeps what a pattern keeps."""
    hidden = pairs.hidden[pairs.pattern[pair]]
    every = range(pairs.table.m) if pairs.problem.matches else _distinct_columns(pairs)
    kept = [j for j in every if not hidden[j]]
    return CountSplit(int(pairs.kind[pair]), sum(1 << j for j in kept), 0)


def _distinct_columns(pairs: PatternPairs) -> list[int]:
    """Return the first of columns that the same patterns hide, if any do."""
    firsts: dict[bytes, int] = {}
    for j, hidden in enumerate(np.ascontiguousarray(pairs.hidden.T)):
        if hidden.any():
            firsts.setdefault(hidden.tobytes(), j)
    return list(firsts.values())


def _is_fractional(x: FloatArray) -> Any:
    return np.abs(x - np.rint(x)) > NOTHING


_RULES: Final = (
    _region,
    _thresholds,
    _row_counts,
    _column_counts,
    _set_counts,
    _use,
    _fixed_pairs,
)
"""In the order in which they are tried."""
