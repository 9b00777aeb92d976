"""Groups that rows leave, to be dropped, and join where it costs least."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.generalization import Generalization
from atleastk.models.generalization import (
    GeneralizationSolution,
    solution_dropping_rest,
)
from atleastk.models.results.solution import labels_of

_NOWHERE = 2**62
"""What it costs to join a group that is no more."""


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """The group of every row, -1 of dropped ones, and what is known of the groups."""

    home: IntArray
    levels: IntArray
    """[column, group]."""
    rows: IntArray
    persons: IntArray

    def copy(self) -> _State:
        """Return a state that may be changed without this one."""
        return _State(
            self.home.copy(), self.levels.copy(), self.rows.copy(), self.persons.copy()
        )


class Homes:
    """A solution on entries that changes by rows that leave and join groups."""

    def __init__(
        self, instance: Generalization, solution: GeneralizationSolution
    ) -> None:
        self._instance, self._codes = instance, instance.codes
        self._prices = np.array(instance.weights, dtype=np.int64)
        weights = instance.row_weights or (1,) * instance.n
        self._worth = np.array(weights, dtype=np.int64)
        home = labels_of(solution.groups, instance.n)
        count = len(solution.groups)
        persons = np.zeros(count, dtype=np.int64)
        np.add.at(persons, home[home >= 0], self._worth[home >= 0])
        levels = np.array(solution.levels, dtype=np.int64).reshape(count, instance.m)
        rows = np.bincount(home[home >= 0], minlength=count).astype(np.int64)
        self._state = _State(home, levels.T.copy(), rows, persons)
        self._firsts = np.array([group[0] for group in solution.groups], dtype=np.int64)

    @property
    def dropped(self) -> IntArray:
        """The rows that are dropped."""
        return np.flatnonzero(self._state.home < 0)

    @property
    def solution(self) -> GeneralizationSolution:
        """The solution as it is now."""
        home = self._state.home
        order = np.argsort(home, kind="stable")[(home < 0).sum() :]
        ends = np.flatnonzero(np.diff(home[order])) + 1
        groups = [rows.tolist() for rows in np.split(order, ends) if len(rows)]
        return solution_dropping_rest(self._instance, groups)

    def drop(self, rows: Sequence[int]) -> None:
        """Drop just these rows, unless no group would be left."""
        before = self._state
        state = self._state = before.copy()
        leaving = state.home[list(rows)]
        state.home[list(rows)] = -1
        changed = set(leaving[leaving >= 0].tolist())
        joining = set(self.dropped.tolist()) - {*rows}
        self._resettle(changed, joining)
        if not (self._state.rows > 0).any():
            self._state = before

    def _resettle(self, changed: Iterable[int], joining: set[int]) -> None:
        """Count groups anew that lost rows; those that lost too many are no more.

        Their rows join others, and so do these.
        """
        state = self._state
        for group in changed:
            members = np.flatnonzero(state.home == group)
            if len(members) < self._instance.k:
                joining |= {*members.tolist()}
                members = members[:0]
            self._settle(group, members)
        if (state.rows > 0).any():
            for row in sorted(joining):
                self._join(row)

    def _settle(self, group: int, members: IntArray) -> None:
        """Make these the rows of a group."""
        state = self._state
        state.rows[group] = len(members)
        state.persons[group] = self._worth[members].sum()
        state.levels[:, group] = self._least_levels(members)
        if len(members):
            self._firsts[group] = members[0]

    def _least_levels(self, members: IntArray) -> IntArray:
        if not len(members):
            return np.zeros(self._instance.m, dtype=np.int64)
        labels = (codes[:, members] for codes in self._codes)
        differing = [(x != x[:, :1]).any(axis=1).sum() for x in labels]
        return np.array(differing, dtype=np.int64)

    def _joint(self, row: int) -> IntArray:
        """Return the levels of every group with this row, [column, group]."""
        labels = ((x[:, self._firsts], x[:, row, None]) for x in self._codes)
        agreed = [(theirs != own).sum(axis=0) for theirs, own in labels]
        shape = self._state.levels.shape
        found = np.array(agreed, dtype=np.int64).reshape(shape)
        return np.maximum(self._state.levels, found)

    def _rises(self, row: int) -> IntArray:
        """Return by how much the cost rises if a row joins each group."""
        state = self._state
        before, after = self._prices @ state.levels, self._prices @ self._joint(row)
        rises = state.persons * (after - before) + self._worth[row] * after
        own = state.home[row]
        rises[state.rows == 0] = _NOWHERE
        if own >= 0:
            rises[own] = _NOWHERE
        return np.asarray(rises)

    def _join(self, row: int) -> None:
        """Put a row into the group where it costs least."""
        state = self._state
        state.home[row] = -1
        chosen = int(self._rises(row).argmin())
        state.levels[:, chosen] = self._joint(row)[:, chosen]
        state.home[row] = chosen
        state.rows[chosen] += 1
        state.persons[chosen] += self._worth[row]
