"""More items than a matrix of pairs holds: parts, and what is asked of them."""

import random
import threading
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from searching import search_of

import atleastk
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.models.pair_partition import check, costs_of, is_connected
from atleastk.solvers.brute_force.pair_partition import optimum
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.pair_partition import auto, parts
from atleastk.solvers.pair_partition.algorithms.catalogue import ALGORITHMS
from atleastk.solvers.pair_partition.first import dealt, first_answers
from atleastk.solvers.pair_partition.local_search import Units
from atleastk.solvers.pair_partition.parts import Parts
from atleastk.solvers.pair_partition.pricing import together_classes


def some_lists(rng, n, count):
    return [rng.sample(range(n), rng.randint(2, 3)) for _ in range(count)]


def drawn(seed, n):
    """Return points, listed pairs or a graph, with random windows."""
    rng = random.Random(seed)
    what = {"k": rng.randint(1, 3), "objective": rng.choice(["sum", "squares"])}
    pairs = [*combinations(range(n), 2)]
    if rng.random() < 0.4:
        what["points"] = [[rng.randint(0, 30) for _ in range(2)] for _ in range(n)]
    else:
        listed = rng.sample(pairs, rng.randint(n // 2, len(pairs)))
        low = rng.choice([-20, 0])
        what |= {"items": n, "costs": [[*p, rng.randint(low, 20)] for p in listed]}
        what["connected"] = rng.random() < 0.4
    if what.get("connected") and rng.random() < 0.5:
        what["edges"] = rng.sample(pairs, rng.randint(n, len(pairs)))
    if rng.random() < 0.5:
        what["groups"] = sorted(rng.sample(range(1, n // 2 + 1), 2))
    requires = [
        {"of": [rng.choice("ab") for _ in range(n)], "at_most": rng.randint(1, n)},
        {"of": [rng.choice("ab") for _ in range(n)], "at_least": rng.randint(0, 1)},
        {"of": [rng.randint(0, 5) for _ in range(n)], "at_least": rng.randint(0, 6)},
        {
            "of": [-1, *(rng.randint(-2, 2) for _ in range(n - 1))],
            "at_least": rng.randint(-3, 0),
        },
        {"of": "items", "at_most": rng.randint(3, n)},
    ]
    what["require"] = rng.sample(requires, rng.randint(0, 2))
    for name in ("together", "apart"):
        if rng.random() < 0.4:
            what[name] = some_lists(rng, n, rng.randint(1, 2))
    return PairPartition(**what)


@pytest.mark.parametrize("seed", range(60))
def test_what_is_asked_of_groups_of_a_part_is_what_the_whole_asks(seed):
    instance, rng = drawn(seed, 9), np.random.default_rng(seed)
    search = Parts(search_of(instance))
    items = np.sort(rng.choice(9, size=6, replace=False))
    part = search._part(items, (1, 6))
    split = [
        some
        for some in instance.together or ()
        if 0 < len(set(some) & set(items.tolist())) < len(some)
    ]
    for size in range(instance.k, 7):
        for group in combinations(range(6), size):
            own = items[list(group)].tolist()
            if any(set(own) & set(some) for some in split):
                continue  # parts are made of whole classes
            asked = is_admissible(instance, own)
            assert asked == (part is not None and is_admissible(part, group))
            if part is not None:
                assert part.cost_of(group) == instance.cost_of(own)


@pytest.mark.parametrize("seed", range(40))
def test_groups_of_parts_break_nothing_and_cost_the_optimum_at_least(seed, monkeypatch):
    instance = drawn(seed, 8)
    monkeypatch.setattr(parts, "_ITEMS", 4)
    monkeypatch.setattr(parts, "_GROUPS", 1)
    best = optimum(instance)
    if not instance.counts:
        return
    search = search_of(instance)
    made = Parts(search)
    if instance.connected:
        offer_first(search, first_answers(instance))
    else:
        made.first(search.budget)
    before = search.cost
    assert best is not None or before is None
    if before is not None:
        monkeypatch.setattr(parts, "count", lambda: range(3))
        made.improve(search.budget)
        assert best[0] <= search.cost <= before
        assert check(instance, search.solution).feasible


@pytest.mark.parametrize("seed", range(60))
def test_bounds_of_many_items_are_at_most_the_optimum(seed, monkeypatch):
    monkeypatch.setattr(auto, "MOST_PAIRED", 3)
    instance = drawn(seed, 8)
    best = optimum(instance)
    work = auto._Work(search_of(instance))
    work.bound_by_nearest(work.search.budget)
    assert work.search.bound is not None
    assert best is None or work.search.bound <= best[0]


def test_limits_below_0_are_asked_of_items_that_hold_no_less_than_0():
    amounts = [-1, 1, 1, 0, 0, 1]
    instance = PairPartition(
        items=6, costs=[], k=2, require=[{"of": amounts, "at_least": -1}]
    )
    part = Parts(search_of(instance))._part(np.arange(1, 6), (1, 2))
    assert part is not None
    assert is_admissible(part, range(5))


def test_a_last_run_without_groups_joins_those_before_it(monkeypatch):
    monkeypatch.setattr(parts, "_ITEMS", 4)
    monkeypatch.setattr(parts, "_GROUPS", 1)
    words = ["a", "b", "a", "b", "a", "b", "a", "a"]
    asked = {"require": [{"of": words, "at_least": 1}], "groups": [3, 3]}
    instance = PairPartition(items=8, costs=[[0, 1, 1]], k=2, **asked)
    search = search_of(instance)
    Parts(search).first(search.budget)
    assert check(instance, search.solution).feasible


def teams(n, seed=1, **asked):
    rng = random.Random(seed)
    points = [(rng.randint(0, 1000), rng.randint(0, 1000)) for _ in range(n)]
    words = [rng.choice("ab") for _ in range(n)]
    pairs = rng.sample(range(n), n // 5)
    wishes = [pairs[i : i + 2] for i in range(0, len(pairs), 2)]
    return PairPartition(
        points=points,
        k=4,
        objective="squares",
        groups=[n // 6, n // 4],
        require=[{"of": words, "at_least": 1}],
        apart=wishes[::2],
        together=wishes[1::2],
        **asked,
    )


def until_better(instance):
    """Return the costs of a run that ends with the second one, and its search."""
    costs = []

    def hear(event):
        if event.cost is not None:
            costs.append(event.cost)
        if len({*costs}) > 1:
            search.budget.stop.set()

    search = search_of(instance, on_event=hear)
    auto.solve(search)
    return costs, search


def test_many_points_in_windows_have_groups_and_a_bound():
    instance = teams(4_000)
    costs, search = until_better(instance)
    assert check(instance, search.solution).feasible
    assert 0 < search.bound < search.cost < costs[0]


def test_few_points_in_windows_are_not_left_in_one_group():
    words = {"require": teams(60).require, "groups": [1, 12]}
    instance = replace(teams(60), together=None, apart=None, **words)
    costs, search = until_better(instance)
    assert costs[0] == instance.cost_of(range(60))
    assert search.cost < costs[0] / 2


def test_many_items_of_a_sparse_graph_have_groups_that_get_better():
    rng = random.Random(3)
    costs = {(rng.randint(max(0, i - 9), i - 1), i): 1 for i in range(1, 5_000)}
    costs |= {(i, i + rng.randint(10, 20)): rng.randint(0, 9) for i in range(4_900)}
    instance = PairPartition(
        items=5_000, k=3, connected=True, costs=[[*p, c] for p, c in costs.items()]
    )
    assert [name for name, _ in first_answers(instance)] == ["cut trees"]
    costs, search = until_better(instance)
    assert check(instance, search.solution).feasible
    assert search.found_by == "parts"


def test_single_items_that_belong_together_are_merged_in_parts(monkeypatch):
    monkeypatch.setattr(parts, "_TOLD", float("inf"))  # of a whole round, however long
    way = [[i, i + 1, -3] for i in range(3_999)]
    instance = PairPartition(items=4_000, k=1, costs=way)
    costs, search = until_better(instance)
    assert costs[0] == 0
    assert search.found_by == "parts"
    assert search.cost < -6_000


def test_connected_items_that_a_matrix_holds_are_searched_as_a_whole():
    way = [[i, i + 1, 3] for i in range(1_099)]
    connected = PairPartition(items=1_100, k=2, costs=way, connected=True)
    work = [
        auto._Work(search_of(replace(connected, connected=c))) for c in (False, True)
    ]
    assert [each.in_parts for each in work] == [True, False]


def test_a_part_ends_when_the_run_has_to():
    instance = teams(60)
    budget = search_of(instance).budget
    groups = [*dealt(instance)]
    timer = threading.Timer(0.2, budget.stop.set)
    timer.start()
    parts._annealed(instance, groups, np.arange(60), 10**9, budget)
    timer.join()
    assert budget.spent


def test_many_items_of_no_cost_are_solved_without_a_matrix():
    result = atleastk.solve(PairPartition(items=5_000, costs=[], k=3), certify=True)
    assert (result.status, result.cost) == ("OPTIMAL", 0)
    assert "matrix" not in vars(result.instance)


@pytest.mark.parametrize("name", ["mdav", "v-mdav"])
def test_algorithms_refuse_more_pairs_than_a_matrix_holds(name):
    algorithm = next(each for each in ALGORITHMS if each.name == name)
    many = PairPartition(items=3_001, costs=[], k=3)
    assert "matrix" in algorithm.refuses(many)
    assert algorithm.refuses(replace(many, items=3_000)) is None
    squares = {"points": [[1]] * 3_001, "objective": "squares"}
    assert algorithm.refuses(PairPartition(k=3, **squares)) is None


def test_listed_pairs_are_an_array_once():
    instance = PairPartition(items=3, costs=[[0, 1, 2]], k=1)
    assert instance.listed is instance.listed


def test_groups_too_large_for_parts_are_refused():
    assert parts.refuses(PairPartition(items=4_000, costs=[], k=1_600))
    assert not parts.refuses(PairPartition(items=4_000, costs=[], k=1_300))


@pytest.mark.parametrize("seed", range(40))
def test_costs_classes_and_units_by_arrays_are_those_one_by_one(seed):
    instance, rng = drawn(seed, 11), random.Random(seed)
    cuts = sorted(rng.sample(range(1, 11), 3))
    order = rng.sample(range(11), 11)
    groups = [order[i:j] for i, j in zip([0, *cuts], [*cuts, 11], strict=True)]
    assert costs_of(instance, groups) == [*map(instance.cost_of, groups)]
    below = np.minimum(instance.matrix, 0).sum(axis=1)
    assert instance.reliefs.tolist() == (-(below // 2)).tolist()
    for group in groups if instance.connected else ():
        reached = {group[0]}
        for _ in group:
            near = instance.adjacent[sorted(reached)].any(axis=0)
            reached |= {item for item in group if near[item]}
        assert is_connected(instance, group) == (reached == set(group))
    classes = together_classes(instance)
    joined = [{item} for item in range(11)]
    for some in instance.together or ():
        touched = [each for each in joined if each & set(some)]
        joined = [each for each in joined if not each & set(some)]
        joined.append(set().union(*touched))
    assert all(classes[item] == min(each) for each in joined for item in each)
    units = Units(instance)
    for i, j in combinations(range(units.n), 2):
        between = instance.matrix[np.ix_(units.of == i, units.of == j)]
        assert units._matrix[i, j] == units._matrix[j, i] == between.sum()
