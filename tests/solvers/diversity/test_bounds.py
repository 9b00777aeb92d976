"""Weights of kinds: never above the optimum, and above what values alone leave out."""

import random
from importlib import import_module

from atleastk.instances.generators.diversity import diagnoses
from atleastk.models.certificates.diversity import check_certificate
from atleastk.models.diversity import check
from atleastk.models.generalization import solution_of_groups
from atleastk.solvers.brute_force import generalization
from atleastk.solvers.brute_force.diversity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.diversity.methods import weighed
from atleastk.solvers.search import Search


def search_of(instance):
    """Return a search whose bound has been raised by weights."""
    search = Search(instance, check, Budget())
    groups = [range(instance.n)] if instance.n else []
    search.offer(solution_of_groups(instance, groups), "one group")
    search.raise_bound(0, "nothing")
    weighed(search, Budget())
    return search


def bound_of(instance):
    return search_of(instance).bound


def test_the_last_bound_has_a_certificate():
    """A tree of one leaf, which the checker rates no higher than the search did."""
    certified = 0
    for seed in range(8):
        instance = diagnoses(seed, n=8, sensitive=2, values=3)
        if optimum(instance) is not None:
            search = search_of(instance)
            assert search.certificate is not None
            check_certificate(instance, search.certificate, search.bound)
            certified += 1
    assert certified >= 3


def test_no_bound_exceeds_the_optimum():
    sweep = import_module("scripts.sweeps.drawn_tables")
    rng = random.Random(6)
    reached = judged = 0
    while judged < 40:
        instance = sweep.random_diversity(rng, 6, 1)
        best = optimum(instance) if instance.on == "entries" else None
        if best is None:
            continue
        judged += 1
        bound = bound_of(instance)
        assert bound <= best, instance.to_dict()
        reached += bound == best
    assert reached >= 20


def test_bounds_know_the_values():
    higher = 0
    for seed in range(6):
        instance = diagnoses(seed, n=8, sensitive=2, values=3)
        best = optimum(instance)
        if best is not None:
            plain = generalization.optimum(instance.relaxed)
            higher += plain < bound_of(instance) <= best
    assert higher >= 2
