import random
from itertools import combinations

import numpy as np
import pytest
from small_instances import DRAWN

from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.models.certificates.weights import Prices
from atleastk.solvers.budget import Budget
from atleastk.solvers.cellular_clustering import clusters
from atleastk.solvers.cellular_clustering.clusters import ClusterOracle
from atleastk.solvers.cellular_clustering.sites import above_all, sites_of
from atleastk.solvers.engine.set_partition.oracle import SAFE


def priced(rng, instance, scale):
    """Return random prices, with triples of which some share points."""
    n = instance.n
    trios = list(combinations(range(n), 3))
    triples = rng.sample(trios, min(len(trios), rng.randint(1, 12)))
    whole = range(rng.choice([5, 20, 60]))
    return Prices(
        scale,
        np.array([rng.choice(whole) * scale for _ in range(n)]),
        rng.choice([-3, 0, 4]) * scale,
        np.array(triples, dtype=np.int64),
        np.array([rng.randint(1, 9) * scale - 1 for _ in triples]),
    )


def reduced_costs(instance, prices):
    """Return the reduced cost of every group of points, at its cheapest centre."""
    distances = instance.space.matrix
    largest, every = sites_of(instance).most, range(instance.n)
    found = {}
    for size in range(max(1, instance.r), largest + 1):
        for group in combinations(every, size):
            held = list(group)
            if instance.any_centre:
                costs = [size * int(distances[np.ix_(held, held)].max())]
            else:
                centres = held if instance.centres == "member" else every
                reach = distances[:, held].max(axis=1)
                costs = [
                    int(instance.facilities[c]) + size * int(reach[c]) for c in centres
                ]
            paid = prices.group - int(prices.weights[held].sum())
            for triple, price in zip(
                prices.triples.tolist(), prices.of_triples.tolist(), strict=True
            ):
                paid += price * (len(set(triple) & set(group)) > 1)
            found[group] = prices.scale * min(costs) + paid
    return found


@pytest.mark.parametrize("steps", [1, 2_000])
def test_clusters_are_priced_with_triples(monkeypatch, steps):
    """All up to a limit are listed, and the least reduced cost is bounded."""
    monkeypatch.setattr(clusters, "_EACH", steps)
    rng = random.Random(31)
    tried = 0
    while tried < 60:
        instance = DRAWN["cellular-clustering"](rng)
        if not 3 <= instance.n <= 8 or instance.least_clustered == 0:
            continue
        tried += 1
        oracle = ClusterOracle(instance, above_all(instance))
        prices = priced(rng, instance, rng.choice([1, oracle.frame.scale]))
        reduced = reduced_costs(instance, prices)
        spare = rng.randint(-5, 25) * prices.scale
        listed = oracle.listed(prices, spare, 10_000, Budget())
        names = {tuple(group) for group in listed.members}
        assert names == {g for g, cost in reduced.items() if cost <= spare}
        best = min(reduced.values(), default=0)
        found = oracle.price(prices, Budget())
        assert found.least <= min(0, best)
        costs = [reduced[tuple(group)] for group in found.groups.members]
        assert all(cost < 0 for cost in costs)
        assert bool(costs) == (best < 0)


@pytest.mark.parametrize("n", [100, 600])
def test_weights_of_wide_spaces_stay_within_64_bits(n):
    """Giving up cost 64 times as much as fitted: sums of 600 weights wrapped."""
    wide = [[2**40 * i // n] for i in range(n)]
    instance = CellularClustering(points=wide, metric="manhattan", r=10)
    above = above_all(instance)
    frame = ClusterOracle(instance, above).frame
    assert frame.greatest > above
    assert (n + 4) * frame.greatest * frame.scale <= SAFE
