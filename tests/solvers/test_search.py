"""A search: what it makes of reports."""

import pytest

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.errors import WrongAnswerError
from atleastk.models.bin_covering import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search


@pytest.fixture
def search():
    return Search(BinCovering([10, 6, 6, 6], 10), check, Budget())


def test_all_tried_makes_the_best_known_optimal(search):
    search.offer([range(4)], "someone")
    search.conclude("test")
    assert (search.cost, search.bound, search.proved_by) == (28, 28, "test")
    with pytest.raises(WrongAnswerError, match="below the bound 28 claimed by test"):
        search.offer([[0, 1], [2, 3]], "another")


def test_all_tried_without_a_solution_is_infeasible(search):
    search.conclude("test")
    assert search.infeasible
    assert search.closed
