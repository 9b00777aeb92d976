"""Distinct rows with copies have the optimum of the rows that they stand for."""

import json
import random
from dataclasses import replace

import pytest

import atleastk
from atleastk import Generalization, Hierarchy, InvalidInstanceError
from atleastk.instances.copied import MOST_COPIES
from atleastk.instances.generalization import LOSSES
from atleastk.models.generalization import GeneralizationSolution, check
from atleastk.solvers.brute_force.generalization import optimum
from scripts import second_checker
from tests.helpers.copied import with_copies

HALVES = [(v, v // 2 + 10, v // 4 + 20, "*") for v in range(6)]


def drawn(rng, rows=40, suppressed=6):
    """Return a table by its rows, and by its distinct rows with copies."""
    m, n = rng.randint(1, 3), rng.randint(2, rows)
    table = [tuple(rng.randrange(6) for _ in range(m)) for _ in range(n)]
    by_rows = Generalization(
        table=table,
        k=rng.randint(2, 4),
        hierarchies=[Hierarchy(HALVES)] * m,
        on="attributes",
        loss=rng.choice(LOSSES),
        suppress_rows=rng.randint(0, suppressed),
    )
    return by_rows, with_copies(by_rows)


@pytest.mark.parametrize("seed", range(60))
def test_rows_and_copies_have_one_optimum_and_one_certificate(seed):
    by_rows, by_copies = drawn(random.Random(seed))
    assert (by_copies.n, by_copies.written_out.n) == (by_rows.n, by_rows.n)
    one, two = atleastk.solve(by_rows), atleastk.solve(by_copies)
    assert (one.status, one.cost, one.bound) == (two.status, two.cost, two.bound)
    assert one.certificate == two.certificate
    if one.cost is None:
        return
    assert one.solution.levels == two.solution.levels
    assert atleastk.check(by_copies, two).proved
    assert two.number_of_groups == one.number_of_groups == len(one.groups)
    assert f"  groups  {len(one.groups)}" in str(two).splitlines()
    assert "groups" not in str(replace(two, instance=None))
    document, found = (
        json.loads(json.dumps(each.to_dict())) for each in (by_copies, two)
    )
    assert second_checker.check(document, found)
    assert atleastk.from_dict(document).sha256 == by_copies.sha256
    found["levels"] = [[0] * by_rows.m]
    if check(by_copies, GeneralizationSolution((), ((0,) * by_rows.m,))).violations:
        with pytest.raises(second_checker.WrongError):
            second_checker.check(document, found)


@pytest.mark.parametrize("seed", range(20))
def test_rows_and_copies_have_the_optimum_of_brute_force(seed):
    by_rows, by_copies = drawn(random.Random(seed), rows=8, suppressed=3)
    assert optimum(by_copies) == optimum(by_rows) == atleastk.solve(by_copies).cost


@pytest.mark.parametrize("method", ["tagging", "hitting-sets", "pairs"])
def test_methods_for_attributes_take_copies(method):
    few = {"rows": 8, "suppressed": 0} if method == "pairs" else {}
    _, by_copies = drawn(random.Random(7), **few)
    found = atleastk.solve(by_copies, method=method)
    assert found.cost == atleastk.solve(by_copies).cost


def test_equal_rows_add_up():
    _, by_copies = drawn(random.Random(3))
    pairs = [*zip(by_copies.table, by_copies.copies, strict=True)] * 2
    table, copies = zip(*pairs, strict=True)
    twice = replace(by_copies, table=table, copies=copies)
    assert twice.records.distinct == by_copies.records.distinct
    assert (twice.records.copies == 2 * by_copies.records.copies).all()


def test_solutions_of_copies_are_nodes():
    _, by_copies = drawn(random.Random(7))
    tops = (by_copies.heights,)
    assert check(by_copies, GeneralizationSolution((), tops)).feasible
    groups = GeneralizationSolution(((0,),), tops)
    assert check(by_copies, groups).violations == (
        "groups: with copies a solution has levels only",
    )
    named = GeneralizationSolution((), tops, (0,))
    assert not check(by_copies, named).feasible


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"copies": [1]}, "copies: 1 of them for 2 rows"),
        ({"copies": [1, 0]}, "copies"),
        ({"copies": [1, MOST_COPIES]}, "copies: the table stands for"),
    ],
)
def test_copies_that_make_no_sense_are_refused(fields, words):
    fields = {"on": "attributes", **fields}
    with pytest.raises(InvalidInstanceError, match=words):
        Generalization([[0], [1]], 2, [Hierarchy(HALVES)], **fields)


def test_more_copies_than_can_be_written_out_are_refused():
    instance = Generalization([[0], [1]], 3, [Hierarchy(HALVES)], "entries")
    with pytest.raises(InvalidInstanceError, match=r"rows are too many to be written"):
        atleastk.solve(replace(instance, copies=[2**30, 5]), 5)
    assert atleastk.solve(replace(instance, copies=[20, 5]), 5, workers=1).cost == 0
