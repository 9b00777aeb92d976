import math

import pytest

from atleastk import BinCovering, Solution, Verdict, WrongAnswerError
from atleastk.models.bin_covering import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


@pytest.fixture
def search():
    return Search(BinCovering([10, 6, 6, 6], 10), check, Budget())


def test_all_tried_makes_the_best_known_optimal(search):
    search.offer([range(4)], "someone")
    search.conclude("test")
    assert (search.cost, search.bound, search.proved_by) == (28, 28, "test")
    with pytest.raises(WrongAnswerError, match="below the bound 28 claimed by test"):
        search.offer([[0, 1], [2, 3]], "another")


def test_all_tried_without_a_solution_is_infeasible(search):
    search.conclude("test")
    assert search.infeasible
    assert search.closed


def test_what_may_break_a_limit_is_reported_if_it_does_not(search):
    assert search.offer_if_feasible(Solution.of([[0], [1, 2, 3]]), "someone") == 18
    assert (search.cost, search.found_by) == (18, "someone")
    assert search.offer_if_feasible(Solution.of([[0], [1], [2, 3]]), "x") == math.inf
    assert search.offer_if_feasible(Solution.of([range(4)]), "x") == 28
    assert (search.cost, search.found_by) == (18, "someone")


def test_a_feasible_report_may_not_contradict_a_bound(search):
    search.raise_bound(20, "someone")
    with pytest.raises(WrongAnswerError, match="below the bound 20 claimed by someone"):
        search.offer_if_feasible(Solution.of([[0], [1, 2, 3]]), "another")


def test_of_equal_cost_ties_decide():
    def judged(_instance, solution):
        first = len(solution.groups[0])
        return Verdict(10 if first < 4 else 11, ties=(first % 3,))

    search = Search(BinCovering([10, 6, 6, 6], 10), judged, Budget())
    assert search.offer([[0, 1], [2, 3]], "one")
    assert not search.offer([[0, 2], [1, 3]], "other")
    assert search.offer([[0, 1, 2], [3]], "other")
    assert not search.offer([range(4)], "late")
    assert (search.cost, search.ties, search.found_by) == (10, (0,), "other")
    assert len(search.events) == 1
    assert search.credits == {("cost", "one"): 1}


def test_notes_are_said_once(search):
    search.note("so it is")
    search.note("so it is")
    assert search.notes == ["so it is"]


def test_credit_is_for_what_is_better_than_before(search):
    search.offer([range(4)], "greedy")
    search.raise_bound(10, "counting")
    search.raise_bound(14, "counting")
    search.raise_bound(14, "late")
    search.offer([[0, 1], [2, 3]], "exact")
    search.offer([[0, 2], [1, 3]], "late")
    search.refuted("weights")
    search.conclude("exact")
    assert search.credits == {
        ("level", "weights"): 1,
        ("cost", "greedy"): 1,
        ("cost", "exact"): 1,
        ("bound", "counting"): 2,
        ("bound", "exact"): 1,
    }


def test_a_proof_of_infeasibility_is_credited(search):
    search.close_infeasible("counting")
    assert search.credits == {("bound", "counting"): 1}


def test_the_best_certificate_is_kept_beside_a_better_bound():
    search = Search(BinCovering([10, 6, 6, 6], 10), check, Budget())
    search.raise_bound(10, "counting", {"kind": "counting"})
    assert search.certificate == {"kind": "counting"}
    search.raise_bound(14, "solver")
    assert search.certificate is None
    assert search.proof == (10, {"kind": "counting"})
    search.raise_bound(12, "weights", {"kind": "weights"})
    assert (search.bound, search.proof.bound) == (14, 12)
    search.raise_bound(14, "tree", {"kind": "tree"})
    assert search.certificate == {"kind": "tree"}
    search.close_infeasible("solver")
    assert search.certificate is None
