import random
import threading
from functools import partial

import pytest
from ortools.sat.python import cp_model

from atleastk import NotApplicableError, Status
from atleastk.solvers.backends.cp_sat import solve_cp_model
from atleastk.solvers.budget import Budget


def knapsack() -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Weights 4, 5, 6 to at least 9: the least is 9, at cost 9 + 100."""
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in range(3)]
    weight = sum(w * x for w, x in zip((4, 5, 6), chosen, strict=True))
    model.add(weight >= 9)
    model.minimize(weight + 100)
    return model, chosen


def test_costs_include_the_constant() -> None:
    model, chosen = knapsack()
    points, bounds = [], []
    answer = solve_cp_model(
        model, Budget(), on_answer=points.append, on_bound=bounds.append
    )
    assert (answer.status, answer.cost, answer.bound) == (Status.OPTIMAL, 109, 109)
    assert [int(answer.values[x.index]) for x in chosen] == [1, 1, 0]
    assert (points[-1] == answer.values).all()
    assert all(bound <= 109 for bound in bounds)


def test_decisions_and_infeasibility() -> None:
    model, chosen = knapsack()
    model.clear_objective()
    assert solve_cp_model(model, Budget()).status is Status.OPTIMAL
    model.add(sum(chosen) <= 1)
    assert solve_cp_model(model, Budget()).status is Status.INFEASIBLE
    assert solve_cp_model(model, Budget.of(0.0)).status is Status.UNKNOWN


def test_what_cp_sat_cannot_take() -> None:
    overflow = cp_model.CpModel()
    wide = [overflow.new_int_var(0, 2**40, "") for _ in range(3)]
    overflow.add(sum(2**30 * x for x in wide) <= 10)
    upwards, chosen = knapsack()
    upwards.maximize(sum(chosen))
    fractional, chosen = knapsack()
    fractional.minimize(0.5 * chosen[0])
    for model, complaint in (
        (overflow, "overflow"),
        (upwards, "minimise an integer"),
        (fractional, "minimise an integer"),
    ):
        with pytest.raises(NotApplicableError, match=complaint):
            solve_cp_model(model, Budget())


def test_costs_beyond_doubles_are_refused() -> None:
    """Above 2^53 a cost and a bound below it may be the same double."""
    costly, model = cp_model.CpModel(), cp_model.CpModel()
    for each, most in ((costly, 2**53 + 1), (model, 2**53)):
        each.minimize(most * each.new_int_var(1, 1, ""))
    with pytest.raises(NotApplicableError, match=r"a sum can reach 9.01e\+15"):
        solve_cp_model(costly, Budget())
    assert solve_cp_model(model, Budget()).cost == 2**53


def test_a_bound_is_never_made_up() -> None:
    for milliseconds in range(1, 40, 3):
        model = cp_model.CpModel()
        x = [model.new_int_var(0, 1000, "") for _ in range(40)]
        for j in range(39):
            model.add((7 + j) * x[j] + (5 + 2 * j) * x[j + 1] <= 3000 + 13 * j)
        model.minimize(-sum(x))
        answer = solve_cp_model(model, Budget.of(milliseconds / 1000))
        assert answer.bound is None or answer.bound <= -40


def test_stopping_before_the_start(patiently) -> None:
    """A stop that arrives in the very moment of the start is not missed.

    Even numbers of 12 digits are to have an odd sum, which takes ages to refute.
    """
    rng = random.Random(1)
    sizes = [2 * rng.randint(10**11, 10**12) for _ in range(40)]
    for delay in (0.0, 0.001, 0.003, 0.01):
        model = cp_model.CpModel()
        total = sum(size * model.new_bool_var("") for size in sizes)
        model.add(total == sum(sizes) // 4 * 2 + 1)
        budget = Budget()
        threading.Timer(delay, budget.stop.set).start()
        plain = {"cp_model_presolve": False, "linearization_level": 0}
        solve = partial(solve_cp_model, model, budget, parameters=plain)
        assert patiently(solve).status is Status.UNKNOWN
