import json

import pytest

import atleastk
from atleastk import Limits, Suppression
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
