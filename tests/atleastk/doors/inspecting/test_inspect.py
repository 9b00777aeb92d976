import json

import pandas
import pytest

import atleastk
from atleastk.instances.fields.errors import InvalidInstanceError, UnknownNameError

PEOPLE = [
    {"nr": f"p{i}", "age": 30 + i % 4, "zip": f"0{i % 3}067", "got": i % 5 and "yes"}
    for i in range(24)
]


def by_name(found):
    return {column.column: column for column in found.columns}


def test_an_identifier_is_told_and_left_out_of_sets():
    found = atleastk.inspect(PEOPLE)
    assert found.identifiers == ("nr",)
    assert by_name(found)["nr"].signs == ("singles out 24 of 24 rows",)
    assert found.names == ("age", "zip", "got")
    assert by_name(found)["nr"].hierarchy is None
    assert 'WARNING     column "nr" seems to identify persons' in str(found)


def test_a_code_that_some_rows_share_may_be_generalised():
    codes = [f"0{1000 + i}" for i in range(30)]
    rows = [[code, f"{i:05d}"] for i, code in enumerate([*codes, codes[0]])]
    shared, own = atleastk.inspect(rows).columns
    assert shared.identifier
    assert own.identifier
    assert shared.remedy == "leave it out, or generalise it"
    assert (shared.hierarchy, own.hierarchy) == ("prefix", None)


def test_the_rule_is_that_of_anonymize():
    made = atleastk.anonymize(PEOPLE, 2, ["age"], time_limit=60)
    assert made.report.risk.singling_out.identifiers == ("nr",)


@pytest.mark.parametrize(
    ("name", "cells", "sign"),
    [
        ("contact", ["a@b.de", "c.d@e.org"], "e-mail addresses"),
        ("contact", ["+49 30 1234567", "0049 (30) 765-4321"], "telephone numbers"),
        ("account", ["DE89370400440532013000"] * 2, "IBANs"),
        ("from", ["10.0.0.1", "192.168.1.20"], "network addresses"),
        ("key", ["123e4567-e89b-12d3-a456-426614174000"] * 2, "UUIDs"),
        ("patientId", [1, 1], "its name says so"),
        ("household_id", [1, 1], "its name says so"),
        ("Last name", ["x", "x"], "its name says so"),
    ],
)
def test_signs_of_values_and_names(name, cells, sign):
    (column,) = atleastk.inspect([{name: cell} for cell in cells]).columns
    assert column.identifier
    assert sign in column.signs[0]


@pytest.mark.parametrize("name", ["country name", "idle", "width", "telling", "age"])
def test_names_that_say_nothing(name):
    (column,) = atleastk.inspect([{name: cell} for cell in "ab"]).columns
    assert not column.identifier


@pytest.mark.parametrize(
    ("cells", "kind", "rule", "missing"),
    [
        (["31", "NA", "45", "52", ""], "number", "bands:20", {"NA": 1, "": 1}),
        (["01067", "10115", "80331"], "code", "prefix", {}),
        (["2020-01-31", "2021-02-01"], "date", "dates", {}),
        (["1,5", "2,25", "3,0"], "number", None, {}),
        ([1, 2, 2], "number", "suppression", {}),
        (["f", "m", "?"], "text", "suppression", {}),
        ([None, None], "empty", "suppression", {"": 2}),
    ],
)
def test_types_rules_and_missing_values(cells, kind, rule, missing):
    (column,) = atleastk.inspect([{"c": cell} for cell in cells]).columns
    assert column.type == kind
    assert rule in (None, column.hierarchy)
    assert column.missing_as == missing
    assert column.missing == sum(missing.values())


def test_missing_values_single_nobody_out():
    rows = [("a", 1), ("a", None), ("b", 1), ("b", 1)]
    found = atleastk.inspect(rows)
    assert dict(found.worst_sets) == {("0", "1"): 1}
    assert found.sets.smallest.tolist() == [2, 0, 0, 0]


def test_values_that_cannot_be_compared_are_told():
    rows = [{"a": 1, "b": [1, []]}, {"a": 2, "b": {}}]
    found = atleastk.inspect(rows)
    assert [column.type for column in found.columns] == ["number", "incomparable"]
    assert found.names == ("a",)


def test_a_table_without_rows():
    found = atleastk.inspect(pandas.DataFrame({"a": [], "b": []}))
    assert (found.rows, found.warnings) == (0, ("the table has no rows",))
    assert [column.type for column in found.columns] == ["empty", "empty"]
    assert "0 rows" in found.to_html()


@pytest.mark.parametrize(("wish", "number"), [("together", 0), ("looks", "3")])
def test_numbers_are_checked(wish, number):
    with pytest.raises(InvalidInstanceError, match=f"{wish}: expected an integer"):
        atleastk.inspect(PEOPLE, **{wish: number})


def test_columns_are_checked():
    with pytest.raises(UnknownNameError, match='did you mean "age"'):
        atleastk.inspect(PEOPLE, ["agee"])


def test_the_document_is_json():
    found = atleastk.inspect(PEOPLE)
    document = json.loads(json.dumps(found.to_dict()))
    assert document["rows"] == 24
    assert sum(document["rows_by_size"].values()) + document["not_singled_out"] == 24
    assert [one["column"] for one in document["columns"]] == [*PEOPLE[0]]


def test_an_engine_takes_a_path():
    with pytest.raises(atleastk.InvalidInstanceError, match="takes the path of a"):
        atleastk.inspect([["31", "f"]], engine="duckdb")
