from atleastk.instances.bin_covering import BinCovering
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.certificates.weights import proven_cost
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.column_generation import solve_master
from atleastk.solvers.engine.weights import costing_weights, refuting_weights


def test_refuting_weights_are_short_and_exact():
    groups = BinGroups.decision(BinCovering([3, 3, 3, 6, 6], 5), 3, 8)
    answer = solve_master(groups, Budget(), feasibility=True)
    weights = refuting_weights(groups, answer, Budget())
    assert weights is not None
    assert max(map(abs, weights)) <= 12
    assert proven_cost(groups, weights, 0) is None


def test_no_weights_refute_what_is_feasible():
    groups = BinGroups.decision(BinCovering([3, 3, 3, 6, 6], 5), 3, 9)
    answer = solve_master(groups, Budget(), feasibility=True)
    assert refuting_weights(groups, answer, Budget()) is None


def test_costing_weights_prove_what_is_asked():
    groups = BinGroups.sums(BinCovering([6, 6, 6, 7], 7, objective="excess"))
    answer = solve_master(groups, Budget())
    assert answer.bound is not None
    bound = answer.bound
    weights, scale = costing_weights(groups, answer, lambda p: p >= bound, Budget())
    assert scale <= 12
    proved = proven_cost(groups, weights, scale)
    assert proved is not None
    assert proved >= bound


def test_without_time_the_working_weights_are_returned():
    groups = BinGroups.sums(BinCovering([6, 6, 6, 7], 7, objective="excess"))
    answer = solve_master(groups, Budget())
    found = costing_weights(groups, answer, lambda _: True, Budget.of(0.0))
    assert found == (answer.weights, answer.scale)
