"""Rows that may be dropped on entries, against brute force."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest
from certificates import refused

import atleastk
from atleastk import Solution
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models.certificates.generalization import check_certificate
from atleastk.models.generalization import check, solution_dropping_rest
from atleastk.models.tables.pseudo_columns import records_of_levels
from atleastk.solvers.brute_force.generalization import optimum
from atleastk.solvers.budget import Budget
from atleastk.solvers.generalization import dropping
from atleastk.solvers.generalization.certify import certify
from atleastk.solvers.generalization.dropping import dropping_just
from atleastk.solvers.tables import table_search
from atleastk.solvers.tables.assignment import Assignment
from scripts.sweeps.drawn_tables import random_generalization
from tests.helpers.copied import with_copies
from tests.helpers.verdicts import solved_rightly


def drawn(seed, most_rows=6):
    """A small table on entries of which some rows may be dropped."""
    rng = random.Random(seed)
    while True:
        found = random_generalization(rng, most_rows, on="entries")
        if found.most_dropped:
            return with_copies(found) if seed % 2 else found


def unlike(*counts):
    """A table of one column, of rows of so many equal ones, and single ones."""
    values = [v for v, count in enumerate(counts) for _ in range(count)]
    return [[v, v] for v in values]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("tiny", [True, False])
def test_the_optimum_is_that_of_brute_force(seed, tiny, monkeypatch):
    if not tiny:
        monkeypatch.setattr(dropping, "FEWEST_PAIRS", -1)
    instance = drawn(seed)
    result = atleastk.solve(instance, workers=1)
    solved_rightly(instance, result, optimum(instance))


def test_copies_that_are_not_moved_are_not_dropped(monkeypatch):
    monkeypatch.setattr(dropping, "FEWEST_PAIRS", -1)
    monkeypatch.setattr(dropping, "_MODELLED", -1)
    monkeypatch.setattr(table_search, "_MANY_ROWS", 0)
    monkeypatch.setattr(table_search, "_KEPT", 1)
    stars = [suppression_of(range(8))] * 2
    table, copies = [[v, v // 2] for v in range(8)], [50] * 6 + [1, 2]
    instance = Generalization(table, 3, stars, copies=copies, suppress_rows=3)
    assert atleastk.solve(instance, workers=1, time_limit=1).cost == 0


@pytest.mark.parametrize("seed", range(40, 60))
def test_models_agree(seed):
    instance = drawn(seed)
    found = {
        atleastk.solve(instance, method=method, workers=1).cost
        for method in ("auto", "patterns", "leaders", "suppression")
    }
    assert found == {optimum(instance)}


def test_certificates_prove_no_more_than_is_so():
    """Nor do those of tables of which no row may be dropped, which cost more."""
    higher = 0
    for seed in range(60, 75):
        instance, plain = drawn(seed), replace(drawn(seed), suppress_rows=0)
        best, more = optimum(instance), optimum(plain)
        proof = certify(instance, best, Budget())
        if proof is not None:
            check_certificate(instance, json.loads(json.dumps(proof)), best)
        if best is not None:
            assert certify(instance, best + instance.unit, Budget()) is None
        proof = certify(plain, more, Budget())
        if best is not None and more is not None and best < more and proof is not None:
            assert refused(instance, proof, more)
            higher += proof["kind"] == "weights"
    assert higher > 1


def test_a_dropped_row_counts_for_no_group_and_costs_nothing():
    table = unlike(2, 1, 1)
    hierarchies = [suppression_of(range(3))] * 2
    instance = Generalization(table, 2, hierarchies, suppress_rows=2)
    solution = solution_dropping_rest(instance, Solution([[0, 1]]))
    assert (solution.suppressed_rows, solution.ungrouped) == ((2, 3), (2, 3))
    assert solution.labels == (0, 0, -1, -1)
    verdict = check(instance, solution)
    assert (verdict.cost, verdict.violations, verdict.ties) == (0, (), (2,))
    told = check(Generalization(table, 2, hierarchies, suppress_rows=1), solution)
    assert told.violations == ("2 suppressed rows, above suppress_rows = 1",)
    alone = solution_dropping_rest(instance, Solution([[0, 1], [2]]))
    assert check(instance, alone).violations == ("group 1 has 1 rows, below k = 2",)
    plain = Generalization(table, 2, hierarchies)
    assert check(plain, solution).violations
    assert check(plain, atleastk.Solution.of([[0, 1]])).cost is None


def test_all_rows_may_be_dropped_of_fewer_than_k():
    table = unlike(1, 1)
    few = Generalization(table, 3, [suppression_of(range(3))] * 2, suppress_rows=2)
    result = atleastk.solve(few)
    assert (result.cost, result.solution.suppressed_rows) == (0, (0, 1))
    fewer = Generalization(table, 3, few.hierarchies, suppress_rows=1)
    result = atleastk.solve(fewer)
    assert (str(result.status), result.certificate) == (
        "INFEASIBLE",
        {"kind": "count"},
    )


@pytest.mark.parametrize("seed", range(90, 102))
def test_an_allowance_makes_no_solution_dearer(seed):
    rng = random.Random(seed)
    rows = [[rng.randrange(5), rng.randrange(4), rng.randrange(3)] for _ in range(14)]
    hierarchies = [suppression_of(range(5))] * 3
    costs = [
        atleastk.solve(
            Generalization(rows, 3, hierarchies, suppress_rows=most), workers=1
        ).cost
        for most in (0, 1, 3)
    ]
    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("seed", range(120, 140))
def test_what_is_left_without_dropped_rows_costs_no_more(seed):
    rng = random.Random(seed)
    rows = [[rng.randrange(5), rng.randrange(4)] for _ in range(24)]
    hierarchies = [suppression_of(range(5))] * 2
    weights = [rng.randint(1, 3) for _ in rows]
    instance = Generalization(
        rows, 3, hierarchies, suppress_rows=4, row_weights=weights
    )
    start = Solution([range(i, i + 6) for i in (0, 6, 12, 18)])
    before = check(instance, start).cost
    records = records_of_levels(instance)
    dropped = np.bincount(records.record_of[[1, 5, 7]], minlength=records.distinct)
    known = Assignment.of_solution(records, start)
    found = dropping_just(records, 3, known, dropped)
    made = solution_dropping_rest(instance, found.solution(records))
    gone = records.record_of[list(made.suppressed_rows)]
    assert (np.bincount(gone, minlength=records.distinct) == dropped).all()
    verdict = check(instance, made)
    assert verdict.feasible
    assert verdict.cost <= before
