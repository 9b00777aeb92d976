import random

from searching import search_of

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.k_anonymity.constant_tables import minimise_by_guesses
from atleastk.solvers.tables.closed_patterns import closed_patterns
from tests.helpers.costs import least_cost


def guessed(instance):
    search = search_of(instance)
    search.offer([range(instance.n)], "start")
    patterns = closed_patterns(instance.records, instance.k)
    minimise_by_guesses(search, patterns, "guesses")
    return search


def test_the_best_is_that_of_the_dynamic_program():
    rng, guesses = random.Random(2), 0
    for _ in range(60):
        n, m = rng.randint(4, 14), rng.randint(1, 3)
        table = [[rng.randrange(2) for _ in range(m)] for _ in range(n)]
        instance = KAnonymity(table, rng.randint(1, min(4, n)))
        search = guessed(instance)
        assert search.closed, instance
        assert search.cost == least_cost(instance), instance
        guesses += search.cost > 0
    assert guesses > 20


def test_many_rows_of_few_kinds():
    rng = random.Random(4)
    table = [[int(rng.random() < 0.02) for _ in range(3)] for _ in range(10_000)]
    search = guessed(KAnonymity(table, 25))
    assert search.closed
    assert 0 < search.cost < 200
