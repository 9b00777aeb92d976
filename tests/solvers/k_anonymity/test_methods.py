import pytest
from drawing import random_anonymity
from searching import searched

from atleastk import KAnonymity
from atleastk.models.certificates.k_anonymity import check_certificate
from atleastk.solvers.k_anonymity.methods import METHODS
from atleastk.solvers.tables import reduced_cost_fixing
from tests.helpers.costs import least_cost

RUNS = {method.name: method.run for method in METHODS}


def test_any_number_of_columns_is_taken_without_patterns():
    table = [[g] * 35 + [i * 7 + g] * 35 for g in range(2) for i in range(3)]
    for name in ("leaders", "sat", "maxsat", "subset-dp"):
        search = searched(RUNS[name], KAnonymity(table, 3))
        assert search.cost == search.bound == 210


@pytest.mark.parametrize("branched", [10_000, 0], ids=["branched", "listed"])
def test_groups_are_exact_either_way(branched, monkeypatch):
    monkeypatch.setattr(reduced_cost_fixing, "MOST_BRANCHED", branched)
    for seed in range(20):
        instance = random_anonymity(seed, 15, least_columns=2)
        search = searched(RUNS["groups"], instance)
        assert search.closed, instance
        assert search.cost == least_cost(instance), instance
        if search.certificate is not None:
            check_certificate(instance, search.certificate, search.bound)
