import pytest

from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.search import Search
from atleastk.solvers.suppression.exhaustive import refuses, search_all


def searched(instance, start=None):
    search = Search(instance, check, Budget())
    if start is not None:
        search.offer(start, "start")
    search_all(search, "exhaustive")
    return search


@pytest.mark.parametrize(
    ("name", "limits", "best"),
    [
        ("r-c-MIN-e-SUP", {"rows": 2, "columns": 1}, 6),
        ("r-c-MIN-r'-SUP", {"rows": 2, "columns": 1}, 2),
        ("c-c'-MIN-r-SUP", {"columns": 2, "per_column": 2}, 2),
        ("c-MIN-r-DEL", {"columns": 1}, 2),
        ("e-MAX-k-SUP", {"entries": 11}, -2),
    ],
)
def test_unions_by_hand(name, limits, best):
    table = [[0, 0, 0], [0, 0, 1], [1, 2, 0], [2, 1, 0]]
    assert searched(Suppression.named(name, table, 2, limits)).cost == best


def test_large_tables_are_refused():
    wide = Suppression([[1] * 9] * 2, 2)
    assert refuses(wide) == "it tries all sets of at most 16 cells, not of 2 x 9"
    union = Suppression.named("r-c-DEL", [[1] * 4] * 4, 2, {"rows": 2, "columns": 2})
    assert refuses(union) is None
    many = Suppression([[1, 1]] * 8, 2, minimise="rows", limits={"columns": 2})
    assert refuses(many).startswith("it tries at most 4194304 suppression schemes")
