from itertools import islice

from solved_tables import solved_tables

from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.kind_patterns import (
    MOST_PAIRS,
    KindPatterns,
    assignment_model,
)
from atleastk.solvers.engine.set_partition.listed import escape_of
from atleastk.solvers.tables.rising_limits import with_escape


def test_giving_up_costs_the_limit_and_nothing_else_changes():
    for instance, best in islice(solved_tables(11, 7, 2), 25):
        kinds, _, _ = KindPatterns.of(instance, MOST_PAIRS)
        whole = assignment_model(instance).model
        for limit in (best, best + 1, best + 3):
            model = with_escape(whole, kinds.copies, limit)
            answer = Highs().minimise(model, Budget(), hint=escape_of(model))
            assert answer.cost == min(best, limit), instance.to_dict()
