"""The oracle of k-anonymity against all groups of k to 2k-1 rows."""

import random
from itertools import combinations

import numpy as np
import pytest

from atleastk.instances.fields.errors import NotApplicableError
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.models.admissible.k_anonymity import RowGroups
from atleastk.models.certificates.weights import proven_cost, value_of
from atleastk.models.groups import Group, ManyGroupsModel, Parts
from atleastk.solvers.brute_force.k_anonymity import optimum
from atleastk.solvers.tables.closed_patterns import closed_patterns


def draw(seed):
    rng = random.Random(seed)
    n, m = rng.randint(0, 8), rng.randint(0, 4)
    values, k = rng.randint(1, 3), rng.randint(1, 4)
    return KAnonymity([[rng.randrange(values) for _ in range(m)] for _ in range(n)], k)


def groups_of(instance):
    return RowGroups.of(instance, closed_patterns(instance.records, instance.k))


def enumerated(instance, groups):
    """Return every group of k..2k-1 rows, as records with their cost."""
    k, found = instance.k, set()
    for size in range(k, min(2 * k, instance.n + 1)):
        for rows in combinations(range(instance.n), size):
            found.add(groups.group(instance.records.record_of[list(rows)].tolist()))
    return found


@pytest.mark.parametrize("factor", [1, 10**14 + 31])
def test_oracle_reaches_the_enumerated_maximum(factor):
    for seed in range(200):
        rng = random.Random(seed)
        instance = draw(seed)
        groups = groups_of(instance)
        weights = [rng.randint(-9, 20) * factor for _ in groups.demand]
        scale = rng.choice((0, 1, 3, 7)) * factor

        def value(group, weights=weights, scale=scale):
            return value_of(group.items, group.cost, weights, scale)

        best = groups.best_group(weights, scale)
        every = enumerated(instance, groups)
        if best is None:
            assert not every, seed
            continue
        assert best in every, seed
        assert groups.holds(best), seed
        assert value(best) == max(map(value, every)), seed


def test_better_groups_are_good_disjoint_and_include_a_best():
    """And there are none if none is better."""
    many = 0
    for seed in range(200):
        rng = random.Random(seed)
        groups = groups_of(draw(seed))
        weights = [rng.randint(0, 9) for _ in groups.demand]
        best = groups.best_group(weights, 1)
        if best is None:
            assert groups.better_groups(weights, 1, -100) == [], seed
            continue
        greatest = value_of(best.items, best.cost, weights, 1)
        assert groups.better_groups(weights, 1, greatest) == [], seed
        found = groups.better_groups(weights, 1, greatest - 4)
        values = [value_of(g.items, g.cost, weights, 1) for g in found]
        assert values[0] == greatest, seed
        assert min(values) > greatest - 4, seed
        needed = np.bincount(sum((g.items for g in found), ()))
        assert (needed <= np.array(groups.demand)[: len(needed)]).all(), seed
        many += len(found) > 1
    assert many > 15


def test_values_of_pairs_are_those_of_groups_with_the_record():
    """At the price of the pattern, whatever else the group shares."""
    for seed in range(120):
        rng = random.Random(seed)
        instance = draw(seed)
        groups, patterns = groups_of(instance), groups_of(instance).patterns
        weights = [rng.randint(-3, 9) for _ in groups.demand]
        scale = rng.choice((0, 1, 2))
        found = groups.values_of_pairs(weights, scale) if patterns.count else []
        every = enumerated(instance, groups)
        for p in range(patterns.count):
            matching = set(patterns.matching(p).tolist())
            inside = [g for g in every if matching >= set(g.items)]
            price = scale * int(patterns.stars[p])
            for pair in range(patterns.starts[p], patterns.starts[p + 1]):
                record = patterns.records[pair]
                assert found[pair] == max(
                    sum(weights[kind] - price for kind in g.items)
                    for g in inside
                    if record in g.items
                ), seed


def test_weights_bound_the_optimum():
    """Any weights do, by weak duality."""
    positive = 0
    for seed in range(150):
        rng = random.Random(seed)
        instance = draw(seed)
        if not instance.k <= instance.n:
            continue
        groups = groups_of(instance)
        weights = [rng.randint(0, 3) for _ in groups.demand]
        best = optimum(instance)
        bound = proven_cost(groups, weights, 2)
        assert bound is not None
        assert bound <= best[0], seed
        positive += bound > 0
    assert positive > 10


def test_parts_and_kinds():
    instance = KAnonymity([[1], [2], [1], [1], [3]], 2)
    groups = groups_of(instance)
    assert isinstance(groups, ManyGroupsModel)
    assert groups.parts == Parts(2, 2)
    assert groups.demand == (3, 1, 1)
    assert groups.kinds.members == ((0, 2, 3), (1,), (4,))
    assert groups.group([1, 0]) == Group((0, 1), 2)
    assert not groups.holds(Group((0, 1), 0))
    assert not groups.holds(Group((0,), 0))
    assert not groups.holds(Group((1, 1), 0))
    assert not groups.holds(Group((0, 0, 0, 1), 4))


def test_too_few_rows_have_no_parts():
    groups = groups_of(KAnonymity([[1], [2]], 3))
    assert groups.parts.fewest > groups.parts.most
    assert groups.best_group([1, 1], 1) is None


def test_weights_that_could_overflow_are_refused():
    groups = groups_of(KAnonymity([[1], [2]], 2))
    with pytest.raises(NotApplicableError, match="64 bits"):
        groups.best_group([2**59, 1], 0)
    with pytest.raises(NotApplicableError, match="64 bits"):
        groups.best_group([1, 1], 2**60)
