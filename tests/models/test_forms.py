import json
import random
from contextlib import suppress

import pytest
from certificates import accepted
from every_problem import SETTLED
from jsonschema import Draft202012Validator

import atleastk
from atleastk.models.forms import result_schema
from scripts.second_checker import UnknownError
from scripts.sweeps import tampering
from scripts.sweeps.instances import draw


def without_unread_tree(instance, result):
    """Return a result whose tree of a table is null if its bound needs none.

    No checker reads it if no solution can be below the bound.
    """
    proof, bound = result.get("certificate"), result.get("bound")
    if hasattr(instance, "table") and bound is not None and "tree" in (proof or {}):
        maximised = getattr(instance, "minimise", None) == "k"
        if bound <= (-max(instance.n, instance.k) if maximised else 0):
            return {**result, "certificate": {**proof, "tree": None}}
    return result


@pytest.mark.parametrize("problem", SETTLED)
def test_what_is_accepted_has_the_form(problem):
    form = Draft202012Validator(result_schema(problem))
    proved = 0
    for seed in range(4):
        rng = random.Random(f"{seed} {problem}")
        try:
            for instance, _, forgery in tampering.forgeries(draw(problem, rng), rng, 1):
                said = tampering.said_by_both(instance, forgery)
                if tampering.Said.PROVED in said:
                    proved += 1
                    form.validate(without_unread_tree(instance, forgery))
        except (atleastk.InvalidInstanceError, UnknownError):
            continue
    assert proved


@pytest.mark.parametrize("problem", SETTLED)
def test_no_changed_certificate_proves_more_or_has_another_form(problem, solved):
    form, seen = Draft202012Validator(result_schema(problem)), 0
    for instance, result in solved(problem):
        told = json.loads(result.to_json())
        if told["certificate"]:
            seen += 1
            for proof in accepted(instance, told["certificate"], result.bound):
                told["certificate"] = proof
                form.validate(without_unread_tree(instance, told))
    assert seen


@pytest.mark.parametrize(
    "change",
    [
        {"status": "SOLVED"},
        {"trust": "certified", "certificate": None},
        {"certificate": {"kind": "guess"}},
        {"certificate": {"kind": "weights", "scale": 0, "weights": [1]}},
        {"groups": None},
        {"cost": "2"},
        {"format": 2},
    ],
    ids=json.dumps,
)
def test_what_is_no_result_has_not_the_form(change):
    instance = atleastk.KAnonymity([["a"], ["a"], ["b"], ["c"]], 2)
    result = json.loads(atleastk.solve(instance, certify=True).to_json())
    form = Draft202012Validator(result_schema("k-anonymity"))
    form.validate(result)
    changed = {**result, **change}
    assert not form.is_valid(changed)
    with suppress(atleastk.InvalidResultError):
        assert not atleastk.check(instance, changed).feasible
