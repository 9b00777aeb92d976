"""k-ambiguity: what it means.

Definition, complexity and references: :mod:`atleastk.instances.k_ambiguity`.

The groups of a solution are the rows that look the same once cells are suppressed: what
a reader of the table sees. They say nothing of which rows match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models import k_anonymity
from atleastk.models import result_fields as fields
from atleastk.models.solution import Solution, Verdict, partition_violations

__all__ = ["AmbiguitySolution", "check", "matches", "solution_of_mask"]

Mask = NDArray[np.bool_]

_CHUNK = 256


@dataclass(frozen=True)
class AmbiguitySolution(Solution):
    """Suppressed cells, pairs (row, column) ascending."""

    suppressed: tuple[tuple[int, int], ...] = ()

    @classmethod
    def _more(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        cells = fields.pairs(data.get("suppressed", []), "suppressed")
        return {"suppressed": tuple(sorted(cells))}

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "suppressed": self.suppressed}


def check(instance: KAmbiguity, solution: Solution) -> Verdict:
    """Count the suppressed cells, and name rows that match too few others.

    Of a solution that is only a grouping, the cells are suppressed on which a group
    differs.
    """
    violations = partition_violations(instance.n, solution)
    if violations:
        return Verdict(None, tuple(violations))
    n, m = instance.n, instance.m
    if isinstance(solution, AmbiguitySolution):
        for cell in solution.suppressed:
            if not (0 <= cell[0] < n and 0 <= cell[1] < m):
                wrong = f"suppressed: the table of {n} x {m} has no cell {cell}"
                return Verdict(None, (wrong,))
        hidden = np.zeros((n, m), dtype=np.bool_)
        if solution.suppressed:
            hidden[tuple(np.array(solution.suppressed).T)] = True
    else:
        hidden = k_anonymity.suppressed(instance, solution)
    violations = [
        f"row {row} matches {count - 1} others, fewer than k - 1 = {instance.k - 1}"
        for row, count in enumerate(matches(instance, hidden).tolist())
        if count < instance.k
    ]
    return Verdict(int(hidden.sum()), tuple(violations))


def solution_of_mask(instance: KAmbiguity, hidden: Mask) -> AmbiguitySolution:
    """Return the solution that suppresses these cells."""
    published = np.where(hidden, -1, instance.records.codes[instance.records.record_of])
    alike: dict[bytes, list[int]] = {}
    for row, cells in enumerate(published):
        alike.setdefault(cells.tobytes(), []).append(row)
    rows, columns = hidden.nonzero()
    cells = tuple(zip(rows.tolist(), columns.tolist(), strict=True))
    return AmbiguitySolution(Solution.of(alike.values()).groups, cells)


def matches(instance: KAmbiguity, hidden: Mask) -> NDArray[np.int64]:
    """Return with how many rows every row matches, itself included."""
    codes = instance.records.codes[instance.records.record_of]
    counts = np.zeros(instance.n, dtype=np.int64)
    for start in range(0, instance.n, _CHUNK):
        part = slice(start, start + _CHUNK)
        alike = (
            (codes[part, None] == codes[None]) | hidden[part, None] | hidden[None]
        ).all(axis=2)
        counts[part] = alike.sum(axis=1)
    return counts
