from searching import searched

from atleastk import KAnonymity
from atleastk.solvers.k_anonymity.methods import METHODS


def test_any_number_of_columns_is_taken_without_patterns():
    table = [[g] * 35 + [i * 7 + g] * 35 for g in range(2) for i in range(3)]
    for name in ("leaders", "sat", "maxsat", "subset-dp"):
        (run,) = (method.run for method in METHODS if method.name == name)
        search = searched(run, KAnonymity(table, 3))
        assert search.cost == search.bound == 210
