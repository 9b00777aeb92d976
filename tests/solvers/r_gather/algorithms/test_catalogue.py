"""The algorithms of [Aggarwal10] for r-gather: within their promises, and tight."""

import random

import networkx as nx
import numpy as np
import pytest
from costs import cost_by
from small_instances import DRAWN

from atleastk import NotApplicableError, RGather, Solution
from atleastk.models.r_gather import check
from atleastk.solvers.brute_force.r_gather import optimum
from atleastk.solvers.r_gather.algorithms import threshold_bits
from atleastk.solvers.r_gather.algorithms.catalogue import ALGORITHMS

BY_NAME = {algorithm.name: algorithm for algorithm in ALGORITHMS}
PRINTED = "k-r-eps-center-printed"
TREE = nx.Graph(["cy", "ya", "yb", "cx", "xq", "xp", "pz", "zu"])
LINE = (0, 1, 2, 2, 3, 4)


def on_a_line(places, **fields):
    return RGather(points=[[x] for x in places], metric="manhattan", **fields)


def test_promises_hold_where_no_pairs_are_listed(monkeypatch, fault):
    """As of many points, in any metric, reading and order."""
    monkeypatch.setattr(threshold_bits, "_MOST_PAIRS", 0)
    rng = random.Random(0)
    for seed in range(300):
        instance = DRAWN["r-gather"](rng)
        for name, algorithm in BY_NAME.items():
            if algorithm.refuses(instance) is None:
                run = {"call": "approximate", "algorithm": name, "seed": seed % 4}
                assert fault(instance, **run) is None, (instance.to_dict(), run)


@pytest.mark.parametrize("centres", ["input", "member"])
def test_tight_for_four_and_three(centres):
    """The ratios of the algorithms for outliers are attained, also without any."""
    line = on_a_line(LINE, r=3, centres=centres)
    assert optimum(line)[0] == 1
    assert cost_by("r-eps-gather", line) == 4
    assert cost_by("r-eps-gather-input", line) == 3
    tree = RGather.of_graph(TREE, r=3, centres=centres)
    assert optimum(tree)[0] == 1
    assert cost_by("k-r-eps-center", tree) == 4


def test_tight_for_four_with_centres_anywhere():
    """Both sides of the first centre are left over: a diameter of 4 D."""
    line = on_a_line([0, 1, -1, 0, 2, -2, 2, -2, 3, -3, 4, -4], r=3, centres="any")
    best = [[11, 9, 5], [7, 2, 0], [3, 1, 4], [6, 8, 10]]
    assert check(line, Solution.of(best)).cost == 2
    assert cost_by("r-eps-gather", line) == 8
    assert cost_by("k-r-eps-center", line) == 8


@pytest.mark.parametrize(
    ("places", "k", "smallest"),
    [([0, 1, 2], 1, 1), ([0] * 20 + [1000, 1001, 1002], 2, 1)],
)
def test_the_printed_filter_leaves_small_clusters(places, k, smallest):
    """Counting neighbours that are dropped later breaks Lemma 2.5."""
    instance = on_a_line(places, r=3, max_clusters=k, max_outliers=2)
    with pytest.raises(NotApplicableError, match=rf"cluster of {smallest}, below r"):
        BY_NAME[PRINTED].run(instance, 0)
    assert cost_by("k-r-eps-center", instance) in (1, 2, 1002)


def test_refusals_say_what_to_use():
    limit = on_a_line(LINE, r=2, max_clusters=2)
    outliers = on_a_line(LINE, r=2, max_outliers=1)
    anywhere = on_a_line(LINE, r=2, centres="any")
    broken = RGather(distances=[[0, 1, None], [1, 0, 1], [None, 1, 0]], r=1)
    for name in ("r-gather", "r-eps-gather", "r-eps-gather-input"):
        assert "k-r-center" in BY_NAME[name].refuses(limit)
    for name in ("r-gather", "k-r-center"):
        assert "r-eps-gather" in BY_NAME[name].refuses(outliers)
    assert "k-r-center" in BY_NAME["k-center"].refuses(limit)
    assert "r-eps-gather" in BY_NAME["r-eps-gather-input"].refuses(anywhere)
    for algorithm in ALGORITHMS:
        assert "null" in algorithm.refuses(broken)


def test_two_thousand_points():
    points = np.random.default_rng(2).integers(0, 10**6, (2500, 2)).tolist()
    gathered = cost_by("r-gather", RGather(points=points, r=5))
    few = RGather(points=points, r=5, max_clusters=20)
    assert cost_by("k-r-center", few) >= gathered / 4
    spared = RGather(points=points, r=5, max_outliers=125)
    assert cost_by("r-eps-gather-input", spared) <= 9 * cost_by("r-eps-gather", spared)
    both = RGather(points=points, r=5, max_clusters=20, max_outliers=125)
    assert cost_by("k-r-eps-center", both) <= 16 * cost_by("k-r-center", few)
