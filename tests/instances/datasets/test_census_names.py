import sys
from collections import Counter

import pytest

from atleastk.instances.datasets.census_names import (
    census_counts,
    census_names,
    load_names,
)
from atleastk.instances.fields.errors import BackendUnavailableError, UnknownNameError

FACTS = {
    "female": (4275, 89_940, 2629, 249),
    "male": (1219, 90_052, 3318, 226),
    "last": (18_839, 79_590, 1006, 157 - 1),
}


@pytest.mark.parametrize("names", FACTS)
def test_counts_are_as_published(names):
    counts = census_counts(names)
    n, total, greatest, distinct = FACTS[names]
    assert (len(counts), sum(counts), max(counts)) == (n, total, greatest)
    assert len(set(counts)) == distinct
    assert list(counts) == sorted(counts, reverse=True)


def test_instances_are_named():
    instance = census_names("last", 2000)
    assert (instance.n, instance.k, instance.name) == (18_839, 2000, "LAST-1990 k=2000")


def test_unknown_sets_are_refused():
    with pytest.raises(UnknownNameError, match="female, male, last"):
        census_counts("first")


@pytest.mark.parametrize("names", FACTS)
def test_shipped_counts_are_those_of_the_package(names):
    pytest.importorskip("names")
    table = load_names(names)
    published = Counter(count for _, count in table if count)
    assert published == Counter(census_counts(names))
    assert len(table) == (88_799 if names == "last" else len(census_counts(names)))
    assert (
        table[0]
        == {"female": ("MARY", 2629), "male": ("JAMES", 3318), "last": ("SMITH", 1006)}[
            names
        ]
    )


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "names", None)
    with pytest.raises(BackendUnavailableError, match=r"atleastk\[names\]"):
        load_names("male")
