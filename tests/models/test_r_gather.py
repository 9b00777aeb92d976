import random

import pytest
from costs import cost_of

from atleastk import RGather, Solution


@pytest.mark.parametrize(
    ("fields", "cost", "radius"),
    [
        ({}, 25, 5.0),
        ({"metric": "euclidean"}, 25, 5.0),
        ({"metric": "manhattan"}, 7, 7.0),
        ({"metric": "manhattan", "scale": 10}, 70, 7.0),
        ({"metric": "hamming"}, 2, 2.0),
        ({"centres": "any"}, 25, 2.5),
        ({"metric": "manhattan", "scale": 10, "centres": "any"}, 70, 3.5),
    ],
)
def test_units(fields, cost, radius):
    instance = RGather(points=[[0, 0], [3, 4]], r=2, **fields)
    assert cost_of(instance, Solution.of([[0, 1]])) == cost
    assert instance.radius(cost) == radius


def test_the_greatest_radius_counts():
    rng = random.Random(1)
    for _ in range(200):
        n = rng.randint(2, 8)
        places = [rng.randrange(30) for _ in range(n)]
        cut = rng.randint(1, n - 1)
        order = rng.sample(range(n), n)
        groups = [order[:cut], order[cut:]]
        fields = {"points": [[x] for x in places], "metric": "manhattan", "r": 1}
        by_reading = {
            "input": lambda group, ps: min(
                max(abs(c - ps[p]) for p in group) for c in ps
            ),
            "member": lambda group, ps: min(
                max(abs(ps[c] - ps[p]) for p in group) for c in group
            ),
            "any": lambda group, ps: max(
                abs(ps[p] - ps[q]) for p in group for q in group
            ),
        }
        for reading, measure in by_reading.items():
            cost = cost_of(RGather(**fields, centres=reading), Solution.of(groups))
            assert cost == max(measure(group, places) for group in groups)
