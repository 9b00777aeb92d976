from itertools import islice

from searching import search_of
from solved_tables import solved_tables

from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.auto import close_gap, raise_by_weights
from atleastk.solvers.diversity.first import begin


def test_random_tables_of_all_readings():
    reached = 0
    for instance, best in islice(solved_tables(8, 7, 2), 60):
        search = search_of(instance)
        begin(search, "start")
        raise_by_weights(search, Budget())
        assert search.bound <= best <= search.cost, instance.to_dict()
        reached += search.bound == best
    assert reached >= 35


def test_limits_close_every_table():
    raised = 0
    for instance, best in islice(solved_tables(9, 8, 2), 60):
        search = search_of(instance)
        begin(search, "start")
        found = raise_by_weights(search, Budget())
        assert found is not None
        raised += search.bound < best
        close_gap(search, *found)
        assert search.bound == search.cost == best, instance.to_dict()
    assert raised >= 5
