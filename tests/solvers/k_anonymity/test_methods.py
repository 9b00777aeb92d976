import random

import pytest
from searching import searched

import atleastk
from atleastk import KAnonymity, NotApplicableError
from atleastk.solvers.k_anonymity.methods import METHODS


def test_refusals_say_why():
    wide = KAnonymity([[0] * 63, [1] * 63], 2)
    with pytest.raises(NotApplicableError, match="at most 62 columns, not 63"):
        atleastk.solve(wide, method="patterns")
    many = KAnonymity([[i] for i in range(1000)], 2)
    with pytest.raises(NotApplicableError, match="too many to be led"):
        atleastk.solve(many, method="leaders")
    with pytest.raises(NotApplicableError, match="too many subsets"):
        atleastk.solve(many, method="subset-dp")
    rng = random.Random(1)
    table = [[rng.randrange(3) for _ in range(5)] for _ in range(200)]
    with pytest.raises(NotApplicableError, match="closed patterns have too many sub"):
        atleastk.solve(KAnonymity(table, 2), method="constant-tables")
    table = [[rng.randrange(2) for _ in range(14)] for _ in range(150)]
    with pytest.raises(NotApplicableError, match="match more than 50000 records"):
        atleastk.solve(KAnonymity(table, 2), method="pulp")


def test_any_number_of_columns_is_taken_without_patterns():
    table = [[g] * 35 + [i * 7 + g] * 35 for g in range(2) for i in range(3)]
    for name in ("leaders", "sat", "maxsat", "subset-dp"):
        (run,) = (method.run for method in METHODS if method.name == name)
        search = searched(run, KAnonymity(table, 3))
        assert search.cost == search.bound == 210
