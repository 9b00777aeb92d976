from itertools import islice

import numpy as np
import pytest
from solved_tables import solved_tables

from atleastk import KAnonymity, Status
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.kind_patterns import assignment_model, kinds_of
from atleastk.solvers.engine.set_partition.listed import escape_of
from atleastk.solvers.tables.listed_groups import list_groups, no_groups
from atleastk.solvers.tables.multipliers import prove, relevant
from atleastk.solvers.tables.reduced_model import reduced_model, with_escape
from tests.helpers.costs import assigned_cost, least_cost
from tests.helpers.listed import listed_table

SCALE = 2**10


@pytest.mark.parametrize("seed", range(12))
def test_the_optimum_or_the_limit_is_left(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 4))
    n, m = int(rng.integers(k, 12)), int(rng.integers(1, 5))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    records = instance.records
    optimum = least_cost(instance)
    table = listed_table(records, k)
    weights = rng.integers(0, 2 * SCALE, records.distinct)
    known = prove(table, weights, SCALE)
    for limit in (optimum, optimum + 1, optimum + 4):
        left = relevant(table, known, limit)
        cap = int(rng.choice([1, 5, 10**6]))
        pool = list_groups(left, known, limit, Budget.of(), cap, 10**6)
        for chosen in (pool, no_groups(left)):
            reduced = reduced_model(left, chosen, limit)
            assert reduced.model.admits(escape_of(reduced.model))
            assert reduced.model.cost(escape_of(reduced.model)) == limit
            answer = Highs().minimise(
                reduced.model, Budget.of(), hint=escape_of(reduced.model)
            )
            assert answer.status is Status.OPTIMAL
            assert answer.cost == min(limit, optimum)
            if limit > optimum:
                found = reduced.decode(answer.values)
                assert assigned_cost(instance, found) == optimum


def test_giving_up_costs_the_limit_and_nothing_else_changes():
    for instance, best in islice(solved_tables(11, 7, 2), 25):
        kinds, _ = kinds_of(instance, records_of_levels(instance))
        whole = assignment_model(instance).model
        for limit in (best, best + 1, best + 3):
            model = with_escape(whole, kinds.copies, limit)
            answer = Highs().minimise(model, Budget(), hint=escape_of(model))
            assert answer.cost == min(best, limit), instance.to_dict()
