import pytest

import atleastk

LEAF = [["a", "*"], ["b", "*"]]


def two_columns(weights, on="entries"):
    return atleastk.Diversity(
        [["a", "a"], ["b", "a"], ["b", "b"], ["a", "b"]],
        2,
        [LEAF, LEAF],
        on,
        column_weights=weights,
        sensitive=[["x"], ["y"], ["x"], ["y"]],
        l=2,
    )


@pytest.mark.parametrize("weights", [[10**7, 3], [10**8, 10**8 + 1]])
def test_weights_that_expand_a_table_too_far_are_refused(weights):
    """A column for every unit of weight would fill the memory."""
    with pytest.raises(atleastk.NotApplicableError, match=r"its levels count \d+; it"):
        atleastk.approximate(two_columns(weights), "merge")


def test_weights_with_a_great_common_divisor_are_few_columns():
    heavy = atleastk.approximate(two_columns([10**8, 10**8]), "merge")
    light = atleastk.approximate(two_columns([1, 1]), "merge")
    assert heavy.cost == 10**8 * light.cost > 0


def test_it_is_for_entries():
    with pytest.raises(atleastk.NotApplicableError, match="it is for entries"):
        atleastk.approximate(two_columns(None, on="attributes"), "merge")
