from dataclasses import replace

import numpy as np
import pytest
from maps import piece_of
from searching import search_of, searched

from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.datasets.counties import sample_counties
from atleastk.instances.generators.connected_partition import cubic, delaunay, grid
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition import auto
from atleastk.solvers.connected_partition.auto import solve


def test_only_the_costliest_component_matters():
    """The square could do better than 10, but the star cannot."""
    star = [(0, i) for i in range(1, 5)]
    square = [(5, 6), (6, 7), (7, 8), (5, 8)]
    search = searched(
        solve, ConnectedPartition([2, 2, 2, 2, 2, 3, 3, 3, 3], star + square, 4)
    )
    assert (search.cost, search.bound) == (10, 10)


@pytest.mark.usefixtures("_measured_by_work")
@pytest.mark.parametrize(
    ("instance", "optimum"),
    [
        (delaunay(1, n=30, parts=10), None),
        (delaunay(0, n=200, parts=25), 84),
        (cubic(0, n=300), 3),
        (sample_counties(100_000), None),
    ],
)
def test_larger_maps(instance, optimum):
    search = searched(solve, instance, seconds=600)
    assert search.closed
    assert optimum in (None, search.cost)


def test_walks_that_do_not_arrive_are_offered_too(monkeypatch):
    def one_part(small, k, part, rounds, offer, *_):
        offer(np.zeros(small.n, dtype=np.int64))

    monkeypatch.setattr(auto, "evened", lambda _, window, labels, *__: (labels, 1))
    monkeypatch.setattr(auto, "improve", one_part)
    instance = grid(0, rows=40, columns=40)
    search = search_of(replace(instance, k=instance.total // 5), Budget())
    whole, _ = piece_of(search)
    first = search.cost
    whole.work_on(auto.BOUND)
    assert search.cost < first
    assert search.found_by == "blocks: walks"


@pytest.mark.usefixtures("_measured_by_work")
def test_time_is_kept(patiently):
    instance = delaunay(0, n=160, parts=30)
    search = patiently(lambda: searched(solve, instance, seconds=0.5))
    assert not search.closed
    assert search.bound < search.cost
