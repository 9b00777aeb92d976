"""Small random instances; those with every option are in `scripts.sweeps`."""

import random
from itertools import combinations

import numpy as np

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.r_gather import RGather


def random_bins(seed, objective="max", *, most=8, factor=1):
    rng = random.Random(seed)
    top = rng.choice((3, 9, 30))
    sizes = [factor * rng.randint(1, top) for _ in range(rng.randint(1, most))]
    return BinCovering(sizes, factor * rng.randint(1, 20), objective=objective)


def random_distances(rng, n, values):
    distances = [[0] * n for _ in range(n)]
    for i, j in combinations(range(n), 2):
        distances[i][j] = distances[j][i] = rng.choice(values)
    return distances


def symmetric(n, draw):
    """Return a symmetric matrix of what is drawn row by row, with 0 to oneself."""
    rows = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i):
            rows[i][j] = rows[j][i] = draw()
    return rows


def uniform(kind, n, high=10_001, seed=0, **fields):
    """Return an instance of a kind of clustering, of whole places in a square."""
    points = np.random.default_rng(seed).integers(0, high, (n, 2)).tolist()
    return kind(points=points, **fields)


def random_gather(rng, n, **fields):
    """Return r-gather with random options; its distances need not be a metric."""
    drawn = {
        "r": rng.randint(1, 4),
        "max_clusters": rng.choice([None, None, 1, 2]),
        "max_outliers": rng.choice([0, 0, 1, 2]),
        "centres": rng.choice(["input", "member", "any"]),
    }
    if "points" not in fields and "distances" not in fields:
        values = [0, 1, 2, 3, 4, 6, 9] + [None] * rng.choice([0, 0, 1, 2])
        drawn["distances"] = random_distances(rng, n, values)
    return RGather(**{**drawn, **fields})


def random_anonymity(seed, most_rows=12, most_columns=6, least_columns=0, most_k=4):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, most_k + 1))
    n = int(rng.integers(k, most_rows))
    m = int(rng.integers(least_columns, most_columns))
    return KAnonymity(rng.integers(0, int(rng.integers(2, 5)), (n, m)).tolist(), k)


def random_table(seed, n, columns, values):
    return np.random.default_rng(seed).integers(0, values, (n, columns)).tolist()


def random_tree(rng, n, depth):
    """Return a tree of a certificate of maps, which is mostly wrong."""
    if depth == 0 or rng.random() < 0.3:
        weights = [[i, rng.randint(-2, 3)] for i in range(n)]
        return {"weights": weights, "most": rng.randint(-2, 4)}
    together, apart = (random_tree(rng, n, depth - 1) for _ in range(2))
    pair = [rng.randrange(n), rng.randrange(n)]
    return {"pair": pair, "together": together, "apart": apart}
