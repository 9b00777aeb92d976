import json

import numpy as np
import pytest
from drawing import uniform
from searching import search_of

from atleastk.instances.r_gather import RGather
from atleastk.models.certificates.r_gather import check_certificate
from atleastk.solvers.budget import Budget
from atleastk.solvers.r_gather.bounds import raise_by_scattered_points
from atleastk.solvers.r_gather.certify import certify


def line(*places, **fields):
    return RGather(points=[[x] for x in places], metric="manhattan", **fields)


@pytest.mark.parametrize(
    ("instance", "bound"),
    [
        (line(0, 1, 10, 11, r=3), 10),
        (line(0, 1, 10, 11, r=3), 5),
        (line(0, 1, 10, 11, r=3), 1),
        (line(0, 1, 10, 11, r=3), 0),
        (line(0, 0, 7, 7, r=3), 7),
        (line(0, 3, 6, 9, r=1, max_clusters=2), 3),
        (line(0, 1, r=3), None),
        (line(0, 1, r=3, max_outliers=2), 0),
        (line(r=1), 0),
        (RGather(distances=[[0, None], [None, 0]], r=2), None),
    ],
)
def test_bounds_that_hold(instance, bound):
    certificate = certify(instance, bound, Budget.of())
    check_certificate(instance, certificate, bound)
    check_certificate(instance, json.loads(json.dumps(certificate)), bound)


@pytest.mark.parametrize(
    ("instance", "bound"),
    [
        (line(0, 1, 10, 11, r=3), 11),
        (line(0, 1, 10, 11, r=3), None),
        (line(0, 1, r=3, max_outliers=2), 1),
        (line(0, 1, r=3, max_outliers=2), None),
        (line(r=1), 1),
        (line(r=1), None),
    ],
)
def test_bounds_that_do_not_hold(instance, bound):
    assert certify(instance, bound, Budget.of()) is None


@pytest.mark.parametrize(
    ("fields", "optimum"),
    [
        ({"n": 200, "r": 20}, 5199197),
        ({"n": 200, "r": 5, "max_clusters": 10}, 4365576),
        ({"n": 200, "r": 5, "max_clusters": 10, "max_outliers": 10}, 3284660),
    ],
)
def test_optima_of_uniform_points(fields, optimum):
    instance = uniform(RGather, **fields)
    check_certificate(instance, certify(instance, optimum, Budget.of()), optimum)


def test_many_points_are_left_when_time_is_up(monkeypatch):
    """All distances were looked at first, whatever the limit: hours of 10^6 points."""
    budget, looks = Budget(), []
    instance = RGather(points=[[i, i] for i in range(3_000)], r=2, max_clusters=9)
    row_blocks = type(instance.space).rows

    def looked(space, some):
        looks.append(len(some))
        budget.stop.set()
        return row_blocks(space, some)

    reach = np.zeros(3_000, dtype=np.int64)
    monkeypatch.setattr(type(instance.space), "rows", looked)
    assert certify(instance, 10**6, budget) is None
    assert len(looks) == 1
    search = search_of(instance, budget)
    budget.stop.clear()
    raise_by_scattered_points(search, reach)
    assert search.bound is None
    assert len(looks) < 4
