"""The pricing oracle of pair partition against all sets of items."""

import random
from contextlib import contextmanager
from itertools import combinations

import numpy as np
import pytest

from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition import connected_diagram, pricing
from atleastk.solvers.pair_partition.pricing import PairOracle
from scripts.sweeps.drawn_pairs import random_pairs


def prices_for(rng, instance, oracle):
    """Return prices at which some groups are worth it, with a few triples."""
    n, scale = instance.n, oracle.frame.scale
    dear = scale * max(1, instance.total // max(1, n))
    weights = np.array([rng.randint(-dear // 9, dear) for _ in range(n)])
    triples = [sorted(rng.sample(range(n), 3)) for _ in range(2) if n >= 3]
    paid = [rng.randint(1, dear) for _ in triples]
    return Prices(
        scale,
        weights,
        rng.choice([0, dear, -dear]),
        np.array(triples, dtype=np.int64).reshape(-1, 3),
        np.array(paid, dtype=np.int64),
    )


def reduced_costs(instance, prices):
    """Return the reduced costs of all admissible groups."""
    found = {}
    for size in range(instance.k, instance.most_size + 1):
        for group in combinations(range(instance.n), size):
            if not is_admissible(instance, group):
                continue
            lifted = instance.cost_of(group) + instance.reliefs[list(group)].sum()
            cost = prices.scale * int(lifted) + prices.group
            cost -= int(prices.weights[list(group)].sum())
            for triple, paid in zip(prices.triples, prices.of_triples, strict=True):
                cost += int(paid) * (len(set(triple.tolist()) & {*group}) >= 2)
            found[group] = cost
    return found


@pytest.mark.parametrize("search", ["items", "classes", "diagram"])
@pytest.mark.parametrize("block", range(5))
def test_all_groups_are_listed_and_the_best_are_priced(block, search, monkeypatch):
    if search == "classes":  # bounds by classes for groups of any size
        monkeypatch.setattr(pricing, "_PACKED", -9)
    if search != "diagram":  # of connected groups
        monkeypatch.setattr(connected_diagram, "_MOST_STATES", 0)
    some = 0
    for seed in range(60 * block, 60 * block + 60):
        rng = random.Random(seed)
        instance = random_pairs(rng, (9, 1000, 2**40), 9)
        if not instance.n or not instance.counts:
            continue
        oracle = PairOracle(instance, Budget())
        prices = prices_for(rng, instance, oracle)
        reduced = reduced_costs(instance, prices)
        spare = sorted(reduced.values())[len(reduced) // 3] if reduced else 0
        listed = oracle.listed(prices, spare, 10_000, Budget())
        expected = {group for group, cost in reduced.items() if cost <= spare}
        assert {tuple(g) for g in listed.members} == expected, seed
        priced = oracle.price(prices, Budget())
        some += priced.groups.count
        assert {tuple(g) for g in priced.groups.members} <= {*reduced}
        best = min(reduced.values(), default=0)
        assert oracle.greatest_worth(prices, Budget()) >= prices.group - best
        assert priced.least <= min(0, best)
        if best < -2 * instance.n:
            assert priced.groups.count, seed
    assert some > 10


@pytest.mark.parametrize("search", ["items", "classes", "diagram"])
def test_a_search_of_few_sets_from_each_item_ends_with_the_time(search, monkeypatch):
    """It was asked after a thousand sets, which few items have."""

    @contextmanager
    def raised(_):
        yield np.ones(1, dtype=np.uint8)

    if search == "classes":
        monkeypatch.setattr(pricing, "_PACKED", -9)
    rng, ended = random.Random(1), 0
    while ended < 3:
        instance = random_pairs(rng, (9,), 9)
        if not instance.counts or instance.n < 4:
            continue
        oracle = PairOracle(instance, Budget())
        if (oracle.order is not None) == (search == "diagram"):
            prices = prices_for(rng, instance, oracle)
            with monkeypatch.context() as patched:
                patched.setattr(Budget, "flagging", raised)
                assert oracle.price(prices, Budget()) is None
            ended += 1
