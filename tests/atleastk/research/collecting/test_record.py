import json
from dataclasses import replace

import pytest

import atleastk
from atleastk.instances.fields.errors import AtleastkError, InvalidInstanceError
from atleastk.research.collecting.improving import improved
from atleastk.research.collecting.record import Entry, Record, named


@pytest.fixture
def known(record, optimal):
    return improved(record, optimal, "2026-01-31")


def test_nothing_is_known_of_a_new_one(record):
    assert (record.status, record.difficulty) == ("new", "unmeasured")
    assert not record.is_closed
    assert record.known is None
    assert record.result is None


def test_the_instance_comes_back_without_other_remarks(record, instance):
    assert (record.instance, record.instance.name) == (instance, "seven")
    assert "name" not in record.document


def test_there_and_back(known):
    again = Record.from_dict(json.loads(json.dumps(known.to_dict())))
    assert again == known
    assert again.result.certificate == known.result.certificate


def test_a_recipe_makes_the_instance():
    recipe = {"family": "tight-fold", "seed": 0, "parameters": {"k": 21}}
    made = Record.from_dict(
        {
            "name": "fold",
            "problem": "bin-covering",
            "family": "tight-fold",
            "source": "generated",
            "licence": "none",
            "size": "n=40",
            "instance_sha256": "0" * 64,
            "recipe": recipe,
        }
    )
    with pytest.raises(InvalidInstanceError, match="makes another instance, of sha256"):
        _ = made.instance
    fold = atleastk.generate("bin-covering", "tight-fold", 0, k=21)
    right = replace(made, instance_sha256=fold.sha256)
    assert right.instance.n == 40
    assert right.to_dict()["recipe"] == recipe


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Seven Sizes"}, "name: expected"),
        ({"instance_sha256": "12"}, "instance_sha256: expected"),
        ({"problem": "knapsack"}, "problem: expected one of"),
        ({"document": None}, "document: expected either this or a recipe"),
        ({"recipe": {"family": "uniform", "seed": 1}}, "document: expected either"),
        ({"certificate": None}, "certificate: of kind None, the history says weights"),
        ({"witness": None}, "exactly if it has a costed solution"),
        ({"history": ()}, "certificate: of kind weights, the history says None"),
        ({"size": 7}, "size: expected a text"),
    ],
)
def test_what_does_not_fit_together_is_refused(known, changes, message):
    with pytest.raises(AtleastkError, match=message):
        replace(known, **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"date": "yesterday"}, "date: expected a day such as 2026-01-31"),
        ({"trust": None}, "trust: None does not fit OPTIMAL"),
        ({"seconds": -1}, "seconds: expected a finite number of at least 0"),
        ({"cost": "12"}, "cost: expected an integer"),
    ],
)
def test_entries_are_valid(known, changes, message):
    fields = {**known.known.given_fields(), **changes}
    with pytest.raises(InvalidInstanceError, match=message):
        Entry.of_fields(fields, "a history")


@pytest.mark.parametrize(
    "lost",
    [
        {"date": "2025-12-31"},
        {"trust": "proved"},
        {"status": "FEASIBLE", "trust": None, "bound": 11},
    ],
)
def test_no_entry_knows_less_than_the_one_before(known, lost):
    entry = replace(known.known, **lost)
    with pytest.raises(InvalidInstanceError, match=r"history\[1\]: earlier than"):
        replace(known, history=(known.known, entry))


def test_a_field_that_nobody_knows_is_refused(known):
    with pytest.raises(InvalidInstanceError, match="colour: unknown field of a record"):
        Record.from_dict({**known.to_dict(), "colour": "blue"})


@pytest.mark.parametrize(
    ("text", "name"),
    [("Adult k=5", "adult-k-5"), ("n30.k7", "n30.k7"), ("--", "unnamed")],
)
def test_names(text, name):
    assert named(text) == name
