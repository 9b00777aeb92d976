import random

import numpy as np
import pytest

from atleastk import generate
from atleastk.instances.datasets.adult import adult
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.certificates.k_ambiguity import proven, proven_by_lists
from atleastk.models.k_ambiguity import needs, useful_columns
from atleastk.solvers.brute_force.k_ambiguity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_ambiguity.reduced_cost_fixing import star_sets_within
from atleastk.solvers.k_ambiguity.weights import (
    Classes,
    best_duals,
    feasible_weights,
    integer_weights,
    needy_sample,
    weights_beside,
)


def tables(seed, count):
    rng = random.Random(seed)
    while count:
        n, m = rng.choice([(4, 3), (6, 2), (7, 2), (2, 6), (12, 1)])
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        instance = KAmbiguity(table, rng.randint(2, min(n, 5)))
        if needs(instance).any():
            count -= 1
            yield instance


def test_all_weights_are_below_the_optimum_and_many_meet_it():
    met = 0
    for instance in tables(1, 100):
        best = optimum(instance)[0]
        sampled = Classes(instance, needy_sample(instance, 0))
        for weights in (
            feasible_weights(sampled, Budget()),
            feasible_weights(sampled, Budget(), keeping=True),
            best_duals(sampled, 99, Budget()),
        ):
            bound = proven(instance, integer_weights(sampled, weights))
            assert bound <= best
            met += bound == best
    assert met > 100


def test_duals_prove_no_less_than_pressed_weights():
    for instance in tables(2, 60):
        sampled = Classes(instance, needy_sample(instance, 0))
        values = [w @ sampled.needs for w in (best_duals(sampled, 99, Budget()),)]
        assert values[0] >= feasible_weights(sampled, Budget()) @ sampled.needs - 1e-6


def test_weights_beside_rows_prove_no_less_than_the_same_for_all():
    better = 0
    for instance in tables(3, 100):
        sampled = Classes(instance, needy_sample(instance, 0))
        if sampled.m > 1:
            best = optimum(instance)[0]
            weights = feasible_weights(sampled, Budget(), keeping=True)
            same = proven(instance, integer_weights(sampled, weights))
            bound, lists = weights_beside(instance, sampled, 0, best, Budget())
            assert same <= bound <= best
            assert bound == (proven_by_lists(instance, lists) if lists else 0)
            better += same < bound
    assert better > 3


@pytest.mark.parametrize("seed", range(2))
def test_weights_beside_rows_prove_lemma_1_where_one_list_leaves_a_gap(seed):
    instance = generate("k-ambiguity", "skewed", seed, n=80, m=4, values=4, k=12)
    sampled = Classes(instance, needy_sample(instance, 0))
    pressed = feasible_weights(sampled, Budget(), keeping=True)
    for weights in (pressed, best_duals(sampled, 99, Budget())):
        assert proven(instance, integer_weights(sampled, weights)) < 44
    bound, lists = weights_beside(instance, sampled, 0, 44, Budget())
    assert bound == proven_by_lists(instance, lists) == 44
    assert len(lists) > 1
    assert weights_beside(instance, sampled, 44, 44, Budget()) == (44, [])


def test_a_spent_budget_has_weights():
    instance = KAmbiguity([[i, i] for i in range(6)], 2)
    sampled = Classes(instance, needy_sample(instance, 0))
    weights = integer_weights(sampled, feasible_weights(sampled, Budget.of(0)))
    assert 0 <= proven(instance, weights) <= 2


def test_samples_are_bounded_by_the_columns():
    instance = KAmbiguity(adult(2).table, 2)
    assert (needy_sample(instance, 0) == np.flatnonzero(needs(instance))).all()
    wide = KAmbiguity([[i] * 40 for i in range(3)], 2)
    assert len(needy_sample(wide, 0)) == 0


def test_star_sets_within_a_cost_hold_all_solutions():
    for instance in tables(3, 80):
        best, cells = optimum(instance)
        sampled = Classes(instance, needy_sample(instance, 0))
        weights = integer_weights(sampled, best_duals(sampled, 99, Budget()))
        sets = star_sets_within(instance, weights, best)
        listed = set(zip(sets.record.tolist(), sets.hidden.tolist(), strict=True))
        for row in {row for row, _ in cells}:
            columns = useful_columns(instance).tolist()
            bits = sum(1 << columns.index(j) for i, j in cells if i == row)
            assert (int(instance.records.record_of[row]), bits) in listed
