import json

import pytest

import atleastk
from atleastk import InvalidInstanceError, Limits, Suppression
from atleastk.instances.suppression_names import DECISIONS, MAXIMISATIONS, MINIMISATIONS

TABLE = [["a", 1], ["a", 2], ["b", 2]]
ORDERS = {"rows": [[0], [1, 2]], "columns": [[1], [0]]}


def named(name, variant):
    order = (
        {}
        if variant.order is None
        else {f"{variant.order.removesuffix('s')}_order": ORDERS[variant.order]}
    )
    return Suppression.named(name, TABLE, 2, dict.fromkeys(variant.limits, 1), **order)


@pytest.mark.parametrize(
    ("name", "variant"), (DECISIONS | MINIMISATIONS | MAXIMISATIONS).items()
)
def test_every_name_expands_to_fields_that_tell_it(name, variant):
    instance = named(name, variant)
    assert str(instance.variant) == name
    assert str(instance).endswith(name)
    assert instance.deletion == name.endswith("DEL")
    document = json.loads(json.dumps(instance.to_dict()))
    assert atleastk.from_dict(document) == instance
    for field in ("minimise", "deletion"):
        document.pop(field, None)
    assert atleastk.from_dict(document | {"variant": name}) == instance


def test_limits_are_a_mapping_of_those_set():
    limits = Suppression(TABLE, 2, limits={"rows": 0, "entries": None}).most
    assert limits == Limits(rows=0)
    assert dict(limits) == {"rows": 0}
    assert "entries" not in limits
    assert limits.get("nonsense") is None


def test_instances_outside_the_family_have_no_name():
    for fields in (
        {"limits": {"per_row": 1}},
        {"intact": [0], "minimise": "entries"},
        {"column_order": [[0], [1]]},
    ):
        assert Suppression(TABLE, 2, **fields).variant is None
    assert str(Suppression(TABLE, 2).variant) == "MIN-e-SUP"


def test_the_fingerprint_tells_limits_apart():
    first = Suppression(TABLE, 2, limits={"rows": 1, "per_row": 2})
    second = Suppression(TABLE, 2, limits={"per_row": 2, "rows": 1})
    other = Suppression(TABLE, 2, limits={"rows": 2, "per_row": 2})
    assert first == second
    assert hash(first) == hash(second)
    assert first.sha256 == second.sha256 != other.sha256


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"minimise": "cells"}, "minimise: expected one of"),
        ({"limits": {"cells": 1}}, "limits: expected one of"),
        ({"limits": {"rows": -1}}, "limits.rows: expected an integer of at least 0"),
        ({"limits": 3}, "limits: expected an object of rows, columns, "),
        ({"deletion": 1, "minimise": "rows"}, "deletion: expected true or false"),
        ({"deletion": True}, "deletion: rows or columns must be"),
        (
            {"deletion": True, "minimise": "rows", "column_order": [[0], [1]]},
            "deletion: what is deleted",
        ),
        ({"row_order": [[0, 1, 2]]}, "row_order: expected two classes"),
        ({"row_order": [[0, 1, 2], []]}, "row_order: expected two classes"),
        ({"row_order": [[0, 1], [1, 2]]}, "row_order: expected each of the rows 0..2"),
        ({"column_order": [[0], [2]]}, "column_order: expected each of the columns"),
        ({"intact": [2]}, r"intact\[0\]: expected a column below 2"),
    ],
)
def test_refusals_name_the_field(fields, where):
    with pytest.raises(InvalidInstanceError, match=where) as caught:
        Suppression(TABLE, 2, **fields)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("more", "where"),
    [
        (
            {"variant": "r-MIN-e-SUP"},
            "limits: r-MIN-e-SUP needs a limit of rows; give one",
        ),
        (
            {"variant": "MIN-e-SUP", "limits": {"rows": 1}},
            "limits: MIN-e-SUP takes no limit of",
        ),
        ({"variant": "MIN-c'-PART"}, "column_order: MIN-c'-PART needs an importance"),
        (
            {"variant": "MIN-e-SUP", "row_order": [[0], [1, 2]]},
            "row_order: MIN-e-SUP takes no importance order",
        ),
        ({"variant": 3}, "variant: expected a name"),
    ],
)
def test_names_and_fields_must_fit(more, where):
    document = {"problem": "suppression", "table": TABLE, "k": 2}
    with pytest.raises(InvalidInstanceError, match=where):
        atleastk.from_dict(document | more)
