import random
from itertools import combinations, product

import numpy as np
import pytest

from atleastk import Solution, Suppression
from atleastk.models.encodings.admitted_patterns import FREE, Fixed, Kinds, admitted
from atleastk.models.encodings.suppression_patterns import pattern_model
from atleastk.models.suppression import SuppressionSolution, mask_of, solution_of_groups
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.brute_force.suppression import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.tables.closed_patterns import closed_patterns
from scripts.sweeps import drawn_tables as suppressions


def drawn(seed, count, wanted=lambda _: True):
    rng = random.Random(seed)
    while count:
        instance = suppressions.random_suppression(rng, 14)
        fits = instance.minimise != "k" and not instance.deletion
        if fits and 0 < instance.n * instance.m <= 14 and wanted(instance):
            count -= 1
            yield instance


def listed(instance):
    listing = Listing.of(instance, Budget(), 10**6)
    assert listing is not None
    return listing


def padded_entries(hidden, order):
    """Return the cells of all columns, each counted as more important ones at least."""
    total = least = 0
    for columns in order:
        counted = np.maximum(hidden[:, columns].sum(axis=0), least)
        total, least = total + int(counted.sum()), int(counted.max())
    return total


@pytest.mark.parametrize("order", [[[1], [0, 2]], [[2], [1], [0]], [[0, 1], [2]]])
def test_columns_that_may_be_padded_cost_the_least_of_all_groupings(order):
    rng = random.Random(5)
    for _ in range(5):
        table = [tuple(rng.randrange(3) for _ in range(3)) for _ in range(6)]
        instance = Suppression(table, 2, column_order=order)
        encoding, costs = listed(instance).encode(padding=True), []
        for groups in partitions(6):
            if min(map(len, groups)) < 2:
                continue
            solution = Solution.of(groups)
            hidden = mask_of(instance, solution_of_groups(instance, groups))
            costs.append(padded_entries(hidden, order))
            values = encoding.encode(solution)
            assert encoding.model.admits(values)
            assert encoding.model.cost(values) == costs[-1]
        assert CpSat().minimise(encoding.model, Budget()).cost == min(costs)


def test_importance_orders_need_patterns_that_are_not_closed():
    """A constant column is suppressed, so that it is no better than another one."""
    instance = Suppression([[0, 0], [1, 0]], 2, column_order=[[0], [1]])
    kinds = Kinds.of(instance)
    closed = closed_patterns(kinds.records, 2)
    assert closed is not None
    few = pattern_model(instance, kinds, admitted(instance, closed, FREE))
    assert Highs().minimise(few.model, Budget()).cost is None
    all_of_them = listed(instance).encode()
    answer = Highs().minimise(all_of_them.model, Budget())
    assert answer.cost == optimum(instance) == 4
    assert answer.values is not None
    found = all_of_them.decode(answer.values)
    assert isinstance(found, SuppressionSolution)
    assert len(found.suppressed) == 4


def _best_of(listing, choices):
    """Return the least cost over what may be fixed."""
    costs = []
    for fixed in choices:
        answer = Highs().minimise(listing.encode(fixed).model, Budget())
        if answer.cost is not None:
            costs.append(answer.cost)
    return min(costs, default=None)


def test_fixed_columns_cover_the_problem():
    def wanted(instance):
        return "columns" in instance.most and instance.minimise != "columns"

    for instance in drawn(3, 40, wanted):
        size = min(instance.m, instance.most.columns)
        sets = combinations(range(instance.m), size)
        choices = [Fixed(columns=sum(1 << j for j in chosen)) for chosen in sets]
        assert _best_of(listed(instance), choices) == optimum(instance)


def test_fixed_thresholds_cover_the_problem():
    def wanted(instance):
        return bool(instance.row_order) and instance.minimise != "per_row"

    for instance in drawn(4, 25, wanted):
        stars = range(instance.m + 1)
        between = len(instance.row_order) - 1
        choices = [
            Fixed(thresholds=levels)
            for levels in product(stars, repeat=between)
            if list(levels) == sorted(levels)
        ]
        best = optimum(instance)
        assert _best_of(listed(instance), choices) == best
        caps = [Fixed(per_row=most) for most in stars]
        assert _best_of(listed(instance), caps) == best


def test_rows_of_different_classes_are_different_kinds():
    """Equal rows of two classes may be published differently."""
    instance = Suppression([[0], [0], [0]], 2, row_order=[[0, 2], [1]])
    kinds = Kinds.of(instance)
    assert kinds.records.distinct == 2
    assert sorted(zip(kinds.classes, kinds.records.copies, strict=True)) == [
        (0, 2),
        (1, 1),
    ]
