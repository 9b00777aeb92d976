"""The best choice among listed groups: a set-partitioning model, and two ways to solve.

Every item is in one group, or is left out. An artificial variable covers everything at
the cost of a limit, so the optimum is that of the list, or the limit if no choice costs
less. Triples of items (subset-row inequalities) strengthen it.

HiGHS minimises the model, or CP-SAT where numbers are beyond doubles. Ryan-Foster
branching (:mod:`~atleastk.solvers.engine.set_partition.branching`) is better at wide
gaps, and HiGHS at many groups of few items or with items left out. With two workers
they run side by side until one has decided; with one they take turns with growing
effort. The first turns of long lists are of branching alone, in a thread for each
worker.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.linear import INFINITE, LinearModel
from atleastk.packages import sparse
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs, refuse_beyond_doubles, run_apart
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import together
from atleastk.solvers.engine.set_partition.branching import Branching
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.oracle import Frame
from atleastk.solvers.engine.set_partition.triples import crossing
from atleastk.solvers.engine.stages import MORE

_EFFORT: Final = 2_000_000
"""The effort of the first turn of branching: about a tenth of a second."""

LONG: Final = 1_000
"""Groups that are few enough to be listed at once, and whose first turn is of branching
alone; of a list of twice as many the second turn is so, too. Not tuned."""


def listed_model(
    frame: Frame, groups: Groups, triples: IntArray, limit: int
) -> LinearModel:
    """Return the model over listed groups, items left out, and giving up at the limit.

    Its variables: the groups, the items that may be left out, the artificial one.
    """
    n, count = frame.n, groups.count
    alone = n if frame.left_out else 0
    width, cuts = count + alone + 1, len(triples)
    counted = np.zeros((2, width), dtype=np.int64)
    counted[0, :count] = frame.most is not None or frame.fewest > 0
    counted[1, count:-1] = 1
    counted[0, -1] = frame.fewest
    given_up = sparse.csr_array(frame.demand[:, None])
    items = (groups.rows.T, sparse.csr_array(sparse.eye_array(n, alone)), given_up)
    crossed = crossing(groups.has, triples).T.astype(np.int64)
    cut = (crossed, np.zeros((cuts, alone), np.int64), np.ones((cuts, 1), np.int64))
    blocks = [sparse.hstack(items), sparse.csr_array(counted)]
    if cuts:
        blocks.append(sparse.csr_array(np.hstack(cut)))
    rows = sparse.csr_array(sparse.vstack(blocks).astype(np.int64))
    most = INFINITE if frame.most is None else frame.most
    ones, free = np.ones(cuts, np.int64), np.full(cuts, -INFINITE, np.int64)
    nothing = np.zeros(alone, dtype=np.int64)
    return LinearModel(
        objective=np.concatenate((groups.cost, nothing, [limit])),
        lower=np.zeros(width, dtype=np.int64),
        upper=np.concatenate((groups.times(frame.demand), nothing + 1, [1])),
        rows=rows,
        row_lower=np.concatenate((frame.demand, [frame.fewest, 0], free)),
        row_upper=np.concatenate((frame.demand, [most, frame.left_out], ones)),
    )


def escape_of(model: LinearModel) -> IntArray:
    """Return the point of the last variable alone: giving up."""
    values = np.zeros(model.columns, dtype=np.int64)
    values[-1] = 1
    return values


class ListedChoice:
    """The set-partitioning problem over all groups below a limit, solved either way.

    Parameters
    ----------
    on_groups, on_bound
        Called with better choices, and with lower bounds up to the limit.
    """

    def __init__(
        self,
        frame: Frame,
        groups: Groups,
        triples: IntArray,
        limit: int,
        known: int,
        on_groups: Callable[[Groups], object],
        on_bound: Callable[[int], object],
    ) -> None:
        self._groups, self._limit = groups, limit
        self._on_groups, self._on_bound = on_groups, on_bound
        self._model = listed_model(frame, groups, triples, limit)
        self._branching = Branching(
            frame, groups, self._model, known, self._chosen, self._proved
        )

    def decide(self, budget: Budget, turns: int | None = None) -> bool:
        """Return whether the best choice, or that there is none, was found in time.

        `turns` limits the effort.
        """
        for turn in count() if turns is None else range(turns):
            if budget.spent:
                return False
            many, branch = self._groups.count, partial(self._branch, budget, turn)
            alone = many > LONG << turn
            if budget.workers > 1 and not alone:
                return self._race(budget, turns)
            minimise = partial(self._minimise_in_part, budget, turn)
            if any(way() for way in [branch, minimise][: 1 if alone else 2]):
                return True
        return False

    def _race(self, budget: Budget, turns: int | None) -> bool:
        """Run both until one has decided, or branching has had its turns."""

        def branch(race: Budget) -> bool:
            decided = self._branch(race, None if turns is None else turns - 1)
            if decided or turns is not None:
                race.stop.set()
            return decided

        def minimise(race: Budget) -> bool:
            decided = self._minimise(race, {})
            if decided:
                race.stop.set()
            return decided

        return any(together((branch, minimise), replace(budget, workers=1)))

    def _branch(self, budget: Budget, turn: int | None) -> bool:
        """Branch, in one turn or to the end; return whether it is decided."""
        effort = None if turn is None else _EFFORT * MORE**turn
        decided: list[bool] = []
        run_apart(lambda: decided.append(self._branching.run(budget, effort)), budget)
        return decided == [True]

    def _minimise_in_part(self, budget: Budget, turn: int) -> bool:
        """Minimise for one turn, in a share of the time that is left by now."""
        part = budget.slice(0.2 * min(budget.remaining, 2.0**30))
        return self._minimise(part, {"mip_max_nodes": MORE**turn})

    def _minimise(self, budget: Budget, options: dict[str, int]) -> bool:
        """Minimise the model; return whether it is decided."""
        backend = Highs(options) if suits_doubles(self._model) else CpSat()
        answer = backend.minimise(
            self._model,
            budget,
            hint=escape_of(self._model),
            on_answer=self._found,
            on_bound=self._proved,
        )
        answer.tell(self._found, self._proved)
        return answer.bound is not None and answer.bound == answer.cost

    def _found(self, values: IntArray) -> None:
        if not values[-1]:
            times = values[: self._groups.count]
            self._chosen(np.repeat(np.arange(len(times)), times))

    def _chosen(self, places: IntArray) -> None:
        self._on_groups(self._groups.only(places))
        self._branching.lower(int(self._groups.cost[places].sum()))

    def _proved(self, bound: int) -> None:
        self._on_bound(min(bound, self._limit))


def suits_doubles(model: LinearModel) -> bool:
    """Return whether HiGHS can decide a model."""
    try:
        refuse_beyond_doubles(model, Highs.name)
    except NotApplicableError:
        return False
    return True
