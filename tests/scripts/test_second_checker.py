"""Two checkers that share no line agree: on what is certified, and on what is not."""

import copy
import json
import math
import random

import pytest

import atleastk
from atleastk.registry import PROBLEMS
from scripts import second_checker
from scripts.second_checker import UnknownError

LARGEST = {"interval-covering": 100, "rectangle-tiling-grid": 64}
"""Items: beyond that, or 24, a test takes long."""


def accepted(document, result):
    """Return whether the second checker accepts a result; None if it cannot tell."""
    try:
        second_checker.check(document, result)
    except UnknownError:
        return None
    except second_checker.ERRORS:
        return False
    return True


def certified(problem):
    """Yield small instances of all families with their certified results, as JSON."""
    for family in PROBLEMS[problem].families:
        for seed in (1, 2):
            instance = family.make(seed)
            if instance.n <= LARGEST.get(problem, 24):
                result = atleastk.solve(instance, seed=seed, workers=1, certify=True)
                written = (instance.to_dict(), result.to_dict())
                yield instance, *json.loads(json.dumps(written))


def integers(document, path=()):
    """Yield the paths of all integers in a JSON document."""
    if type(document) is int:
        yield path
    pairs = document.items() if isinstance(document, dict) else ()
    if isinstance(document, list):
        pairs = enumerate(document)
    for key, held in pairs:
        yield from integers(held, (*path, key))


def changed(result, rng):
    """Return a result with one integer of its bound or certificate changed."""
    broken = copy.deepcopy(result)
    paths = [("certificate", *path) for path in integers(broken["certificate"])]
    *way, last = rng.choice([*paths, ("bound",)])
    held = broken
    for key in way:
        held = held[key]
    held[last] = (held[last] or 0) + rng.choice((-2, -1, 1, 3))
    return broken


@pytest.mark.parametrize("problem", sorted(second_checker.COSTS))
def test_both_checkers_agree(problem):
    """Certified results hold; changed ones hold in both or in none."""
    rng = random.Random(problem)
    held = 0
    for instance, document, result in certified(problem):
        verdict = accepted(document, result)
        assert verdict is not False
        if verdict is None or "certificate" not in result:
            continue
        held += 1
        for _ in range(4):
            broken = changed(result, rng)
            try:
                first = atleastk.check(instance, broken).feasible
            except atleastk.AtleastkError:
                first = False
            assert accepted(document, broken) == first
    assert held


def test_wrong_witnesses_and_fingerprints_are_refused():
    """Another cost, a missing item, and the result of another instance."""
    instance = atleastk.KAnonymity([["a"], ["a"], ["b"], ["c"]], 2)
    result = json.loads(json.dumps(atleastk.solve(instance).to_dict()))
    document = instance.to_dict()
    assert accepted(document, result)
    for name, value in (
        ("cost", result["cost"] - 1),
        ("groups", result["groups"][:1]),
        ("groups", [[0, 2], [1, 3]]),
        ("instance_sha256", "0" * 64),
        ("certificate", None),
    ):
        assert not accepted(document, {**result, name: value})


def test_it_says_what_it_cannot_tell():
    """A length of which doubles do not say which whole number comes next."""
    assert second_checker.great_circle([0.0, 0.0], [0.0, 1.0], 1) == 111_196
    metre = 180 / (math.pi * second_checker.EARTH_RADIUS)
    with pytest.raises(UnknownError, match="too close to call"):
        second_checker.great_circle([0.0, 0.0], [1.000001 * metre, 0.0], 1)
