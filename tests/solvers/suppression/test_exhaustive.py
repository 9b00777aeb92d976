import pytest
from searching import search_of

from atleastk.instances.suppression import Suppression
from atleastk.solvers.suppression.exhaustive import search_all


def searched(instance, start=None):
    search = search_of(instance)
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
