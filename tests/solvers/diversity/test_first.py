import random

import numpy as np
from copied import with_copies
from searching import search_of

from atleastk.instances.diversity import Diversity
from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of
from atleastk.models.certificates.diversity import check_certificate
from atleastk.models.diversity import check
from atleastk.solvers.brute_force.diversity import optimum
from atleastk.solvers.diversity.auto import first_bound, solve
from atleastk.solvers.diversity.first import begin, first_answers
from atleastk.solvers.diversity.first_classes import _most_of_each
from scripts.sweeps.drawn_tables import random_diversity


def begun(instance):
    search = search_of(instance)
    begin(search, "start")
    return search


def test_what_is_left_joins_classes_until_it_keeps_its_values():
    table = [[0], [0], [1], [1], [2], [2]]
    values = [["a"], ["b"], ["a"], ["a"], ["a"], ["b"]]
    instance = Diversity(
        table, 2, [suppression_of([0, 1, 2])], "entries", sensitive=values, l=2
    )
    search = begun(instance)
    assert search.solution is not None
    assert sorted(map(len, search.solution.groups)) == [2, 4]
    assert search.cost == 4


def test_what_is_begun_with_is_feasible_if_anything_is():
    rng = random.Random(5)
    several = 0
    for _ in range(400):
        search = begun(random_diversity(rng, 7))
        if search.infeasible:
            continue
        assert search.solution is not None
        assert check(search.instance, search.solution).feasible
        several += len(search.solution.groups) > 1
    assert several > 20


def test_classes_that_hide_few_columns_keep_their_values():
    rng, peeled = random.Random(6), 0
    for number in range(300):
        instance = random_diversity(rng, 9)
        if number % 3 == 0 and instance.copies is None:
            instance = with_copies(instance)
        for name, found in first_answers(instance):
            if name in ("peeled columns", "neighbours"):
                assert check(instance, found).feasible, instance.to_dict()
                peeled += (found.number_of_groups(instance) or 0) > 1
    assert peeled > 10


def test_neighbours_are_a_better_begin_where_values_have_levels():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 8, (2, 800, 4)).min(axis=0).tolist()
    values = rng.integers(0, 6, (2, 800, 1)).min(axis=0).tolist()
    levels = Hierarchy([(v, v // 2 + 10, v // 4 + 20, "*") for v in range(8)])
    wish = {"sensitive": values, "l": 3, "reading": "frequency"}
    instance = Diversity(codes, 4, [levels] * 4, **wish)
    costs = {name: check(instance, one).cost for name, one in first_answers(instance)}
    assert costs["neighbours"] < costs["peeled columns"]


def test_a_class_borrows_a_value_from_one_that_is_finished():
    """Four rows lend one of their rare values, which hides a cell for it."""
    table = [[0, 0]] * 4 + [[0, 1]] * 3
    values = [["a"], ["a"], ["b"], ["b"], ["a"], ["a"], ["a"]]
    instance = Diversity(table, 2, [suppression_of([0, 1])] * 2, sensitive=values, l=2)
    costs = {name: check(instance, one).cost for name, one in first_answers(instance)}
    assert costs["peeled columns"] == 4


def test_even_parts_of_classes_are_as_large_as_can_be():
    rng = np.random.default_rng(3)
    for _ in range(200):
        home = np.sort(rng.integers(0, 3, 9))
        home = np.unique(home, return_inverse=True)[1].astype(np.int64)
        counts, share = rng.integers(1, 12, 9), int(rng.integers(1, 5))
        most = _most_of_each(home, counts, share)
        for class_, found in enumerate(most.tolist()):
            own = counts[home == class_]
            sizes = [np.minimum(own, c).sum() for c in range(own.sum() + 1)]
            assert found == max(c for c, size in enumerate(sizes) if size >= share * c)


def test_the_first_answer_on_many_rows_is_of_use():
    rng = np.random.default_rng(1)
    table = np.repeat(np.arange(500), 8)[:, None].tolist()
    values = rng.integers(0, 3, (4000, 1)).tolist()
    hierarchies = [suppression_of(range(500))]
    search = begun(Diversity(table, 4, hierarchies, "entries", sensitive=values, l=2))
    assert search.cost < 1000


def test_what_rows_lose_at_least_is_known_before_any_answer():
    rng, known = random.Random(7), 0
    for _ in range(150):
        instance = random_diversity(rng, 7)
        search, best = search_of(instance), optimum(instance)
        first_bound(search)
        assert search.solution is None
        known += bool(search.bound)
        assert best is None or (search.bound or 0) <= best
        if search.certificate is not None and best is not None:
            check_certificate(instance, search.certificate, search.bound)
        solve(search)
        assert (search.infeasible, search.cost) == (best is None, best)
    assert known > 10
