"""Groups of column generation: bounds that hold, and solutions that are feasible."""

from itertools import islice

from solved_tables import solved_tables

from atleastk.models.diversity import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.first import begin
from atleastk.solvers.diversity.methods import weighed
from atleastk.solvers.search import Search


def test_random_tables_of_all_readings():
    """Bounds never exceed the optimum, and most of the tables are closed."""
    closed = 0
    for instance, best in islice(solved_tables(8, 7, 2), 60):
        search = Search(instance, check, Budget())
        begin(search, "start")
        weighed(search, Budget())
        assert search.bound <= best <= search.cost, instance.to_dict()
        closed += search.bound == search.cost
    assert closed >= 45
