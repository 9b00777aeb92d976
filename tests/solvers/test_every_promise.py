"""Every promise of every algorithm, on instances of every family of its problem."""

from itertools import product

import pytest

import atleastk
from atleastk import NotApplicableError
from atleastk.runs.registry import PROBLEMS

SMALL = {"n": 8, "sizes": "2,3,2"}
"""What takes the place of the defaults of parameters."""

VARIED = {
    ("suppression", "tight-forest"): [
        {"cost": cost} for cost in ("columns", "per_column", "entries")
    ],
    ("suppression", "worst-spider"): [
        {"cost": cost} for cost in ("entries", "per_row")
    ],
}
"""Families of several costs, with algorithms for each."""

FAMILIES = [
    pytest.param(problem, family, id=f"{problem.name} {family.name}")
    for problem in PROBLEMS.values()
    for family in problem.families
]


def rated(problem, family, seeds):
    """Yield algorithms with their ratios' instances, costs and optima.

    Promises of which the hypotheses do not hold there are left out.
    """
    chosen = {name: SMALL[name] for name in family.parameters if name in SMALL}
    varied = VARIED.get((problem.name, family.name), [{}])
    for seed, more in product(seeds, varied):
        instance = family.make(seed, **chosen, **more)
        optimum = atleastk.solve(instance, workers=1).cost
        for algorithm in problem.algorithms:
            promise = algorithm.guarantee
            if optimum is None or promise is None or not promise.applies(instance):
                continue
            try:
                found = atleastk.approximate(instance, algorithm.name, seed=seed)
            except NotApplicableError:
                continue
            yield algorithm, instance, found.cost, optimum


@pytest.mark.parametrize(("problem", "family"), FAMILIES)
def test_promises_hold_on_every_family(problem, family):
    for algorithm, instance, cost, optimum in rated(problem, family, range(3)):
        shown = algorithm.name, cost, optimum, instance.to_dict()
        assert cost >= optimum, shown
        assert algorithm.guarantee.holds(instance, cost, optimum), shown


@pytest.mark.parametrize("problem", PROBLEMS.values(), ids=lambda each: each.name)
def test_every_promise_is_asked_on_some_family(problem):
    """So the test above says something of each of them."""
    promising = {each.name for each in problem.algorithms if each.guarantee}
    asked = set()
    for family in problem.families:
        if asked < promising:
            asked |= {each.name for each, *_ in rated(problem, family, [0])}
    assert asked == promising
