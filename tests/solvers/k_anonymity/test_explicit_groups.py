import random

import pytest
from searching import search_of

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.k_anonymity import check_certificate
from atleastk.solvers.engine.set_partition import closing
from atleastk.solvers.k_anonymity.explicit_groups import minimise_groups
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.tables.closed_patterns import closed_patterns
from tests.helpers.costs import least_cost


@pytest.mark.parametrize("pools", [(20_000,), ()], ids=["listed", "patterns left"])
def test_either_ending_is_exact(pools, monkeypatch):
    monkeypatch.setattr(closing, "_POOLS", pools)
    monkeypatch.setattr(closing, "LONG", 200 if pools else 0)
    rng, beyond = random.Random(7), 0
    for _ in range(20):
        n, m = rng.randint(8, 14), rng.randint(2, 5)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        instance = KAnonymity(table, rng.randint(2, 4))
        search = search_of(instance)
        begin(search, "start")
        patterns = closed_patterns(instance.records, instance.k)
        minimise_groups(search, patterns, "groups")
        assert search.closed, instance
        assert search.cost == least_cost(instance), instance
        if search.certificate is not None:
            check_certificate(instance, search.certificate, search.bound)
        beyond += len(search.events) > 3
    assert beyond
