import random

import pytest
from searching import search_of, searched

import atleastk
from atleastk import KAmbiguity, Status, Trust
from atleastk.instances.datasets.adult import adult
from atleastk.models.certificates.k_ambiguity import check_certificate
from atleastk.solvers.k_ambiguity import auto
from atleastk.solvers.k_ambiguity.methods import solve


@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_adult_needs_k_minus_1_rows(k):
    instance = KAmbiguity(adult(k).table, k)
    search = searched(solve, instance)
    assert search.cost == search.bound == 8 * (k - 1)
    check_certificate(instance, search.certificate, search.bound)


def test_few_records_cost_less():
    search = searched(solve, KAmbiguity(adult(20, 2, decades=True).table, 20))
    assert search.cost == search.bound == 34


def test_wide_tables_are_taken_without_classes():
    table = [[7] * 68 + [0, 0], [7] * 68 + [0, 1], [7] * 68 + [1, 1]]
    assert atleastk.solve(KAmbiguity(table, 2)).cost == 2
    for n in (2, 4, 12):
        different = KAmbiguity([[i] * 70 for i in range(n)], 2)
        result = atleastk.solve(different)
        assert (result.status, result.cost) == (Status.OPTIMAL, 70)
        assert result.trust is Trust.CERTIFIED


def test_an_open_gap_is_perturbed_until_the_time_is_over(monkeypatch):
    rng = random.Random(4)
    table = [[rng.randrange(3) for _ in range(5)] for _ in range(60)]
    search = search_of(KAmbiguity(table, 9), seconds=10_000.0)
    seeds = []

    def looked(_instance, hidden, _rounds, _enough, budget):
        seeds.append(budget.seed)
        if len(seeds) == 6:
            search.budget.stop.set()
        return hidden

    monkeypatch.setattr(auto, "perturbed", looked)
    monkeypatch.setattr(auto, "close_gap", lambda *_: None)
    monkeypatch.setattr(auto._Work, "_raise", lambda *_: None)
    monkeypatch.setattr(auto, "_MOST_CELLS", 0)
    monkeypatch.setattr(auto, "_MOST_WEIGHED", 0)
    solve(search)
    assert seeds == [0, 0, 1, 2, 3, 4]
