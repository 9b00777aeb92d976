import random

from searching import search_of

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.solvers.k_anonymity.constant_tables import minimise_by_guesses
from atleastk.solvers.tables.closed_patterns import closed_patterns


def guessed(instance):
    search = search_of(instance)
    search.offer([range(instance.n)], "start")
    patterns = closed_patterns(instance.records, instance.k)
    minimise_by_guesses(search, patterns, "guesses")
    return search


def test_many_rows_of_few_kinds():
    rng = random.Random(4)
    table = [[int(rng.random() < 0.02) for _ in range(3)] for _ in range(10_000)]
    search = guessed(KAnonymity(table, 25))
    assert search.closed
    assert 0 < search.cost < 200
