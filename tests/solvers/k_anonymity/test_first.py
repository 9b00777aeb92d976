from searching import search_of

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.k_anonymity.first import begin


def begun(table, k):
    search = search_of(KAnonymity(table, k))
    return search, begin(search, "start")


def test_neighbours_are_found():
    search, more = begun([[i % 3, i % 3] for i in range(9)], 3)
    assert not more
    assert search.cost == 0
    search, more = begun([[0, 0], [1, 1], [0, 1], [1, 0]], 2)
    assert more
    assert (search.cost, search.bound) == (4, 0)


def test_a_better_start_is_kept():
    instance = KAnonymity([[i, i % 2] for i in range(4)], 2)
    search = search_of(instance)
    search.offer([[0, 2], [1, 3]], "known")
    assert begin(search, "start")
    assert (search.cost, search.found_by) == (4, "known")
