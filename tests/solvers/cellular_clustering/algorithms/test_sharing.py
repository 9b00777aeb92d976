import random

import numpy as np

from atleastk.instances.spaces.metric_spaces import Euclidean, Matrix
from atleastk.solvers.cellular_clustering.algorithms.cellular_cover import Cover, cover
from atleastk.solvers.cellular_clustering.algorithms.primal_dual import Prices, raised
from atleastk.solvers.cellular_clustering.algorithms.sharing import (
    Shared,
    disjoint,
    shared,
)

FEES = np.array([1, 0, 2, 10, 2, 5, 1, 10], dtype=np.int64)

EIGHT = Matrix(
    np.array(
        [
            [0, 2, 4, 2, 7, 7, 4, 7],
            [2, 0, 6, 4, 9, 5, 6, 9],
            [4, 6, 0, 6, 3, 11, 8, 11],
            [2, 4, 6, 0, 9, 9, 6, 9],
            [7, 9, 3, 9, 0, 14, 11, 14],
            [7, 5, 11, 9, 14, 0, 11, 14],
            [4, 6, 8, 6, 11, 11, 0, 3],
            [7, 9, 11, 9, 14, 14, 3, 0],
        ],
        dtype=np.int64,
    )
)


def _cluster(centre, points, own):
    points, own = np.array(points), np.array(own)
    radius = int(EIGHT.row(centre)[points].max())
    near = points[np.argsort(EIGHT.row(centre)[points], kind="stable")[:2]]
    return Shared(Cover(centre, radius, own), radius, points, near)


EIGHT_SHARED = [
    _cluster(0, [0, 1, 3], [0, 1, 3]),
    _cluster(6, [6, 7], [6, 7]),
    _cluster(2, [2, 4], [2, 4]),
    _cluster(1, [0, 1, 5], [5]),
]


def _facilities(clusters, fees):
    return sum(int(fees[centre]) for centre, _ in clusters)


def test_as_printed_disjoint_clusters_may_pay_more_facilities_than_shared_ones():
    alone = sum(int(FEES[c.alone.centre]) for c in EIGHT_SHARED)
    printed = disjoint(EIGHT, 2, EIGHT_SHARED, FEES, printed=True)
    repaired = disjoint(EIGHT, 2, EIGHT_SHARED, FEES)
    assert (alone, _facilities(printed, FEES), _facilities(repaired, FEES)) == (4, 5, 4)
    assert sorted(centre for centre, _ in printed) == [0, 0, 2, 6]
    dear = np.array([1000, *FEES[1:]], dtype=np.int64)
    printed = disjoint(EIGHT, 2, EIGHT_SHARED, dear, printed=True)
    repaired = disjoint(EIGHT, 2, EIGHT_SHARED, dear)
    assert _facilities(printed, dear) == 2003
    assert _facilities(repaired, dear) == 1003


def _shared(rng, r, n, seed):
    places = [[rng.randint(0, 60), rng.randint(0, 9)] for _ in range(n)]
    space = Euclidean(np.array(places, dtype=np.int64), 1)
    fees = np.array([rng.choice([0, 5, 20]) for _ in range(n)], dtype=np.int64)
    dual = raised(space, Prices(fees, r, r), 4096, rng.choice([0, 2]), seed)
    return space, fees, shared(space, r, cover(dual, seed))


def test_shared_clusters_have_r_points_near_by():
    rng = random.Random(1)
    for seed in range(100):
        r = rng.randint(2, 4)
        space, _, clusters = _shared(rng, r, rng.randint(r + 2, 20), seed)
        for c in clusters:
            row = space.row(c.alone.centre)
            assert len(c.points) >= len(c.nearest) == r
            assert set(c.nearest) | set(c.alone.points) == set(c.points)
            assert row[c.nearest].max() == np.sort(row)[r - 1] <= c.alone.radius
            assert row[c.points].max() == c.radius <= 3 * c.alone.radius


def test_disjoint_clusters_are_small_and_near_and_pay_once():
    """Each is part of an open cluster, or has 2r - 1 points, 7 or 11 radii away.

    In all they cost 8 or 11 times as much as the clusters paid, or less.
    """
    rng = random.Random(2)
    groups = 0
    for seed in range(300):
        r = rng.randint(2, 4)
        space, fees, clusters = _shared(rng, r, rng.randint(r + 2, 24), seed)
        owed = set(np.concatenate([c.alone.points for c in clusters]).tolist())
        greatest = max(c.alone.radius for c in clusters)
        for printed in (True, False):
            found = disjoint(space, r, clusters, fees, seed, printed=printed)
            members = np.concatenate([points for _, points in found]).tolist()
            assert len(members) == len(set(members))
            assert owed <= set(members)
            paid = sum((len(c.alone.points) + r) * c.alone.radius for c in clusters)
            cost = sum(len(points) * space.row(v)[points].max() for v, points in found)
            if not printed:
                paid += sum(fees[c.alone.centre] for c in clusters)
                cost += sum(fees[v] for v, _ in found)
            assert cost <= (8 if printed else 11) * paid
            for v, points in found:
                assert len(points) >= r
                part = any(
                    c.alone.centre == v and set(points) <= set(c.points)
                    for c in clusters
                )
                if not part:
                    groups += 1
                    assert len(points) <= 2 * r - 1
                    limit = 7 if printed else 11
                    assert space.row(v)[points].max() <= limit * greatest
    assert groups > 50


def test_groups_are_closed_when_they_have_r_points():
    """Not when they exceed r: three leftover points, r = 2, two groups."""
    places = np.array([[0], [0], [0], [0], [9], [9], [9]], dtype=np.int64)
    space = Euclidean(places, 1)
    root = Shared(Cover(0, 0, np.arange(4)), 0, np.arange(4), np.array([0, 1]))
    rest = [
        Shared(Cover(i, 9, np.array([i])), 9, np.array([0, i]), np.array([i, 0]))
        for i in (4, 5, 6)
    ]
    found = disjoint(space, 2, [root, *rest], np.zeros(7, dtype=np.int64))
    assert sorted(len(points) for _, points in found) == [2, 2, 3]
