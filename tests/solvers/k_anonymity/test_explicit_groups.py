import random

import pytest
from row_groups import enumerated, groups_of
from searching import search_of

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.certificates.weights import value_of
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity import explicit_groups
from atleastk.solvers.k_anonymity.explicit_groups import groups_above, minimise_groups
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.k_anonymity.subset_dp import best_partition
from atleastk.solvers.tables.closed_patterns import closed_patterns


def test_groups_above_a_value_are_all_listed_once(tables):
    rng = random.Random(5)
    listed_some = 0
    for _ in range(200):
        instance = tables.random_anonymity(rng, 8)
        groups = groups_of(instance)
        weights = [rng.randint(-4, 12) for _ in groups.demand]
        scale = rng.randint(0, 3)
        least = rng.choice([-1000, rng.randint(-20, 60)])
        wanted = {
            group
            for group in enumerated(instance, groups)
            if value_of(group.items, group.cost, weights, scale) >= least
        }
        listed = groups_above(groups, weights, scale, least, Budget(), len(wanted))
        assert listed is not None, instance
        assert len(listed) == len(wanted), instance
        assert set(listed) == wanted, instance
        listed_some += len(wanted) > 10
        if wanted:
            fewer = len(wanted) - 1
            assert (
                groups_above(groups, weights, scale, least, Budget(), fewer) is None
            ), instance
    assert listed_some > 20


@pytest.mark.parametrize("limit", [200_000, 0], ids=["exact cover", "patterns left"])
def test_either_ending_is_exact(limit, tables, monkeypatch):
    monkeypatch.setattr(explicit_groups, "_MOST_GROUPS", limit)
    rng, beyond = random.Random(7), 0
    for _ in range(40):
        n, m = rng.randint(8, 14), rng.randint(2, 5)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        instance = KAnonymity(table, rng.randint(2, 4))
        search = search_of(instance)
        begin(search, "start")
        patterns = closed_patterns(instance.records, instance.k)
        minimise_groups(search, patterns, Highs(), "groups")
        groups = best_partition(instance, Budget())
        other = search_of(instance)
        other.offer(groups, "subsets")
        assert search.closed, instance
        assert search.cost == other.cost, instance
        beyond += len(search.events) > 3
    assert beyond


def test_a_spent_budget_claims_nothing():
    instance = KAnonymity([[i % 3, i % 4, i % 5] for i in range(30)], 3)
    search = search_of(instance, seconds=0)
    search.offer([range(30)], "start")
    minimise_groups(search, closed_patterns(instance.records, 3), Highs(), "groups")
    assert not search.closed
    assert search.bound is None
