import math

import pytest

import atleastk
from atleastk import Generalization, InvalidInstanceError
from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of

TREE = Hierarchy([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]])
ROWS = [["a", 1], ["b", 1], ["c", 2]]
PAIR = [TREE, suppression_of([1, 2])]


def test_codes_records_and_weights():
    instance = Generalization([*ROWS, ["a", 1]], 2, PAIR, loss="precision")
    assert instance.codes[0].of().tolist() == [[0, 1, 2, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert (instance.heights, instance.weights, instance.nodes) == ((2, 1), (1, 2), 6)
    assert instance.records.copies.tolist() == [2, 1, 1]
    assert instance.labels[0].of().tolist() == [[0, 1, 2], [0, 0, 1], [0, 0, 0]]
    wish = {"on": "attributes", "loss": "discernibility", "suppress_rows": 1}
    told = str(Generalization(ROWS, 2, PAIR, **wish))
    assert told.endswith("loss=discernibility suppress_rows=1")


def test_levels_of_height_0_cost_nothing():
    instance = Generalization([["a", 7]], 1, [TREE, [[7]]], loss="precision")
    assert instance.weights == (1, 0)


def test_weights_of_columns():
    of_height = Generalization(ROWS, 2, PAIR, column_weights=[6, 9])
    assert (of_height.weights, of_height.unit) == ((6, 9), 3)
    assert [of_height.reached(bound) for bound in (0, 1, 3, 4)] == [0, 3, 3, 6]
    of_precision = Generalization(
        ROWS, 2, PAIR, loss="precision", column_weights=[6, 9]
    )
    assert (of_precision.weights, of_precision.unit) == ((6, 18), 6)
    assert Generalization([[7]], 1, [[[7]]], column_weights=[5]).unit == 1
    assert atleastk.from_dict(of_height.to_dict()) == of_height


def test_weights_of_rows():
    rows = [*ROWS, ["a", 1], ["a", 1]]
    instance = Generalization(rows, 2, PAIR, row_weights=[4, 6, 8, 4, 10])
    assert instance.records.copies.tolist() == [2, 1, 1, 1]
    assert instance.records.record_of.tolist() == [0, 2, 3, 0, 1]
    assert instance.records.worth.tolist() == [4, 10, 6, 8]
    assert instance.records.codes.tolist() == [[0, 0], [0, 0], [1, 0], [2, 1]]
    assert instance.labels[0].of().tolist() == [
        [0, 0, 1, 2],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
    ]
    assert (instance.unit, instance.unit_of_levels) == (2, 1)
    assert atleastk.from_dict(instance.to_dict()) == instance


def test_units_of_precision_are_bounded():
    """Heights without common factors have a least common multiple that is too dear."""

    def tower(height):
        return [[f"{level} of {height}" for level in range(height + 1)]]

    def with_heights(*heights):
        row = [f"0 of {height}" for height in heights]
        trees = [tower(height) for height in heights]
        return Generalization([row], 1, trees, loss="precision")

    heights = (5, 7, 8, 9, 11, 13, 17)
    assert with_heights(*heights).most_of_row == 7 * math.prod(heights)
    with pytest.raises(InvalidInstanceError, match="costs 1127206080, above"):
        with_heights(*heights, 23)
