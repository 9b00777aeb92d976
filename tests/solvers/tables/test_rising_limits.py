from itertools import islice

from solved_tables import solved_tables

from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.kind_patterns import assignment_model, kinds_of
from atleastk.solvers.engine.set_partition.listed import escape_of
from atleastk.solvers.tables.reduced_model import with_escape


def test_giving_up_costs_the_limit_and_nothing_else_changes():
    for instance, best in islice(solved_tables(11, 7, 2), 25):
        kinds, _ = kinds_of(instance, records_of_levels(instance))
        whole = assignment_model(instance).model
        for limit in (best, best + 1, best + 3):
            model = with_escape(whole, kinds.copies, limit)
            answer = Highs().minimise(model, Budget(), hint=escape_of(model))
            assert answer.cost == min(best, limit), instance.to_dict()
