"""Distinct rows with copies have the optimum of the rows that they stand for."""

import json
import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from copied import with_copies
from verdicts import proved_twice

import atleastk
from atleastk import (
    Diversity,
    Generalization,
    Hierarchy,
    InvalidInstanceError,
    KAnonymity,
    NotApplicableError,
    Solution,
)
from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.generalization import LOSSES
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.models import generalization
from atleastk.models.deals import DealtSolution
from atleastk.models.generalization import GeneralizationSolution
from atleastk.models.k_anonymity import check, completed, suppressed
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.tables import table_search
from scripts import second_checker

HALVES = Hierarchy([(v, v // 2 + 10, v // 4 + 20, "*") for v in range(6)])
LOWEST = GeneralizationSolution((), ((0,),))
WRITTEN = KAnonymity([*map(tuple, ("ab", "cd", "cb"))], 2, copies=[2, 3, 1])

ASKED = (
    {"l": 2},
    {"l": 2, "reading": "frequency"},
    {"t": "1/3"},
    {"l": 2, "t": "1/2"},
    {"l": 2, "reading": "entropy"},
    {"l": 2, "c": 2, "reading": "recursive"},
    {"t": "1/3", "ordered": True},
)
"""What is asked of classes; the last three on attributes only."""


def written(document):
    return json.loads(json.dumps(document.to_dict()))


def drawn(problem, rng, rows):
    """Return a table by its rows, and by its distinct rows with copies."""
    m, n, k = rng.randint(1, 3), rng.randint(1, rows), rng.randint(1, 4)
    table = [tuple(rng.randrange(4) for _ in range(m)) for _ in range(n)]
    wish = {}
    if problem in ("generalization", "diversity"):
        on = rng.choice(("entries", "attributes"))
        wish = {"hierarchies": [HALVES] * m, "on": on}
        if on == "attributes" or problem == "generalization":
            wish["suppress_rows"] = rng.choice((0, 0, 2))
    if problem == "generalization":
        wish["loss"] = rng.choice(LOSSES if on == "attributes" else LOSSES[:2])
        if on == "entries" and rng.random() < 0.5:
            wish["row_weights"] = [rng.randint(1, 2) for _ in range(n)]
        if not wish["suppress_rows"] and rng.random() < 0.3:
            wish["levels"] = [sorted(rng.choices(range(4), k=2)) for _ in range(m)]
    if problem == "diversity":
        secrets = [[rng.randrange(3) for _ in range(m)] for _ in range(n)]
        wish |= rng.choice(ASKED if on == "attributes" else ASKED[:4])
        wish["sensitive"] = secrets
    by_rows = PROBLEMS[problem].instance(table, k, **wish)
    return by_rows, with_copies(by_rows)


SWEPT = [
    pytest.param("k-ambiguity", seed, marks=pytest.mark.sweep)
    for seed in range(25, 325)
]
COPIED = ("k-anonymity", "k-ambiguity", "generalization", "diversity")


@pytest.mark.parametrize(("problem", "seed"), [*product(COPIED, range(25)), *SWEPT])
def test_rows_and_copies_have_one_optimum(problem, seed):
    rng = random.Random(seed)
    by_rows, by_copies = drawn(problem, rng, 4 if problem == "k-ambiguity" else 7)
    assert by_copies.n == by_rows.n
    assert sorted(by_copies.written_out.table) == sorted(by_rows.table)
    one, two = (
        atleastk.solve(each, certify=True, workers=1) for each in (by_rows, by_copies)
    )
    assert (one.status, one.cost, one.bound) == (two.status, two.cost, two.bound)
    best = PROBLEMS[problem].optimum(by_copies)
    assert two.cost == (best[0] if isinstance(best, tuple) else best)
    whole = two.certificate is not None and two.certified_bound is None
    assert proved_twice(by_copies, two) == whole
    again = atleastk.from_dict(by_copies.to_dict())
    assert (again, again.sha256) == (by_copies, by_copies.sha256)
    if problem == "k-ambiguity":
        assert one.certificate == two.certificate
    if two.cost is not None:
        assert two.number_of_groups == one.number_of_groups == len(one.groups)


@pytest.mark.parametrize("problem", COPIED)
def test_every_method_takes_copies(problem):
    taken = set()
    for seed in range(12):
        _, by_copies = drawn(problem, random.Random(seed), 5)
        best = atleastk.solve(by_copies).cost
        for method in atleastk.methods(problem):
            try:
                found = atleastk.solve(by_copies, method=method.name)
            except NotApplicableError:
                continue
            taken.add(method.name)
            assert found.cost == best, (method.name, by_copies.to_dict())
            assert atleastk.check(by_copies, found).feasible
    assert taken == {method.name for method in atleastk.methods(problem)}


def nodes_of_copies(seed=7):
    """Return many rows of generalisation on attributes, by copies."""
    rng = random.Random(seed)
    table = [[rng.randrange(6) for _ in range(2)] for _ in range(40)]
    wish = {"suppress_rows": 4, "loss": rng.choice(LOSSES)}
    by_rows = Generalization(table, 3, [HALVES] * 2, "attributes", **wish)
    return by_rows, with_copies(by_rows)


@pytest.mark.parametrize("seed", range(12))
def test_nodes_of_copies_are_nodes_of_rows(seed):
    by_rows, by_copies = nodes_of_copies(seed)
    one, two = atleastk.solve(by_rows), atleastk.solve(by_copies)
    assert (one.cost, one.certificate) == (two.cost, two.certificate)
    assert one.solution.levels == two.solution.levels
    assert f"  groups  {len(one.groups)}" in str(two).splitlines()
    assert "groups" not in str(replace(two, instance=None))
    found = {**written(two), "levels": [[0, 0]]}
    lowest = GeneralizationSolution((), ((0, 0),))
    if generalization.check(by_copies, lowest).violations:
        with pytest.raises(second_checker.WrongError):
            second_checker.check(written(by_copies), found)


def test_solutions_of_copies_name_no_rows():
    _, by_copies = nodes_of_copies()
    tops = (by_copies.heights,)
    assert generalization.check(by_copies, GeneralizationSolution((), tops)).feasible
    groups = GeneralizationSolution(((0,),), tops)
    assert generalization.check(by_copies, groups).violations == (
        "groups: with copies a solution has levels only",
    )
    named = GeneralizationSolution((), tops, (0,))
    assert not generalization.check(by_copies, named).feasible


def test_equal_rows_add_up():
    _, by_copies = nodes_of_copies()
    table, copies = by_copies.table * 2, by_copies.copies * 2
    twice = replace(by_copies, table=table, copies=copies)
    assert twice.records.distinct == by_copies.records.distinct
    assert (twice.records.copies == 2 * by_copies.records.copies).all()


@pytest.mark.parametrize("kept", [1, 3])
@pytest.mark.parametrize("seed", range(2))
def test_moves_of_some_copies_are_of_the_whole_table(seed, kept, monkeypatch):
    """Costs and bounds hold for all copies, however many of them are moved."""
    monkeypatch.setattr(table_search, "_MANY_ROWS", 0)
    monkeypatch.setattr(table_search, "_KEPT", kept)
    rng = np.random.default_rng(seed)
    codes = np.unique(rng.integers(0, 6, (120, 4)), axis=0)
    copies = rng.integers(1, 4, len(codes)) ** 4
    given, table = copies.tolist(), CodedTable(codes)
    plain = KAnonymity(table, 3, copies=given)
    for instance in (plain, plain.written_out):
        expect_moved_rightly(instance)
    hidden = [suppression_of(range(6))] * 4
    for asked in ASKED[:4]:
        values = rng.integers(0, 3, (len(codes), 2)).tolist()
        wish = {"sensitive": values, "copies": given, **asked}
        expect_moved_rightly(Diversity(table, 3, hidden, **wish))


def expect_moved_rightly(instance):
    """Check what is found in a moment, and that it is no worse to begin with it."""
    within = {"time_limit": 0.3, "workers": 1}
    found = atleastk.solve(instance, **within)
    verdict = atleastk.check(instance, found)
    assert verdict.feasible
    assert found.bound <= verdict.cost == found.cost
    again = atleastk.solve(instance, start=found, **within)
    assert again.cost <= found.cost


def test_deals_are_groups_of_rows_and_back():
    groups = Solution.of([[0, 5], [1, 2, 3, 4]])
    deals = completed(WRITTEN, groups)
    assert deals.deals == ((0, 0, 1), (2, 0, 1), (0, 1, 1), (1, 1, 3))
    assert deals.written_out(WRITTEN) == groups
    assert check(WRITTEN, deals) == check(WRITTEN, groups)
    assert (suppressed(WRITTEN, deals) == suppressed(WRITTEN, groups)).all()
    assert deals.number_of_groups(WRITTEN) == 2
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
    with pytest.raises(second_checker.ERRORS):
        second_checker.check(written(instance), written(result))


def secret(table, values, copies, **asked):
    """Return diversity on attributes of one column."""
    sensitive = [[value] for value in values]
    wish = {"sensitive": sensitive, "copies": copies, **asked}
    return Diversity(table, 1, [HALVES], "attributes", **wish)


def test_a_class_of_a_node_that_tells_a_value_is_named():
    told = "fewer than 2 different values in sensitive column 0"
    instance = secret([[0], [1]], "ab", [3, 2**31 - 3], l=2)
    verdict = atleastk.check(instance, LOWEST)
    assert verdict.violations == tuple(f"group {i} has {told}" for i in (0, 1))
    few = replace(instance, copies=[3, 4])
    found = {**written(atleastk.solve(few)), "levels": [[0]]}
    with pytest.raises(second_checker.WrongError, match="tells a sensitive value"):
        second_checker.check(written(few), found)


def test_great_copies_leave_no_64_bits():
    """Sums of distances over ordered values, and powers of rows."""
    copies = [2**30, *[2**24] * 63]
    table = [[0], *[[1]] * 63]
    far = secret(table, range(64), copies, ordered=True, t="1/5")
    assert "further than 1/5" in atleastk.check(far, LOWEST).violations[0]
    even = secret([[0]] * 4, range(4), [2**29] * 4, reading="entropy", l=4)
    assert atleastk.check(even, LOWEST).feasible


def test_copies_beyond_what_models_of_doubles_hold():
    rows = [[0, 1], [1, 1], [2, 0]]
    few, many = (KAnonymity(rows, 3, copies=[n, 2, 2]) for n in (12, 2**30))
    found = [atleastk.solve(each, 20, workers=1) for each in (few, many)]
    assert [(one.status.name, one.cost) for one in found] == [("OPTIMAL", 8)] * 2


def test_more_copies_than_can_be_written_out_are_refused():
    many = KAnonymity([[0], [1]], 3, copies=[2**30, 5])
    with pytest.raises(InvalidInstanceError, match=r"rows are too many to be written"):
        _ = many.written_out
