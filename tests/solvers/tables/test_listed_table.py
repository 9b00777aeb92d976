import random
from dataclasses import replace

import pytest

from atleastk import KAnonymity
from atleastk.instances.datasets.adult import adult
from atleastk.instances.generators.k_anonymity import full_product
from tests.helpers.costs import least_cost
from tests.helpers.listed import listed_table


def bound(instance):
    table = listed_table(instance.records, instance.k)
    return int(table.least_stars @ table.records.copies)


def test_below_the_optimum_and_often_equal():
    rng = random.Random(1)
    met = 0
    for _ in range(300):
        k = rng.randint(1, 4)
        n, m = rng.randint(k, 9), rng.randint(0, 5)
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        instance = KAnonymity(table, k)
        best = least_cost(instance)
        assert bound(instance) <= best, instance.to_dict()
        met += bound(instance) == best
        least = listed_table(instance.records, k).least_stars
        for row, record in zip(table, instance.records.record_of, strict=True):
            apart = sorted(
                sum(a != b for a, b in zip(row, other, strict=True)) for other in table
            )
            assert apart[k - 1] <= least[record] <= m
    assert 50 < met < 300


@pytest.mark.parametrize(
    ("k", "columns", "expected"),
    [(2, 8, 1282), (2, 9, 1367), (5, 8, 1981), (10, 9, 2526)],
)
def test_on_the_sample_of_adult(k, columns, expected):
    assert bound(adult(k, columns)) == expected


@pytest.mark.parametrize(("k", "stars"), [(2, 1), (5, 1), (6, 2), (10, 2), (50, 3)])
def test_exact_on_a_full_product(k, stars):
    assert bound(full_product(0, k=k)) == 12_960 * stars


def test_scales_keep_sums_within_64_bits():
    table = listed_table(KAnonymity([["a", "b"]] * 3, 2).records, 2)
    assert table.scale == 2**20
    assert replace(table, k=2**50).scale == 2**6
    assert replace(table, k=2**58).scale == 1
