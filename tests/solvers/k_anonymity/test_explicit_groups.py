"""Groups within the gap, against enumeration; and the method's two endings."""

import random
from itertools import combinations

import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.admissible.k_anonymity import RowGroups
from atleastk.models.certificates.weights import value_of
from atleastk.models.k_anonymity import check
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity import explicit_groups
from atleastk.solvers.k_anonymity.explicit_groups import groups_above, minimise_groups
from atleastk.solvers.k_anonymity.first import begin
from atleastk.solvers.k_anonymity.subset_dp import best_partition
from atleastk.solvers.search import Search
from atleastk.solvers.tables.closed_patterns import closed_patterns


def groups_of(instance):
    return RowGroups.of(instance, closed_patterns(instance.records, instance.k))


def enumerated(instance, groups):
    """Return every group of k..2k-1 rows, as records with their cost."""
    k, found = instance.k, set()
    for size in range(k, min(2 * k, instance.n + 1)):
        for rows in combinations(range(instance.n), size):
            found.add(groups.group(instance.records.record_of[list(rows)].tolist()))
    return found


def test_groups_above_a_value_are_all_listed_once(tables):
    """Random weights and thresholds, also below the values of all groups."""
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
    """Models of all groups in the gap, and of pairs if these are too many."""
    monkeypatch.setattr(explicit_groups, "_MOST_GROUPS", limit)
    rng, beyond = random.Random(7), 0
    for _ in range(40):
        n, m = rng.randint(8, 14), rng.randint(2, 5)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        instance = KAnonymity(table, rng.randint(2, 4))
        search = Search(instance, check, Budget())
        begin(search, "start")
        patterns = closed_patterns(instance.records, instance.k)
        minimise_groups(search, patterns, Highs(), "groups")
        groups = best_partition(instance, Budget())
        other = Search(instance, check, Budget())
        other.offer(groups, "subsets")
        assert search.closed, instance
        assert search.cost == other.cost, instance
        beyond += len(search.events) > 3
    assert beyond


def test_a_spent_budget_claims_nothing():
    """The start is the only solution."""
    table = [[i % 3, i % 4, i % 5] for i in range(30)]
    instance = KAnonymity(table, 3)
    search = Search(instance, check, Budget.of(0))
    search.offer([range(30)], "start")
    patterns = closed_patterns(instance.records, 3)
    minimise_groups(search, patterns, Highs(), "groups")
    assert not search.closed
    assert search.bound is None
