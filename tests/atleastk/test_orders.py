import random

import pytest

import atleastk
from atleastk.models.solutions import solution_kind
from atleastk.runs import registry

NAMES = sorted(registry.PROBLEMS)


def permuted(document, rng, fields):
    groups = [rng.sample(group, len(group)) for group in document["groups"]]
    order = rng.sample(range(len(groups)), len(groups))
    there = [name for name in fields if name in document]  # deals have no levels
    moved = {"groups": groups, **{name: document[name] for name in there}}
    return {
        **document,
        **{
            name: [entries[g] for g in order]
            for name, entries in moved.items()
            if len(entries) == len(order)
        },
    }


def listed(result):
    return {
        key: [list(x) if isinstance(x, tuple) else x for x in value]
        if isinstance(value, tuple)
        else value
        for key, value in result.to_dict().items()
    }


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(5))
def test_any_order_of_groups_and_items_gives_one_verdict(solved, name, seed):
    rng = random.Random(seed)
    kind = solution_kind(name)
    check = registry.PROBLEMS[name].check
    for instance, result in solved(name):
        if result.solution is None:
            continue
        document = permuted(listed(result), rng, kind.BY_GROUP)
        assert atleastk.check(instance, document) == atleastk.check(instance, result)
        assert kind.from_dict(document) == result.solution
        more = {**document, "columns": document.get("region_columns", ())}
        of_groups = type(result.solution)
        raw = of_groups(
            **{
                field: tuple(
                    tuple(x) if isinstance(x, list) else x for x in more.get(field, ())
                )
                for field in of_groups.__match_args__
            }
        )
        assert raw.in_normal_form() == result.solution
        assert check(instance, raw) == check(instance, result.solution)


@pytest.mark.parametrize("name", [n for n in NAMES if solution_kind(n).BY_GROUP])
def test_fields_of_groups_are_read_by_position(solved, name):
    judged = 0
    for instance, result in solved(name):
        document = listed(result)
        (field,) = solution_kind(name).BY_GROUP
        entries = document.get(field, [])
        turned = entries[1:] + entries[:1]
        if result.solution is None or turned == entries:
            continue
        verdict = atleastk.check(instance, {**document, field: turned})
        assert not verdict.feasible, (instance, turned)
        judged += 1
    assert judged


def test_levels_in_another_order_than_their_groups_are_refused():
    """A right answer was refused and a wrong one accepted once groups were sorted."""
    chain = [["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]]
    instance = atleastk.from_dict(
        {
            "problem": "generalization",
            "table": [["a"], ["b"], ["c"], ["c"]],
            "k": 2,
            "hierarchies": [chain],
        }
    )
    groups = [[2, 3], [0, 1]]
    right = {"groups": groups, "levels": [[0], [1]]}
    wrong = {"groups": groups, "levels": [[1], [0]]}
    assert atleastk.check(instance, right).cost == 2
    assert atleastk.check(instance, right).feasible
    assert not atleastk.check(instance, wrong).feasible


@pytest.mark.parametrize("field", ["suppressed", "region_columns"])
def test_null_stands_for_none(field):
    instance = atleastk.Suppression([["a"], ["a"]], 2)
    claim = {"groups": [[0, 1]], field: None}
    assert atleastk.check(instance, claim) == atleastk.check(instance, [[0, 1]])
