import random

import numpy as np

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.models.k_ambiguity import Looks, matches
from atleastk.solvers.brute_force.k_ambiguity import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_ambiguity.local_search import (
    nearest,
    perturbed,
    released,
    suppressed_rows,
)


def tables(seed, count):
    rng = random.Random(seed)
    for _ in range(count):
        n, m = rng.choice([(4, 3), (6, 2), (7, 2), (14, 1)])
        table = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        yield KAmbiguity(table, rng.randint(1, 4))


def test_masks_stay_feasible_and_get_no_worse():
    optimal = 0
    for instance in tables(1, 80):
        most = instance.n * instance.m
        starts = suppressed_rows(instance), nearest(instance, most, Budget())
        for start in starts:
            fewer = released(instance, start, 3)
            better = perturbed(instance, fewer, 100, 0, Budget())
            for looks in (start, fewer, better):
                assert matches(instance, looks).min() >= instance.k
            assert better.cost <= fewer.cost <= start.cost
            optimal += better.cost == optimum(instance)[0]
    assert optimal >= 150


def test_constant_columns_are_not_suppressed():
    looks = suppressed_rows(KAmbiguity([[7, i] for i in range(4)], 3))
    assert looks.hidden.tolist() == [[False, False]] * 2 + [[False, True]] * 2


def test_too_many_cells_are_given_up():
    instance = KAmbiguity([[i, i] for i in range(6)], 2)
    assert nearest(instance, 1, Budget()) is None


def test_enough_is_enough():
    instance = KAmbiguity([[0, 0], [0, 1]], 2)
    start = Looks.of_rows(instance.records, np.ones((2, 2), dtype=np.bool_))
    assert perturbed(instance, start, 100, 4, Budget()).cost == 4
    assert perturbed(instance, start, 100, 0, Budget()).cost == 1


def test_copies_that_no_row_needs_alone_are_an_entry():
    """Two copies of the others make two matches, whatever their number."""
    instance = KAmbiguity([[0, 0], [0, 1]], 3, copies=[10**6, 1])
    looks = suppressed_rows(instance)
    assert looks.copies.tolist() == [1, 1, 1, 10**6 - 2]
    for start in (looks, nearest(instance, 4, Budget())):
        better = perturbed(instance, released(instance, start), 50, 0, Budget())
        assert (better.cost, better.record[0], better.copies.max()) == (1, 1, 10**6 - 2)
