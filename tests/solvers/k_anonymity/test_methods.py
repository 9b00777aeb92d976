import random
from itertools import product

import pytest
from searching import search_of

import atleastk
from atleastk import KAnonymity, NotApplicableError, Status
from atleastk.solvers.k_anonymity.methods import METHODS
from scripts.sweeps.solver_options import random_options

NAMES = [method.name for method in METHODS]

KNOWN = [
    ("pairs that share two columns", list(product([0, 1], repeat=3)), 2, 8),
    ("copies that must be given away", [[0, 0, 0]] * 3 + 2 * [[1, 0, 0]], 3, 5),
    (
        "three copies of the middle are not published",
        [[0, 0, 0]] * 3 + 2 * [[0, 0, 1], [0, 1, 0], [1, 0, 0]],
        3,
        9,
    ),
    ("all rows equal", [[1, "1"]] * 5, 2, 0),
    ("a text is not a number", [["1"], [1]], 2, 2),
    ("stars are values of tables, too", [["*"], ["a"]], 2, 2),
    ("no columns", [[], [], []], 2, 0),
    ("k = 1", [[1], [2], [3]], 1, 0),
    ("exactly k rows", [[1, 2], [1, 3], [1, 4]], 3, 3),
    ("too few for two groups", [[0, 0]] * 2 + [[1, 1]] * 3, 3, 10),
    ("no rows", [], 4, 0),
]


def method_named(name):
    return next(method for method in METHODS if method.name == name)


def searching(instance, *start, seconds=None):
    search = search_of(instance, seconds=seconds)
    if start:
        search.offer(start, "start")
    return search


@pytest.mark.parametrize("name", NAMES)
def test_every_method_against_the_judge(name, tables, fault):
    rng = random.Random(1)
    for _ in range(60):
        instance = tables.random_anonymity(rng, 7)
        run = {"method": name, "start": rng.choice([None, "random", "result"])}
        assert fault(instance, **run) is None, instance.to_dict()


@pytest.mark.parametrize("backend", ["CP-SAT", "HiGHS", "PuLP HiGHS", "SAT", "RC2"])
def test_every_model_in_every_back_end_with_random_options(backend, tables, fault):
    rng = random.Random(3)
    for _ in range(30):
        instance = tables.random_anonymity(rng, 6)
        method = rng.choice(["patterns", "groups", "leaders"])
        options = {backend: random_options(rng, backend)}
        wrong = fault(instance, method=method, instead=backend, options=options)
        assert wrong is None, (instance.to_dict(), method, options)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("table", "k", "best"), [known[1:] for known in KNOWN], ids=[k[0] for k in KNOWN]
)
def test_known_answers(name, table, k, best):
    search = searching(KAnonymity(table, k))
    method_named(name).run(search)
    assert search.closed
    assert search.cost == best


@pytest.mark.parametrize("name", NAMES)
def test_fewer_rows_than_k_are_infeasible(name):
    result = atleastk.solve(KAnonymity([[1], [1]], 3), method=name)
    assert result.status is Status.INFEASIBLE


@pytest.mark.parametrize("name", NAMES)
def test_a_spent_budget_still_has_a_solution(name):
    rng = random.Random(6)
    table = [[rng.randrange(3) for _ in range(3)] for _ in range(14)]
    instance = KAnonymity(table, 3)
    search = searching(instance, seconds=0)
    method_named(name).run(search)
    assert search.cost is not None
    exact = searching(instance)
    method_named("subset-dp").run(exact)
    assert search.bound <= exact.cost <= search.cost


@pytest.mark.parametrize("name", NAMES)
def test_one_worker_is_deterministic(name):
    rng = random.Random(8)
    table = [[rng.randrange(2) for _ in range(4)] for _ in range(12)]
    instance = KAnonymity(table, 2)
    first, second = (
        atleastk.solve(instance, method=name, workers=1, seed=5) for _ in range(2)
    )
    assert first.status is second.status is Status.OPTIMAL
    assert (first.cost, first.groups) == (second.cost, second.groups)


def test_refusals_say_why():
    wide = KAnonymity([[0] * 63, [1] * 63], 2)
    with pytest.raises(NotApplicableError, match="at most 62 columns, not 63"):
        atleastk.solve(wide, method="patterns")
    many = KAnonymity([[i] for i in range(1000)], 2)
    with pytest.raises(NotApplicableError, match="too many to be led"):
        atleastk.solve(many, method="leaders")
    with pytest.raises(NotApplicableError, match="too many subsets"):
        atleastk.solve(many, method="subset-dp")
    rng = random.Random(1)
    table = [[rng.randrange(3) for _ in range(5)] for _ in range(200)]
    with pytest.raises(NotApplicableError, match="closed patterns have too many sub"):
        atleastk.solve(KAnonymity(table, 2), method="constant-tables")
    table = [[rng.randrange(2) for _ in range(14)] for _ in range(150)]
    with pytest.raises(NotApplicableError, match="match more than 50000 records"):
        atleastk.solve(KAnonymity(table, 2), method="pulp")


def test_any_number_of_columns_is_taken_without_patterns():
    table = [[g] * 35 + [i * 7 + g] * 35 for g in range(2) for i in range(3)]
    for name in ("leaders", "sat", "maxsat", "subset-dp"):
        search = searching(KAnonymity(table, 3))
        method_named(name).run(search)
        assert search.cost == search.bound == 210
