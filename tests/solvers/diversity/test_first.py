import random
from importlib import import_module

import numpy as np
from searching import search_of

from atleastk.instances.diversity import Diversity
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.diversity import check
from atleastk.solvers.diversity.first import begin


def begun(instance):
    search = search_of(instance)
    begin(search, "start")
    return search


def test_neighbours_join_until_they_keep_their_values():
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
    sweep = import_module("scripts.sweeps.drawn_tables")
    rng = random.Random(5)
    several = 0
    for _ in range(400):
        search = begun(sweep.random_diversity(rng, 7))
        if search.infeasible:
            continue
        assert search.solution is not None
        assert check(search.instance, search.solution).feasible
        several += len(search.solution.groups) > 1
    assert several > 20


def test_the_first_answer_on_many_rows_is_of_use():
    rng = np.random.default_rng(1)
    table = np.repeat(np.arange(500), 8)[:, None].tolist()
    values = rng.integers(0, 3, (4000, 1)).tolist()
    hierarchies = [suppression_of(range(500))]
    search = begun(Diversity(table, 4, hierarchies, "entries", sensitive=values, l=2))
    assert search.cost < 1000
