import random
from functools import partial

import pytest
from costs import cost_of

from atleastk import BinCovering, Solution, Status
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import window
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.milp import Milp
from atleastk.solvers.backends.sat import Sat
from atleastk.solvers.bin_covering.decisions import (
    by_arc_flow,
    by_assignment,
    by_completion,
    by_patterns,
    cover_by_patterns,
)
from atleastk.solvers.budget import Budget
from scripts.sweeps import drawn_weights as sweep

DECIDERS = {
    "completion": by_completion,
    "patterns CP-SAT": by_patterns(CpSat()),
    "patterns HiGHS": by_patterns(Highs()),
    "patterns SAT": by_patterns(Sat()),
    "arc flow CP-SAT": by_arc_flow(CpSat()),
    "arc flow HiGHS": by_arc_flow(Highs()),
    "arc flow PuLP": by_arc_flow(Milp()),
    "assignment CP-SAT": by_assignment(CpSat()),
    "assignment HiGHS": by_assignment(Highs()),
    "assignment SAT": by_assignment(Sat()),
    "assignment SAT, maplechrono": by_assignment(Sat("maplechrono")),
}
SMALL = ("uniform", "duplicates", "heavy and light", "near a multiple", "geometric")


def truth(possible):
    return Status.FEASIBLE if possible else Status.INFEASIBLE


def random_questions(profile, seed, count):
    rng = random.Random(seed)
    while count:
        instance = sweep.random_bins(rng, 7, SMALL, ("max",))
        seen = profile(instance.sizes)
        for _ in range(min(4, count)):
            bins, _, cost = rng.choice(sorted(seen))
            bins = rng.choice([bins, bins, bins + 1])
            cost = max(1, cost + rng.choice([-1, 0, 0, 1]))
            possible = any(
                m == bins and low >= instance.k and high <= cost
                for m, low, high in seen
            )
            count -= 1
            yield instance, bins, cost, possible


@pytest.mark.parametrize("backend", [CpSat(), Highs(), Sat()], ids=lambda b: b.name)
def test_any_number_of_bins_at_once(backend, profile):
    outcomes = set()
    for instance, _, cost, _ in random_questions(profile, 9, 80):
        seen = profile(instance.sizes)
        possible = any(low >= instance.k and high <= cost for _, low, high in seen)
        groups = BinGroups.any_number(instance, cost)
        answer = cover_by_patterns(backend, groups, Budget(), 10_000)
        case = (instance.to_dict(), cost)
        assert answer.status is truth(possible), case
        outcomes.add(answer.status)
        if possible:
            assert cost_of(instance, Solution.of(answer.found)) <= cost, case
    assert outcomes == {Status.FEASIBLE, Status.INFEASIBLE}


def test_too_much_is_stopped_not_refuted():
    wide = BinCovering([2**40 + i for i in range(8)], 2**41)
    budget = Budget()
    for decide in (
        by_patterns(CpSat(), most_patterns=3),
        by_arc_flow(CpSat()),
        by_assignment(Highs()),
        by_assignment(Milp()),
        partial(by_completion, most_nodes=1, most_patterns=3),
    ):
        assert decide(wide, window(wide, 3, 2**43), budget).status is Status.UNKNOWN
    huge = BinCovering([2**80 + i for i in range(8)], 2**81)
    for decide in (by_assignment(CpSat()), by_assignment(Sat())):
        assert decide(huge, window(huge, 3, 2**83), budget).status is Status.UNKNOWN
    for decide in (by_patterns(CpSat()), by_completion):
        assert decide(huge, window(huge, 3, 2**83), budget).status is Status.FEASIBLE


@pytest.mark.parametrize("decide", DECIDERS.values(), ids=DECIDERS)
def test_no_time_is_stopped_not_refuted(decide):
    instance = BinCovering([5, 4, 3, 3, 2, 2, 1], 6)
    answer = decide(instance, window(instance, 3, 7), Budget.of(0))
    assert answer.status in (Status.UNKNOWN, Status.FEASIBLE)
