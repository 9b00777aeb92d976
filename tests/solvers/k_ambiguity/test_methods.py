import random

import pytest
from searching import search_of, searched

import atleastk
from atleastk import KAmbiguity, NotApplicableError, Status, Trust
from atleastk.instances.datasets.adult import adult
from atleastk.instances.generators.k_ambiguity import seven_people
from atleastk.models.certificates.k_ambiguity import check_certificate
from atleastk.solvers.k_ambiguity import auto
from atleastk.solvers.k_ambiguity.methods import METHODS, solve
from scripts.sweeps.solver_options import BACKENDS, random_options

NAMES = ["auto", *(method.name for method in METHODS)]


@pytest.mark.parametrize("name", NAMES)
def test_every_method_against_the_judge(name, tables, fault):
    rng = random.Random(1)
    for seed in range(40):
        instance = tables.random_ambiguity(rng)
        start = rng.choice([None, "random", "result"])
        assert fault(instance, method=name, start=start, seed=seed) is None, instance


def test_every_model_in_every_back_end_with_random_options(tables, fault):
    rng = random.Random(2)
    for _ in range(60):
        instance, backend = tables.random_ambiguity(rng), rng.choice([*BACKENDS])
        method = rng.choice(["cells", "star-sets"])
        options = {backend: random_options(rng, backend)}
        wrong = fault(instance, method=method, instead=backend, options=options)
        assert wrong is None, (instance, method, options)


@pytest.mark.parametrize("name", NAMES)
def test_the_figure_of_the_thesis(name):
    result = atleastk.solve(seven_people(0), method=name)
    assert (result.status, result.cost) == (Status.OPTIMAL, 4)


@pytest.mark.parametrize("k", [2, 3, 5, 10])
def test_adult_needs_k_minus_1_rows(k):
    instance = KAmbiguity(adult(k).table, k)
    search = searched(solve, instance)
    assert search.cost == search.bound == 8 * (k - 1)
    check_certificate(instance, search.certificate, search.bound)


def test_few_records_cost_less():
    search = searched(solve, KAmbiguity(adult(20, 2, decades=True).table, 20))
    assert search.cost == search.bound == 34


@pytest.mark.parametrize("name", NAMES)
def test_a_spent_budget_still_has_a_solution(name):
    rng = random.Random(6)
    table = [[rng.randrange(2) for _ in range(3)] for _ in range(12)]
    instance = KAmbiguity(table, 4)
    run = next((m.run for m in METHODS if m.name == name), solve)
    search = searched(run, instance, seconds=0)
    assert search.cost <= 9
    exact = searched(solve, instance)
    assert (search.bound or 0) <= exact.cost <= search.cost


@pytest.mark.parametrize("name", NAMES)
def test_one_worker_is_deterministic(name):
    rng = random.Random(8)
    table = [[rng.randrange(2) for _ in range(4)] for _ in range(9)]
    instance = KAmbiguity(table, 3)
    first, second = (
        atleastk.solve(instance, method=name, workers=1, seed=5) for _ in range(2)
    )
    assert first.status is second.status is Status.OPTIMAL
    assert first.solution == second.solution


def test_refusals_say_why():
    many = KAmbiguity([[i, i] for i in range(1100)], 2)
    with pytest.raises(NotApplicableError, match="too many pairs that may match"):
        atleastk.solve(many, method="cells")
    with pytest.raises(NotApplicableError, match="too many star sets"):
        atleastk.solve(many, method="star-sets")


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

    monkeypatch.setattr(auto, "improved", looked)
    monkeypatch.setattr(auto, "close_gap", lambda *_: None)
    monkeypatch.setattr(auto._Table, "_raise", lambda *_: None)
    monkeypatch.setattr(auto, "_MOST_CELLS", 0)
    solve(search)
    assert seeds == [0, 0, 1, 2, 3, 4]
