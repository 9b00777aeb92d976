import pytest

from atleastk.instances.datasets.nursery import DOMAINS, nursery, nursery_optimum


def test_all_applications_once():
    instance = nursery(5)
    assert (instance.n, instance.m, instance.records.distinct) == (12960, 8, 12960)
    assert instance.columns == tuple(DOMAINS)
    assert instance.table[0][:5] == ("usual", "proper", "complete", "1", "convenient")


@pytest.mark.parametrize(
    ("k", "stars"), [(1, 0), (2, 1), (5, 1), (6, 2), (20, 2), (21, 3), (80, 3), (81, 4)]
)
def test_optimum(k, stars):
    assert nursery_optimum(k) == 12960 * stars
