import json

import pytest

import atleastk
from atleastk import InvalidInstanceError, KAnonymity


def test_tables_are_kept_as_tuples():
    instance = KAnonymity([["a", 1], ("b", 2)], 2, columns=["x", "y"])
    assert instance.table == (("a", 1), ("b", 2))
    assert (instance.n, instance.m, instance.k) == (2, 2, 2)
    assert instance == KAnonymity((["a", 1], ["b", 2]), 2, columns=("x", "y"))
    assert "n=2 m=2 k=2 distinct=2" in str(instance)


def test_empty_tables_have_the_columns_they_name():
    assert KAnonymity([], 3).m == 0
    assert KAnonymity([], 3, columns=["a", "b"]).m == 2
    assert KAnonymity([], 3, columns=["a", "b"]).records.m == 2
    assert KAnonymity([[], []], 1).m == 0
    assert KAnonymity([[], []], 1).records.distinct == 1


def test_documents_and_back():
    instance = KAnonymity([["1", 1], ["", 10**30]], 2, columns=["x", "y"], name="odd")
    document = json.loads(json.dumps(instance.to_dict()))
    assert document["table"] == [["1", 1], ["", 10**30]]
    again = atleastk.from_dict(document)
    assert again == instance
    assert again.sha256 == instance.sha256
    assert KAnonymity([["1"]], 1).sha256 != KAnonymity([[1]], 1).sha256


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"k": 0}, "k: expected an integer of at least 1, got 0"),
        ({"k": "2"}, "k: expected an integer"),
        ({"table": [[1], [1, 2]]}, "table[1]: expected 1 cells as in row 0"),
        ({"table": [[1.5, 1]]}, "table[0][0]: expected a text or an integer, got 1.5"),
        (
            {"table": [[1, None]]},
            "table[0][1]: expected a text or an integer, got null",
        ),
        ({"table": [[True, 1]]}, "table[0][0]: expected a text or an integer"),
        ({"table": ["ab"]}, "table[0]: expected a row of cells, got 'ab'"),
        ({"table": "ab"}, "table: expected a list of rows"),
        ({"columns": ["a"]}, "columns: 1 of them for 2 columns"),
        ({"columns": ["a", "a"]}, "columns: the same name twice"),
        ({"columns": ["a", 1]}, "columns[1]: expected a text, got 1"),
        ({"rows": 3}, "rows"),
    ],
)
def test_messages_have_one_line(fields, message):
    document = {"problem": "k-anonymity", "table": [[1, 2], [1, 3]], "k": 2, **fields}
    with pytest.raises(InvalidInstanceError) as caught:
        atleastk.from_dict(document)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
