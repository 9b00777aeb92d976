from itertools import islice

import numpy as np
from solved_tables import solved_tables

from atleastk.instances.generators.diversity import diagnoses
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.kind_patterns import (
    MOST_PAIRS,
    KindPatterns,
    assignment_model,
)
from atleastk.solvers.tables.pair_cuts import tightened, with_escape


def parts_of(instance):
    kinds, patterns, _ = KindPatterns.of(instance, MOST_PAIRS)
    return kinds, patterns


def least_of(model):
    escape = np.zeros(model.columns, dtype=np.int64)
    escape[-1] = 1
    answer = Highs().minimise(model, Budget(), hint=escape)
    assert answer.cost is not None
    return answer.cost


def test_cuts_and_fixing_keep_the_optimum():
    for instance, best in islice(solved_tables(11, 7, 2), 25):
        kinds, patterns = parts_of(instance)
        whole = assignment_model(instance).model
        for limit in (best, best + 1, best + 3):
            model = with_escape(whole, kinds.copies, limit)
            tight = tightened(model, kinds, patterns, limit, Budget())
            assert tight.bound <= min(best, limit), instance.to_dict()
            assert least_of(tight.model) == min(best, limit), instance.to_dict()


def test_a_table_of_two_values_has_cuts():
    instance = diagnoses(7, n=24, m=5, values=3, sensitive=2)
    kinds, patterns = parts_of(instance)
    whole = assignment_model(instance).model
    limit = least_of(with_escape(whole, kinds.copies, 10**6)) + 1
    model = with_escape(whole, kinds.copies, limit)
    tight = tightened(model, kinds, patterns, limit, Budget())
    assert tight.model.rows.shape[0] > model.rows.shape[0]
    assert tight.left < model.columns
    assert least_of(tight.model) == limit - 1


def test_without_time_nothing_is_fixed():
    instance = diagnoses(3, n=12, m=3)
    kinds, patterns = parts_of(instance)
    model = with_escape(assignment_model(instance).model, kinds.copies, 30)
    same = tightened(model, kinds, patterns, 30, Budget.of(0.0))
    assert same.model.upper.tolist() == model.upper.tolist()
    assert (same.bound, same.left) == (0, model.columns)
