import random

import pytest

from atleastk.frames.rows import RowsFrame
from atleastk.models.tables.singling_out import SinglingOut, rows_of_own_value


def alone(values):
    column = RowsFrame.of([(value,) for value in values]).column(0)
    return rows_of_own_value(column.codes, column.values)


@pytest.mark.parametrize("seed", range(20))
def test_by_definition(seed):
    rng = random.Random(seed)
    values = [rng.choice("abcdef") for _ in range(rng.randint(1, 12))]
    assert alone(values) == sum(values.count(value) == 1 for value in values)


@pytest.mark.parametrize("missing", [None, "", float("nan")])
def test_missing_values_are_no_identifier(missing):
    assert alone(["a", "b", "b", missing]) == 1
    assert alone([0.5, 2, 2, missing]) == 1


@pytest.mark.parametrize(
    ("by_column", "rows", "identifiers"),
    [
        ({"id": 1200, "weight": 1137}, 1200, ("id", "weight")),
        ({"weight": 1137, "id": 1200}, 1200, ("id", "weight")),
        ({"id": 4}, 4, ()),
        ({"id": 19}, 19, ()),
        ({"id": 20}, 20, ("id",)),
        ({"id": 120}, 1200, ("id",)),
        ({"id": 119}, 1200, ()),
        ({}, 0, ()),
    ],
)
def test_identifiers_single_out_20_rows_and_every_tenth(by_column, rows, identifiers):
    found = SinglingOut(rows=rows, by_column=by_column)
    assert found.identifiers == identifiers
    assert len(list(found.lines())) == 2 * len(identifiers)
    assert found.to_dict() == {
        "singled_out": by_column,
        "identifiers": list(identifiers),
    }


@pytest.mark.parametrize("rows", [20, 50, 100, 1000])
def test_columns_of_50_values_are_hardly_ever_identifiers(rows):
    """However many rows there are: most are singled out at about 50."""
    rng = random.Random(rows)
    counts = [alone([rng.randrange(50) for _ in range(rows)]) for _ in range(200)]
    assert sum(counts) / len(counts) < 20


def test_many_columns_are_counted():
    found = SinglingOut(rows=30, by_column={str(i): 30 for i in range(13)})
    warned = list(map(str, found.warnings))
    assert len(warned) == 11
    assert warned[-1].startswith("3 more columns look like identifiers")


def test_what_is_needed_is_remarked_on_only():
    found = SinglingOut(rows=30, by_column={"pay": 30}, needed={"pay": "sensitive"})
    assert found.identifiers == ()
    assert list(found.lines()) == [
        "  singled out 30 of 30 rows, 100.00%, by pay (sensitive):",
        "              round its values first if somebody may know them",
    ]


def test_what_looks_like_an_identifier_comes_after_what_singles_out():
    signs = {"name": "its name says so", "id": "its values look like UUIDs"}
    found = SinglingOut(rows=30, by_column={"id": 30, "name": 3}, signs=signs)
    assert found.identifiers == ("id", "name")
    first, second = map(str, found.warnings)
    assert "singles out 30 of 30 rows" in first
    assert "looks like an identifier: its name says so" in second
    needed = SinglingOut(rows=30, signs=signs, needed={"name": "sensitive"})
    assert needed.identifiers == ("id",)
