"""The least of a quantity of a table: by groups, and by all partitions."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from atleastk.instances.suppression import Suppression
from atleastk.models.suppression import measures, solution_of_groups
from atleastk.research.claims.source_optima import (
    best_partition,
    column_sets,
    least_by_groups,
    least_per_row,
)
from atleastk.research.claims.trials import partitions


def tables():
    rng = Random(3)
    for n in (6, 7, 8):
        for _ in range(5):
            m = rng.randint(1, 5)
            yield tuple(tuple(rng.randrange(3) for _ in range(m)) for _ in range(n))


@pytest.mark.parametrize("quantity", ["entries", "per_column", "per_row"])
def test_groups_and_partitions_agree(quantity):
    """The models for larger tables against all partitions of small ones."""
    for table in tables():
        instance = Suppression(table, 3, minimise=quantity)
        expected, groups = best_partition(table, 3, quantity)
        solution = solution_of_groups(instance, groups)
        assert measures(instance, solution)[quantity] == expected
        if quantity == "per_row":
            found, groups = least_per_row(table, 3)
        else:
            found, groups = least_by_groups(table, 3, quantity)
        solution = solution_of_groups(instance, groups)
        assert found == expected == measures(instance, solution)[quantity]
        assert min(map(len, groups)) >= 3


def test_partitions_are_all():
    """Of nine rows into groups of three or more there are 491, of six 11."""
    assert sum(1 for _ in partitions(tuple(range(6)), 3, 6)) == 11
    found = {frozenset(groups) for groups in partitions(tuple(range(9)), 3, 9)}
    assert len(found) == 491


def test_column_sets_are_all():
    """Against all subsets of columns."""
    for table in tables():
        columns = range(len(table[0]))
        expected = [
            kept
            for size in range(len(columns) + 1)
            for kept in combinations(columns, size)
            if min(Counter(tuple(row[j] for j in kept) for row in table).values()) >= 3
        ]
        assert sorted(column_sets(table, 3)) == sorted(expected)
