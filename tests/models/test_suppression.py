import itertools
import random

import numpy as np
import pytest
from costs import cost_of

from atleastk import Result, Solution, Suppression
from atleastk.models.suppression import (
    SuppressionSolution,
    check,
    mask_of,
    measures,
    region_of,
    solution_of_mask,
)

TABLE = [["a", 1, "x"], ["a", 1, "y"], ["b", 1, "y"], ["b", 1, "y"]]


def solution(cells, groups=((0, 1), (2, 3)), columns=()):
    return SuppressionSolution(groups, tuple(sorted(cells)), tuple(columns))


def masked(*rows):
    return np.array([[cell == "*" for cell in row] for row in rows])


def test_costs_by_hand():
    found = solution([(0, 2), (1, 2)])
    for quantity, cost in {
        "entries": 2,
        "rows": 2,
        "columns": 1,
        "per_row": 1,
        "per_column": 2,
        "none": 0,
        "k": -2,
    }.items():
        assert cost_of(Suppression(TABLE, 2, minimise=quantity), found) == cost


def test_groups_alone_suppress_what_they_differ_on():
    groups = Solution.of([[0, 1], [2, 3]])
    assert check(Suppression(TABLE, 2), groups).cost == 2
    rows = Suppression(TABLE, 2, minimise="rows", deletion=True)
    assert check(rows, groups).cost == 2
    columns = Suppression(TABLE, 2, minimise="columns", deletion=True)
    assert check(columns, groups).cost == 1
    entries = Suppression(
        TABLE, 2, minimise="entries", limits={"columns": 1}, deletion=True
    )
    assert check(entries, groups).cost == 4


def test_a_region_of_rows_and_columns_is_their_union():
    """Cells outside the region's columns make a row one of its rows."""
    hidden = masked("*..", "*..", "*.*", "*.*")
    instance = Suppression(TABLE, 1, minimise="rows", limits={"columns": 1})
    assert region_of(instance, hidden) == (0,)
    found = solution_of_mask(instance, hidden)
    assert measures(instance, found)["rows"] == 2
    assert check(instance, found).cost == 2
    assert check(instance, solution_of_mask(instance, hidden, columns=[2])).cost == 4
    fewest = Suppression(TABLE, 1, minimise="columns", limits={"rows": 2})
    assert check(fewest, solution_of_mask(fewest, hidden)).cost == 1
    none = Suppression(TABLE, 1, minimise="columns", limits={"rows": 4})
    assert check(none, solution_of_mask(none, hidden)).cost == 0


def test_regions_are_chosen_best():
    rng = random.Random(3)
    for _ in range(200):
        n, m = rng.randint(1, 5), rng.randint(1, 4)
        table = [[0] * m for _ in range(n)]
        hidden = np.array([[rng.random() < 0.4 for _ in range(m)] for _ in range(n)])
        limit = rng.randint(0, m)
        instance = Suppression(table, 1, minimise="rows", limits={"columns": limit})
        found = solution_of_mask(instance, hidden)
        least = min(
            sum(any(row[j] for j in range(m) if j not in chosen) for row in hidden)
            for size in range(limit + 1)
            for chosen in itertools.combinations(range(m), size)
        )
        assert measures(instance, found)["rows"] == least
        assert measures(instance, found)["columns"] <= limit


def test_masks_and_back():
    instance = Suppression(TABLE, 2)
    hidden = masked("..*", "..*", "...", "...")
    found = solution_of_mask(instance, hidden)
    assert found.groups == ((0, 1), (2, 3))
    assert (mask_of(instance, found) == hidden).all()
    everything = solution_of_mask(instance, masked("***", "***", "***", "***"))
    assert everything.groups == ((0, 1, 2, 3),)


ONE_COLUMN = solution([(0, 2), (1, 2)])
DELETED = {"deletion": True, "minimise": "columns"}
BY_COLUMNS = {"column_order": [[2], [0, 1]]}
BY_ROWS = {"row_order": [[0], [1, 2, 3]]}


@pytest.mark.parametrize(
    ("fields", "found", "violation"),
    [
        ({}, solution([]), "group 0 has rows that do not look the same"),
        ({}, solution([(0, 2)]), "group 0 has rows that do not look the same"),
        ({"k": 3}, ONE_COLUMN, "group 0 has 2 rows, below k = 3"),
        ({"limits": {"rows": 1}}, ONE_COLUMN, "rows: 2, above the"),
        (BY_COLUMNS, ONE_COLUMN, "column_order: a column of class 0 has more"),
        (BY_ROWS, ONE_COLUMN, "row_order: a row of class 0 has more"),
        ({"intact": [2]}, ONE_COLUMN, "column 2 is to stay intact"),
        (DELETED, ONE_COLUMN, "deletion: 2 cells of the region are not suppressed"),
        ({}, solution([(4, 0)]), "suppressed: the table of 4 x 3 has no cell"),
        ({}, solution([], columns=[3]), "region_columns: the table has no column 3"),
    ],
)
def test_violations_are_named(fields, found, violation):
    verdict = check(Suppression(TABLE, **{"k": 2, **fields}), found)
    assert not verdict.feasible
    assert violation in verdict.violations[0]


def test_what_is_no_partition_has_no_cost():
    instance = Suppression(TABLE, 2)
    assert check(instance, Solution.of([[0, 1]])).cost is None
    assert check(instance, solution([(0, 9)])).cost is None


def test_an_empty_table_costs_nothing():
    for quantity in ("entries", "rows", "columns", "per_row", "per_column", "none"):
        assert cost_of(Suppression([], 2, minimise=quantity), Solution(())) == 0


def test_gaps_of_negative_costs_are_shares_of_their_size():
    """Maximising k: -3 where -4 is not excluded."""
    groups = {"problem": "suppression", "groups": [[0]], "instance_sha256": ""}
    open_one = {**groups, "status": "FEASIBLE", "cost": -3, "bound": -4}
    assert Result.from_dict(open_one).gap == pytest.approx(1 / 3)
