from dataclasses import dataclass, replace

import numpy as np
import pytest
from searching import search_of

from atleastk import BinCovering, Solution, Status, Suppression, WrongAnswerError
from atleastk.models.bin_covering import most_bins
from atleastk.models.encodings.bin_covering import assignment
from atleastk.models.encodings.suppression import cell_model
from atleastk.models.suppression import SuppressionSolution
from atleastk.solvers.backends.backend import Answer
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.milp import Milp
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.encoded import minimise_encoded

INSTANCE = BinCovering([10, 6, 6, 6], 10)
ENCODING = assignment(INSTANCE, most_bins(INSTANCE))
BEST = [[0, 1], [2, 3]]


@dataclass
class Scripted:
    """A back end that reports and answers as it was set up to."""

    answer: Answer
    points: tuple = ()
    bounds: tuple = ()
    name: str = "scripted"
    family: str = "none"
    hint: object = None
    budget: object = None

    def minimise(self, model, budget, *, hint=None, on_answer=None, on_bound=None):
        self.hint, self.budget = hint, budget
        for point in self.points:
            on_answer(point)
        for bound in self.bounds:
            on_bound(bound)
        return self.answer


def point(groups):
    return ENCODING.encode(Solution.of(groups))


def answer(status, groups=None, cost=None, bound=None):
    return Answer(
        status, None if groups is None else point(groups), cost, bound, "scripted"
    )


def searching(*start):
    search = search_of(INSTANCE)
    if start:
        search.offer(start, "start")
    return search


@pytest.mark.parametrize(
    "backend", [CpSat(), Highs(), Milp(), Sat()], ids=lambda b: b.name
)
@pytest.mark.parametrize("start", [(), (range(4),), BEST])
def test_real_back_ends_close_the_search(backend, start):
    search = searching(*start)
    minimise_encoded(search, ENCODING, backend, "test")
    assert search.closed
    assert search.cost == search.bound == 16


def test_incumbents_and_bounds_arrive_as_they_come():
    search = searching()
    backend = Scripted(
        answer(Status.FEASIBLE, BEST, 16, 15), (point([range(4)]),), (12, 14)
    )
    minimise_encoded(search, ENCODING, backend, "test")
    seen = [(event.cost, event.bound) for event in search.events]
    assert seen == [(28, None), (28, 12), (28, 14), (16, 14), (16, 15)]
    assert not search.closed
    assert search.found_by == search.proved_by == "test"


def test_the_best_solution_is_the_hint():
    backend = Scripted(answer(Status.UNKNOWN))
    search = searching()
    minimise_encoded(search, ENCODING, backend, "test")
    assert backend.hint is None
    assert backend.budget is search.budget
    search, part = searching(*BEST), Budget.of(1)
    minimise_encoded(search, ENCODING, backend, "test", part)
    assert np.array_equal(backend.hint, point(BEST))
    assert backend.budget is part
    assert search.cost == 16
    assert search.bound is None


@pytest.mark.parametrize(
    "start",
    [
        None,
        Solution(((0, 1),)),
        SuppressionSolution(((0, 1),), ((0, 0), (0, 1), (1, 0), (1, 1))),
    ],
)
def test_solutions_that_are_more_than_groups(start):
    instance = Suppression([[0, 0], [1, 0]], 2)
    encoding = cell_model(instance)
    search = search_of(instance)
    hint = None
    if start is not None:
        search.offer(start, "start")
        hint = encoding.encode(start)
    unknown = Scripted(Answer(Status.UNKNOWN, None, None, None, "scripted"))
    minimise_encoded(search, encoding, unknown, "test")
    assert np.array_equal(unknown.hint, hint)
    minimise_encoded(search, encoding, CpSat(), "test")
    assert search.cost == search.bound == 2
    if not isinstance(start, SuppressionSolution):
        return
    assert (search.found_by, search.solution.suppressed) == ("test", ((0, 0), (1, 0)))


def test_unknown_with_a_bound_raises_the_bound():
    search = searching(range(4))
    minimise_encoded(
        search, ENCODING, Scripted(answer(Status.UNKNOWN, bound=13)), "test"
    )
    assert (search.cost, search.bound) == (28, 13)


def test_infeasible_closes_a_search_without_solution():
    search = searching()
    minimise_encoded(search, ENCODING, Scripted(answer(Status.INFEASIBLE)), "test")
    assert search.infeasible
    with pytest.raises(WrongAnswerError, match="test calls infeasible what start"):
        minimise_encoded(
            searching(range(4)), ENCODING, Scripted(answer(Status.INFEASIBLE)), "test"
        )


@pytest.mark.parametrize(
    ("lie", "message"),
    [
        (answer(Status.OPTIMAL, [[0, 1, 2, 3]], 28, 28), "than 28, but start found"),
        (answer(Status.UNKNOWN, bound=17), "less than 17, but start found"),
        (
            replace(answer(Status.OPTIMAL, BEST, 16, 16), values=0 * point(BEST)),
            "wrong solution: 4 items are in no group",
        ),
    ],
)
def test_lies_beside_a_known_solution_are_told(lie, message):
    with pytest.raises(WrongAnswerError, match=message):
        minimise_encoded(searching(*BEST), ENCODING, Scripted(lie), "test")


def test_a_solution_below_a_proved_bound_is_told():
    search = searching()
    search.raise_bound(17, "elsewhere")
    with pytest.raises(WrongAnswerError, match="below the bound 17 claimed by else"):
        minimise_encoded(
            search, ENCODING, Scripted(answer(Status.FEASIBLE, BEST, 16)), "test"
        )


def test_below_a_limit_nothing_is_proved_above_it():
    """The encoding may lack what costs as much: no hint, no bound above the limit."""
    search = searching(range(4))
    backend = Scripted(answer(Status.UNKNOWN, bound=20), bounds=(12, 19))
    minimise_encoded(search, ENCODING, backend, "test", below=17)
    assert backend.hint is None
    assert (search.cost, search.bound) == (28, 17)
    assert not search.remarks


def test_infeasible_below_a_limit_is_a_bound():
    """It says nothing of what costs more, and meets what costs the limit."""
    search = searching(*BEST)
    backend = Scripted(answer(Status.INFEASIBLE))
    minimise_encoded(search, ENCODING, backend, "test", below=16)
    assert search.closed
    assert not search.infeasible


def test_costs_of_the_model_are_turned_into_those_of_the_problem():
    search = searching()
    backend = Scripted(answer(Status.OPTIMAL, BEST, 1, 1), bounds=(0,))
    minimise_encoded(search, ENCODING, backend, "test", cost_of=[12, 16].__getitem__)
    assert [(e.cost, e.bound) for e in search.events] == [
        (None, 12),
        (16, 12),
        (16, 16),
    ]
