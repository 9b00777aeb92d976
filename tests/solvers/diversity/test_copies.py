"""Rows with sensitive values and copies have the optimum of the rows written out."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest

import atleastk
from atleastk import Diversity, Hierarchy, InvalidInstanceError
from atleastk.models.diversity import check
from atleastk.models.generalization import GeneralizationSolution
from atleastk.solvers.brute_force.diversity import optimum
from scripts import second_checker

HALVES = [(v, v // 2 + 10, v // 4 + 20, "*") for v in range(4)]

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


def drawn(rng, rows=7):
    """Return a table by its rows, and by its distinct rows with copies."""
    m, n, columns = rng.randint(1, 2), rng.randint(2, rows), rng.randint(1, 2)
    on = rng.choice(("entries", "attributes"))
    table = [
        (
            tuple(rng.randrange(4) for _ in range(m)),
            tuple(rng.randrange(3) for _ in range(columns)),
        )
        for _ in range(n)
    ]
    counts = Counter(table)
    by_copies = Diversity(
        [cells for cells, _ in counts],
        rng.randint(1, 3),
        [Hierarchy(HALVES)] * m,
        on,
        sensitive=[secrets for _, secrets in counts],
        copies=list(counts.values()),
        suppress_rows=rng.choice((0, 0, 2)) if on == "attributes" else 0,
        **rng.choice(ASKED if on == "attributes" else ASKED[:4]),
    )
    return by_copies.written_out, by_copies


@pytest.mark.parametrize("seed", range(40))
def test_rows_and_copies_have_one_optimum(seed):
    by_rows, by_copies = drawn(random.Random(seed))
    assert len(by_rows.table) == len(by_rows.sensitive) == by_copies.n
    assert by_copies.least_rows == by_rows.least_rows
    one, two = atleastk.solve(by_rows), atleastk.solve(by_copies)
    assert (one.status, one.cost, one.bound) == (two.status, two.cost, two.bound)
    assert optimum(by_copies) == two.cost
    assert atleastk.check(by_copies, two).feasible
    document, found = (
        json.loads(json.dumps(each.to_dict())) for each in (by_copies, two)
    )
    assert second_checker.check(document, found) == (two.certificate is not None)
    assert atleastk.from_dict(document).sha256 == by_copies.sha256
    if two.cost is not None:
        assert two.number_of_groups == one.number_of_groups


@pytest.mark.parametrize("method", ["tagging", "pairs", "leaders", "patterns"])
def test_methods_take_copies(method):
    for on in ("entries", "attributes"):
        instance = Diversity(
            [[0], [1], [3]],
            2,
            [Hierarchy(HALVES)],
            on,
            sensitive=[["a"], ["b"], ["a"]],
            copies=[3, 1, 2],
            l=2,
        )
        if method in ("tagging", "pairs") == (on == "attributes"):
            found = atleastk.solve(instance, method=method)
            assert (found.status.name, found.cost) == ("OPTIMAL", optimum(instance))


def test_a_class_of_a_node_that_tells_a_value_is_named():
    instance = Diversity(
        [[0], [1]],
        1,
        [Hierarchy(HALVES)],
        "attributes",
        sensitive=[["a"], ["b"]],
        copies=[3, 2**31 - 3],
        l=2,
    )
    lowest = GeneralizationSolution((), ((0,),))
    assert check(instance, lowest).violations == (
        "group 0 has fewer than 2 different values in sensitive column 0",
        "group 1 has fewer than 2 different values in sensitive column 0",
    )
    few = replace(instance, copies=[3, 4])
    document, found = few.to_dict(), atleastk.solve(few).to_dict()
    found = {**json.loads(json.dumps(found)), "levels": [[0]]}
    with pytest.raises(second_checker.WrongError, match="tells a sensitive value"):
        second_checker.check(json.loads(json.dumps(document)), found)


def test_great_copies_leave_no_64_bits():
    """Sums of distances over ordered values, and powers of rows."""
    copies = [2**30, *[2**24] * 63]
    far = Diversity(
        [[0], *[[1]] * 63],
        1,
        [Hierarchy(HALVES)],
        "attributes",
        sensitive=[[v] for v in range(64)],
        copies=copies,
        ordered=True,
        t="1/5",
    )
    lowest = GeneralizationSolution((), ((0,),))
    assert "further than 1/5" in check(far, lowest).violations[0]
    asked = {"reading": "entropy", "l": 4}
    even = Diversity(
        [[0]] * 4,
        1,
        [Hierarchy(HALVES)],
        "attributes",
        sensitive=[[0], [1], [2], [3]],
        copies=[2**29] * 4,
        **asked,
    )
    assert check(even, lowest).feasible


def test_sensitive_values_are_those_of_the_table():
    with pytest.raises(InvalidInstanceError, match="sensitive: 3 of them for 1"):
        Diversity([[0]], 2, [Hierarchy(HALVES)], sensitive=[["a"]] * 3, copies=[3])
