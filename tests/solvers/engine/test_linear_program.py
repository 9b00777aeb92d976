import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_array

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.linear_program import GrowingLp


def test_columns_caps_and_duals():
    lp = GrowingLp([4, 0], [4, 1])
    lp.add(3.0, [0, 1], [1, 1])
    b = lp.add(2.0, [0], [1])
    first = lp.solve(Budget())
    assert first is not None
    assert first.value == pytest.approx(8)
    assert first.primal == pytest.approx(np.array([0, 4]))
    assert first.duals == pytest.approx(np.array([2, 0]))
    lp.add(1.0, [0, 1], [1, 1])
    second = lp.solve(Budget())
    assert second is not None
    assert second.value == pytest.approx(7)
    assert second.duals == pytest.approx(np.array([2, -1]))
    lp.cap(b, np.zeros(1))
    assert lp.solve(Budget()) is None
    lp.add(0.0, [0], [2])
    third = lp.solve(Budget())
    assert third is not None
    assert third.value == pytest.approx(0)


def test_infeasible_program_has_no_optimum():
    assert GrowingLp([1], [1]).solve(Budget()) is None


def random_programs(seed):
    rng = np.random.default_rng(seed)
    entries = rng.integers(0, 3, (8, 5)) + np.eye(8, 5, dtype=np.int64)
    costs, upper = rng.integers(1, 9, 8), rng.integers(2, 5, 8)
    whole = GrowingLp(np.ones(5), np.full(5, np.inf))
    whole.add_columns(entries, costs, upper)
    grown = GrowingLp(np.ones(2), np.full(2, np.inf))
    grown.add_columns(csr_array(entries[:3, :2]), costs[:3], upper[:3])
    grown.solve(Budget())
    grown.add_columns(entries[3:, :2], costs[3:], upper[3:])
    grown.add_rows(entries[:, 2:].T, 1.0, np.inf)
    return whole, grown, (costs, -entries.T, -np.ones(5), upper)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_programs_that_grew_have_the_optimum_of_the_whole(seed, apart):
    whole, grown, (costs, rows, sides, upper) = random_programs(seed)
    best = linprog(costs, rows, sides, bounds=[(0, most) for most in upper])
    for lp in (whole, grown):
        optimum = lp.solve(Budget(), apart=apart)
        assert (optimum is None) == (best.fun is None)
        if optimum is not None:
            assert optimum.value == pytest.approx(best.fun)
            assert optimum.primal @ costs == pytest.approx(best.fun)
            assert (rows @ optimum.primal <= sides + 1e-6).all()


def test_a_basis_leads_back_to_its_optimum_without_a_step():
    lp, _, (_, _, _, upper) = random_programs(0)
    first = lp.solve(Budget())
    basis = lp.basis
    lp.cap(0, np.where(first.primal > 0, upper, 0))
    dearer = lp.value_after(0)
    lp.cap(0, upper)
    lp.start_from(basis)
    again = lp.solve(Budget())
    assert lp.pivots == 0
    assert again.primal == pytest.approx(first.primal)
    assert dearer == pytest.approx(first.value)


@pytest.mark.parametrize("apart", [False, True])
def test_without_time_there_is_no_answer_and_later_there_is(apart):
    lp, _, _ = random_programs(1)
    assert lp.solve(Budget.of(0.0), apart=apart) is None
    assert lp.solve(Budget(), apart=apart) is not None
