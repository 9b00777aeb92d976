import random

import numpy as np
import pytest
from costs import cost_of
from drawing import random_bins

from atleastk import BinCovering, NotApplicableError, Solution
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.encodings.bin_covering import (
    arc_flow,
    assignment,
    assignment_decision,
    patterns,
)
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.budget import Budget


def solve(encoding):
    return CpSat().minimise(encoding.model, Budget()).values


def decision_encodings(instance, bins, cost):
    groups = BinGroups.decision(instance, bins, cost)
    return [
        assignment_decision(instance, bins, cost),
        patterns(groups, 10**4),
        arc_flow(groups),
    ]


def test_decisions_hold_exactly_if_the_optimum_allows():
    decided = set()
    for seed in range(25):
        rng = random.Random(seed)
        instance = random_bins(seed, most=6)
        bins = rng.randint(1, 3)
        cost = instance.k + rng.randint(0, 2 * max(instance.sizes))
        levels = [
            [sum(instance.sizes[item] for item in group) for group in groups]
            for groups in partitions(instance.n)
            if len(groups) == bins
        ]
        possible = any(instance.k <= min(x) and max(x) <= cost for x in levels)
        decided.add(possible)
        for encoding in decision_encodings(instance, bins, cost):
            assert encoding.model.is_decision
            values = solve(encoding)
            assert (values is not None) == possible, seed
            if possible:
                groups = encoding.groups_at(values)
                assert len(groups) == bins, seed
                assert cost_of(instance, Solution.of(groups)) <= cost, seed
    assert decided == {True, False}


def test_groups_without_a_place_have_no_point():
    instance = BinCovering([5, 5, 5], 5)
    whole = Solution.of([[0, 1, 2]])
    for encoding in decision_encodings(instance, 3, 5):
        assert encoding.encode(whole) is None
    assert assignment(instance, 2).encode(Solution.of([[0], [1], [2]])) is None


def test_too_many_patterns_are_not_listed():
    groups = BinGroups.decision(BinCovering(list(range(1, 20)), 30), 5, 50)
    assert patterns(groups, 10) is None


def test_sizes_beyond_64_bits_are_refused():
    instance = BinCovering([2**70, 2**70], 2**70)
    with pytest.raises(NotApplicableError, match="64-bit"):
        assignment(instance, 2)
    with pytest.raises(NotApplicableError, match="arc-flow"):
        arc_flow(BinGroups.decision(instance, 2, 2**70))


def test_more_bins_than_items_are_infeasible():
    for encoding in decision_encodings(BinCovering([5, 5], 5), 3, 10):
        assert not encoding.model.admits(np.zeros(encoding.model.columns, dtype=int))
        assert solve(encoding) is None
