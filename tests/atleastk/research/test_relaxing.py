from contextlib import suppress
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from every_problem import EMPTY, INSTANCES
from scipy.optimize import linprog

import atleastk
from atleastk.instances.fields.errors import NotApplicableError, UnknownNameError
from atleastk.research.relaxing import FORMULATIONS, relax
from atleastk.runs.registry import PROBLEMS


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("name", INSTANCES)
def test_bounds_are_at_most_the_optimum(solved, name, formulation):
    relaxed = []
    for instance, result in solved(name):
        if 0 < instance.n <= 10:
            with suppress(NotApplicableError):
                relaxed.append((relax(instance, formulation), result))
    listed = formulation == "compact" or PROBLEMS[name].priced is not None
    assert bool(relaxed) == listed
    for found, result in relaxed:
        if found.bound is None:
            assert result.status is atleastk.Status.INFEASIBLE
        elif result.cost is not None:
            assert found.least_cost <= result.cost
            assert not found.is_integral or found.value <= result.cost
            assert found.value is None or found.value == found.bound


def tables(seed):
    return atleastk.generate("k-anonymity", "uniform", seed, n=8, m=3, values=2)


@pytest.mark.parametrize("seed", range(10))
def test_shares_of_groups_against_all_sets_of_rows(seed):
    """The value is that of the linear program over sets that are listed here."""
    instance, k = tables(seed), 3
    sets = [s for size in range(k, 2 * k) for s in combinations(range(8), size)]
    costs = [
        len(s) * sum(len({instance.table[i][j] for i in s}) > 1 for j in range(3))
        for s in sets
    ]
    entries = np.array([[i in s for s in sets] for i in range(8)], dtype=float)
    expected = linprog(costs, A_eq=entries, b_eq=np.ones(8))
    found = relax(instance)
    assert instance.k == k
    assert float(found.value) == pytest.approx(expected.fun)
    assert sum(share * costs[sets.index(group)] for group, share in found.primal) == (
        found.value
    )
    for i in range(8):
        assert sum(share for group, share in found.primal if i in group) == 1
    assert sum(found.dual[:8]) == found.value


@pytest.mark.parametrize("seed", range(10))
def test_the_least_level_of_bins(seed):
    """Shares of bins up to a level exist from the value on, and not below it."""
    instance = atleastk.generate("bin-covering", "uniform", seed, n=8, high=9)
    sets = [
        s
        for size in range(1, 9)
        for s in combinations(range(8), size)
        if sum(instance.sizes[i] for i in s) >= instance.k
    ]

    def has_shares(level):
        few = [s for s in sets if sum(instance.sizes[i] for i in s) <= level]
        entries = np.array([[i in s for s in few] for i in range(8)], dtype=float)
        if not few:
            return False
        return linprog(np.zeros(len(few)), A_eq=entries, b_eq=np.ones(8)).success

    value = relax(instance).value
    assert has_shares(int(value))
    assert not has_shares(int(value) - 1)


def test_a_gap_and_its_words():
    instance = atleastk.BinCovering(sizes=[1, 1, 1], k=2, objective="excess")
    found = relax(instance)
    assert str(found) == "configuration: 0, 3 shares"
    assert found.gap(1) is None
    table = atleastk.KAnonymity(table=[[0, 0], [0, 1], [1, 0]], k=2)
    found = relax(table)
    assert (found.value, found.primal[0][1]) == (Fraction(4), Fraction(1, 2))
    assert found.gap(atleastk.solve(table).cost) == Fraction(3, 2)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_without_a_solution_the_lack_is_proved(formulation):
    found = relax(atleastk.BinCovering(sizes=[1, 1], k=3), formulation)
    assert (found.value, found.bound, found.least_cost) == (None, None, None)
    assert str(found) == f"{formulation}: no solution"


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("r", [2, 4])
def test_all_points_may_be_left_over(formulation, r):
    gather = atleastk.RGather(points=[[0], [5], [9]], r=r, max_outliers=3)
    found = relax(gather, formulation)
    assert found.value == found.bound == atleastk.solve(gather).cost == 0


def test_what_is_not_relaxed():
    with pytest.raises(UnknownNameError, match="known: configuration, compact"):
        relax(tables(0), "cuts")
    with pytest.raises(NotApplicableError, match="configuration: "):
        relax(atleastk.generate("r-gather", "uniform", n=17))
    with pytest.raises(NotApplicableError, match="beyond 64 bits"):
        relax(atleastk.BinCovering(sizes=[10**20] * 3, k=10**20))
    for empty in (instance for some in EMPTY.values() for instance in some):
        with pytest.raises(NotApplicableError, match="nothing to relax"):
            relax(empty, "compact")
    with pytest.raises(NotApplicableError, match="are not listed"):
        relax(atleastk.generate("interval-covering", "unit", n=5))
    assert [p for p in PROBLEMS if PROBLEMS[p].priced is None] == [
        "interval-covering",
        "suppression",
        "k-ambiguity",
        "rectangle-tiling",
        "rectangle-tiling-grid",
    ]
