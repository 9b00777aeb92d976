import pytest

from atleastk.instances.fields.errors import UnknownNameError
from atleastk.instances.suppression_names import (
    DECISIONS,
    MAXIMISATIONS,
    MINIMISATIONS,
    Variant,
    variant_named,
)


def test_the_family_is_that_of_the_thesis():
    assert (len(DECISIONS), len(MINIMISATIONS), len(MAXIMISATIONS)) == (23, 44, 23)
    assert {"e-SUP", "r'-PART", "r-DEL", "r-c-DEL", "r-c-c'-PART"} <= DECISIONS.keys()
    assert {"MIN-e-SUP", "r-e-MIN-c-SUP", "c-r'-MIN-r-PART"} <= MINIMISATIONS.keys()
    assert {"e-MAX-k-SUP", "r-c-MAX-k-DEL"} <= MAXIMISATIONS.keys()


@pytest.mark.parametrize("names", [DECISIONS, MINIMISATIONS, MAXIMISATIONS])
def test_names_and_back(names):
    for name, variant in names.items():
        assert str(variant) == name
        assert variant_named(name) is variant
        assert str(variant.decision) in DECISIONS


def test_all_four_versions_are_read():
    wanted = Variant(("rows",), "columns", "DEL")
    assert variant_named("r-MIN-c-DEL") == wanted
    assert variant_named("r-MIN-COST-c-DEL") == wanted
    assert variant_named("SOL-r-c-DEL") == variant_named("r-c-DEL")
    assert variant_named("c-MAX-COST-k-DEL") == variant_named("c-MAX-k-DEL")


def test_what_an_order_ranks():
    assert variant_named("c-MIN-r'-PART").order == "rows"
    assert variant_named("c'-MIN-r-PART").order == "columns"
    assert variant_named("MIN-r'-SUP").order is None


@pytest.mark.parametrize("name", ["", "e", "c-r-DEL", "e-PART", "MIN-k-SUP", "k-DEL"])
def test_other_names_are_unknown(name):
    with pytest.raises(UnknownNameError, match="no problem of the family"):
        variant_named(name)
