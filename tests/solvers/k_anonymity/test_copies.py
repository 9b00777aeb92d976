"""Distinct rows with copies have the optimum of the rows that they stand for."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

import atleastk
from atleastk import (
    InvalidInstanceError,
    KAmbiguity,
    KAnonymity,
    NotApplicableError,
    Solution,
    Suppression,
)
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.models.k_anonymity import DealtSolution, check, completed, suppressed
from atleastk.solvers.brute_force import k_ambiguity, k_anonymity
from atleastk.solvers.tables import table_search
from scripts import second_checker
from tests.helpers.copied import with_copies
from tests.helpers.verdicts import proved_twice


def drawn(rng, kind, rows):
    """Return a table by its rows, and by its distinct rows with copies."""
    m, n = rng.randint(1, 3), rng.randint(1, rows)
    table = [tuple(rng.choice("abc") for _ in range(m)) for _ in range(n)]
    by_rows = kind(table, rng.randint(1, 4))
    return by_rows, with_copies(by_rows)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", [KAnonymity, KAmbiguity])
def test_rows_and_copies_have_one_optimum(seed, kind):
    by_rows, by_copies = drawn(random.Random(seed), kind, 9)
    assert by_copies.n == by_rows.n
    assert sorted(by_copies.written_out.table) == sorted(by_rows.table)
    one, two = (
        atleastk.solve(each, certify=True, workers=1) for each in (by_rows, by_copies)
    )
    assert (one.status, one.cost, one.bound) == (two.status, two.cost, two.bound)
    brute = k_anonymity if kind is KAnonymity else k_ambiguity
    if kind is KAnonymity or by_copies.n * by_copies.m <= k_ambiguity.CELLS:
        best = brute.optimum(by_copies)
        assert (None if best is None else best[0]) == two.cost
    assert atleastk.check(by_copies, two).proved
    assert proved_twice(by_copies, two)
    again = atleastk.from_dict(by_copies.to_dict())
    assert again == by_copies
    assert again.sha256 == by_copies.sha256


@pytest.mark.parametrize("seed", range(6))
def test_every_method_takes_copies(seed):
    by_rows, by_copies = drawn(random.Random(seed), KAnonymity, 9)
    if by_rows.n < by_rows.k:
        return
    optimum = k_anonymity.optimum(by_rows)[0]
    for method in atleastk.methods("k-anonymity"):
        try:
            found = atleastk.solve(by_copies, method=method.name)
        except NotApplicableError:
            continue
        assert found.cost == optimum
        assert isinstance(found.solution, DealtSolution)
        assert atleastk.check(by_copies, found).feasible


@pytest.mark.parametrize("kept", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_moves_of_some_copies_are_of_the_whole_table(seed, kept, monkeypatch):
    """Costs and bounds hold for all copies, however many of them are moved."""
    monkeypatch.setattr(table_search, "_MANY_ROWS", 0)
    monkeypatch.setattr(table_search, "_KEPT", kept)
    rng = np.random.default_rng(seed)
    codes = np.unique(rng.integers(0, 6, (120, 4)), axis=0)
    copies = rng.integers(1, 4, len(codes)) ** 4
    plain = KAnonymity(CodedTable(codes), 3, copies=copies.tolist())
    within = {"time_limit": 0.5, "workers": 1}
    for instance in (plain, plain.written_out):
        found = atleastk.solve(instance, **within)
        verdict = atleastk.check(instance, found)
        assert verdict.feasible
        assert found.bound <= verdict.cost == found.cost
        again = atleastk.solve(instance, start=found, **within)
        assert again.cost <= found.cost


def test_deals_are_groups_of_rows_and_back():
    instance = KAnonymity([*map(tuple, ("ab", "cd", "cb"))], 2, copies=[2, 3, 1])
    groups = Solution.of([[0, 5], [1, 2, 3, 4]])
    deals = completed(instance, groups)
    assert deals.deals == ((0, 0, 1), (2, 0, 1), (0, 1, 1), (1, 1, 3))
    assert completed(instance.written_out, deals) == groups
    assert check(instance, deals) == check(instance, groups)
    assert (suppressed(instance, deals) == suppressed(instance, groups)).all()
    assert deals.number_of_groups(instance) == 2
    assert DealtSolution.from_dict(deals.to_dict()) == deals


@pytest.mark.parametrize(
    ("deals", "words"),
    [
        ([(0, 0, 2), (1, 0, 2)], "2 copies of row 1, which has 3"),
        ([(0, 0, 2), (1, 0, 4)], "4 copies of row 1, which has 3"),
        ([(0, 0, 2), (2, 0, 3)], "expected rows from 0 to 1"),
        ([(0, 0, 2), (1, 0, 3), (1, 1, 0)], "copies of at least 1"),
        ([(0, 0, 2), (1, 1, 2), (1, 2, 1)], "group 2 has 1 records, below k = 2"),
    ],
)
def test_wrong_deals_are_told(deals, words):
    instance = KAnonymity([*map(tuple, ("ab", "cd"))], 2, copies=[2, 3])
    wrong = DealtSolution((), CodedTable(np.array(deals)))
    assert words in check(instance, wrong).violations[0]
    result = replace(atleastk.solve(instance), solution=wrong)
    assert not atleastk.check(instance, result).feasible
    document, found = (
        json.loads(json.dumps(each.to_dict())) for each in (instance, result)
    )
    with pytest.raises(second_checker.ERRORS):
        second_checker.check(document, found)


@pytest.mark.parametrize(
    ("kind", "table", "copies", "words"),
    [
        (KAnonymity, ["ab", "ab"], [1, 2], "copies: two rows of the table are equal"),
        (KAnonymity, ["ab"], [1, 2], "copies: 2 of them for 1 rows"),
        (KAmbiguity, ["ab"], [0], "copies"),
        (Suppression, ["ab"], [2], "copies: suppression has none"),
    ],
)
def test_copies_that_make_no_sense_are_refused(kind, table, copies, words):
    with pytest.raises(InvalidInstanceError, match=words):
        kind([*map(tuple, table)], 2, copies=copies)


def test_copies_beyond_what_models_of_doubles_hold():
    rows = [[0, 1], [1, 1], [2, 0]]
    few, many = (KAnonymity(rows, 3, copies=[n, 2, 2]) for n in (12, 2**30))
    found = [atleastk.solve(each, 20, workers=1) for each in (few, many)]
    assert [(one.status.name, one.cost) for one in found] == [("OPTIMAL", 8)] * 2
