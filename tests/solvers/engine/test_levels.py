import random

import pytest
from fakes import make

from atleastk import Solution, Status, Verdict, WrongAnswerError
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.decision import Decision
from atleastk.solvers.engine.levels import (
    Descent,
    Walk,
    among,
    below,
    minimise_by_levels,
)
from atleastk.solvers.search import Search


def searching(budget=None):
    return Search(
        make(0), lambda _, found: Verdict(len(found.groups[0])), budget or Budget()
    )


def costing(cost):
    return Solution.of([range(cost)])


class Oracle:
    """Decides truly where it has to, and remembers what it was asked about."""

    def __init__(self, optimum, given=lambda level: level, hard=()):
        self.optimum, self.given, self.hard = optimum, given, hard
        self.asked = []

    def __call__(self, level):
        self.asked.append(level)
        if level in self.hard:
            return Decision.unknown("hard")
        if self.optimum is None or level < self.optimum:
            return Decision.impossible()
        return Decision.of(costing(self.given(level)))


WALKS = {
    "bisects": lambda: Walk(climbing=False),
    "climbs": Walk,
    "climbs in long steps": lambda: Walk(step=7, growth=4),
}


@pytest.mark.parametrize("walk", WALKS.values(), ids=WALKS)
def test_the_least_level_is_found_whatever_is_known(walk):
    rng = random.Random(1)
    for _ in range(300):
        steps = sorted(rng.sample(range(1, 100), rng.randint(1, 40)))
        optimum = rng.choice([None, *steps])
        search = searching()
        if optimum and rng.random() < 0.5:
            search.offer(costing(rng.choice([s for s in steps if s >= optimum])), "a")
        if rng.random() < 0.5:
            search.raise_bound(rng.randint(0, optimum or 5), "b")
        oracle = Oracle(optimum, lambda level, o=optimum: rng.choice([level, o]))
        minimise_by_levels(search, among(steps), oracle, "test", walk())
        if optimum is None:
            assert search.infeasible
        else:
            assert search.cost == search.bound == optimum
        assert set(oracle.asked) <= set(steps)
        assert len(oracle.asked) <= 2 * len(steps).bit_length() + 2


def test_ranges_may_be_longer_than_any_list():
    walk, low, high = Walk(climbing=False), 10**30, 10**31
    asked = 0
    while (place := walk.next(below(low, high))) is not None:
        asked += 1
        level = low + place
        if level >= 3 * 10**30:
            high = level
            walk.take(level, Status.FEASIBLE)
        else:
            low = level + 1
            walk.take(level, Status.INFEASIBLE)
    assert low == high == 3 * 10**30
    assert asked < 110
    with pytest.raises(ValueError, match="have no end"):
        below(5, None)


def test_a_climb_begins_at_the_bound_and_bisects_below_what_it_found():
    search, oracle = searching(), Oracle(20)
    minimise_by_levels(search, among(range(10, 100)), oracle, "test")
    assert oracle.asked == [10, 12, 15, 20, 17, 18, 19]
    assert search.cost == search.bound == 20


def test_what_stays_open_is_told_and_left():
    search, oracle = searching(), Oracle(20, hard=[12])
    minimise_by_levels(search, among(range(10, 100)), oracle, "test")
    assert oracle.asked == [10, 12]
    assert search.bound == 11
    assert search.remarks == ["test cannot decide about the level 12: hard"]


def test_the_walk_goes_on_around_what_stayed_open():
    for climbing in (True, False):
        search, oracle = searching(), Oracle(20, hard=[19, 20, 21])
        walk = Walk(climbing, patience=float("inf"))
        minimise_by_levels(search, among(range(10, 100)), oracle, "test", walk)
        assert (search.bound, search.cost) == (19, 22)
        assert walk.undecided >= {19, 21}
        assert len(oracle.asked) == len(set(oracle.asked))


def test_patience_ends_after_so_many_in_a_row():
    search, oracle = searching(), Oracle(20, hard=range(100))
    minimise_by_levels(search, among(range(10, 100)), oracle, "test", Walk(patience=3))
    assert len(oracle.asked) == 3
    assert search.cost is None


def test_below_what_stays_open_nothing_is_asked_while_levels_are_missing():
    walk = Walk(patience=2, complete=False)
    assert walk.next([4, 5, 6]) == 0
    walk.take(6, Status.UNKNOWN)
    assert walk.next([4, 5, 6]) is None
    walk.complete = True
    assert walk.next([4, 5, 6]) == 0
    assert walk.next([]) is None


def test_refutations_count_although_the_time_is_over():
    search = searching()

    def decide(level):
        search.budget.stop.set()
        return Decision.impossible()

    minimise_by_levels(search, among([3, 8, 9]), decide, "test")
    assert (search.bound, search.remarks) == (8, [])


def test_credit_goes_to_whoever_decided():
    search = searching()

    def decide(level):
        if level < 5:
            return Decision.impossible().credited("weights")
        return Decision.of(costing(level)).credited("search" if level < 9 else "")

    minimise_by_levels(search, among([3, 4, 5, 9]), decide, "walk", Walk())
    assert search.credits == {
        ("bound", "walk"): 1,
        ("bound", "weights"): 2,
        ("cost", "search"): 1,
    }


def test_what_costs_more_than_was_asked_for_is_wrong():
    oracle = Oracle(3, given=lambda level: level + 1)
    with pytest.raises(WrongAnswerError, match="test found nothing of at most 3"):
        minimise_by_levels(searching(), among([3, 4]), oracle, "test")


def test_a_descent_comes_nearer_to_the_lowest_level_where_nothing_decides():
    """Eight times nearer twice, then the lowest itself; five are enough."""
    walk, asked = Descent(), []
    while (place := walk.next(range(1000))) is not None:
        asked.append(place)
        walk.take(place, Status.UNKNOWN)
    assert asked == [999, 124, 15, 0]
    walk = Descent()
    for status, place in (("INFEASIBLE", 99), ("FEASIBLE", 99), ("FEASIBLE", 49)):
        assert walk.next(range(100)) == place
        walk.take(0, Status(status))
    assert walk.next(range(100)) == 24
