import random

from searching import search_of

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.constant_tables import minimise_by_guesses
from atleastk.solvers.k_anonymity.subset_dp import best_partition
from atleastk.solvers.tables.closed_patterns import closed_patterns


def searching(instance, seconds=None):
    search = search_of(instance, seconds=seconds)
    search.offer([range(instance.n)], "start")
    return search


def guessed(instance, seconds=None):
    search = searching(instance, seconds)
    patterns = closed_patterns(instance.records, instance.k)
    minimise_by_guesses(search, patterns, "guesses")
    return search


def test_the_best_is_that_of_the_dynamic_program():
    rng, guesses = random.Random(2), 0
    for _ in range(60):
        n, m = rng.randint(4, 14), rng.randint(1, 3)
        table = [[rng.randrange(2) for _ in range(m)] for _ in range(n)]
        instance = KAnonymity(table, rng.randint(1, min(4, n)))
        search, best = guessed(instance), searching(instance)
        best.offer(best_partition(instance, Budget()), "subsets")
        assert search.closed, instance
        assert search.cost == best.cost, instance
        guesses += search.cost > 0
    assert guesses > 20


def test_many_rows_of_few_kinds():
    rng = random.Random(4)
    table = [[int(rng.random() < 0.02) for _ in range(3)] for _ in range(10_000)]
    search = guessed(KAnonymity(table, 25))
    assert search.closed
    assert 0 < search.cost < 200
