import random
from dataclasses import replace

import pytest

from atleastk.instances.generators.generalization import people, trees
from atleastk.models import k_anonymity
from atleastk.models.generalization import check
from atleastk.models.results.solution import Solution
from atleastk.models.tables.pseudo_columns import expanded, records_of_levels


@pytest.mark.parametrize("loss", ["height", "precision"])
def test_partitions_cost_the_same(loss):
    rng = random.Random(4)
    for seed in range(40):
        instance = trees(seed, n=10, m=3, height=4, k=1, loss=loss)
        table = expanded(instance)
        assert table.m == instance.most_of_row
        labels = [rng.randrange(4) for _ in range(10)]
        groups = [[i for i in range(10) if labels[i] == g] for g in set(labels)]
        solution = Solution.of(groups)
        suppressed = k_anonymity.check(table, solution).cost
        assert check(instance, solution).cost == suppressed


def test_weights_are_repeated_in_units():
    rng = random.Random(5)
    for seed in range(20):
        plain = trees(seed, n=8, m=3, height=3, k=1)
        weights = [10 * rng.randint(1, 4) for _ in range(3)]
        instance = replace(plain, column_weights=weights)
        table = expanded(instance)
        assert table.m * instance.unit == instance.most_of_row
        assert instance.unit >= 10
        groups = Solution.of([range(4), range(4, 8)])
        suppressed = k_anonymity.check(table, groups).cost
        assert check(instance, groups).cost == suppressed * instance.unit


def test_records_are_the_same_in_the_same_order():
    """Certificates of the expanded table name the records of the instance."""
    for seed in range(20):
        instance = trees(seed, n=30, m=3, values=3, loss="precision")
        for records in (expanded(instance).records, records_of_levels(instance)):
            assert records.record_of.tolist() == instance.records.record_of.tolist()


def test_without_repetition_levels_have_prices():
    instance = people(0, loss="precision")
    assert records_of_levels(instance).m == 6
    assert expanded(instance).m == instance.most_of_row == 12
    assert records_of_levels(instance).price.tolist() == [3, 3, 3, 1, 1, 1]
