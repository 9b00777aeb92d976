import random
from dataclasses import replace

import pytest

from atleastk import Generalization, Solution
from atleastk.instances.generators.generalization import trees
from atleastk.instances.hierarchies.hierarchy import Hierarchy, suppression_of
from atleastk.models.generalization import (
    GeneralizationSolution,
    check,
    classes_of,
    solution_of_groups,
    solution_of_levels,
)

PAIRS = [[0, 1], [2, 3]]
TREE = Hierarchy([["a", "x", "*"], ["b", "x", "*"], ["c", "y", "*"]])


def small(on="entries", loss="height", k=2):
    table = [["a", 1], ["b", 1], ["c", 2], ["c", 2]]
    return Generalization(table, k, [TREE, suppression_of([1, 2])], on, loss)


def test_least_levels_of_groups():
    solution = solution_of_groups(small(), [[2, 3], [1, 0]])
    assert (solution.groups, solution.levels) == (((0, 1), (2, 3)), ((1, 0), (0, 0)))
    assert check(small(), solution).cost == 2
    assert check(small(loss="precision"), solution).cost == 2
    whole = solution_of_groups(small(), [range(4)])
    assert whole.levels == ((2, 1),)
    assert check(small(), whole).cost == 12
    assert check(small(loss="precision"), whole).cost == 16


def test_rows_count_by_their_weights():
    weighed = replace(small(), row_weights=[5, 1, 7, 7])
    assert check(weighed, solution_of_groups(weighed, [[0, 1], [2, 3]])).cost == 6
    assert check(weighed, solution_of_groups(weighed, [range(4)])).cost == 60


def test_nodes_of_the_lattice():
    instance = small("attributes", "discernibility")
    assert classes_of(instance, (1, 0)).tolist() == [0, 0, 1, 1]
    solution = solution_of_levels(instance, (1, 0))
    assert solution == GeneralizationSolution(((0, 1), (2, 3)), ((1, 0),))
    assert check(instance, solution).cost == 8
    assert check(small("attributes", "average-class-size"), solution).cost == 2
    assert check(small("attributes"), solution).cost == 1
    assert check(small("attributes", "precision"), solution).cost == 1
    assert solution_of_groups(instance, [[0, 1], [2, 3]]) == solution


def test_a_grouping_alone_is_given_its_levels():
    groups = Solution.of([[0, 1], [2, 3]])
    assert check(small(), groups).cost == 2
    assert check(small("attributes"), groups).cost == 1


@pytest.mark.parametrize(
    ("on", "groups", "levels", "said"),
    [
        ("entries", PAIRS, [[0, 0], [0, 0]], "differ in column 0 at level 0"),
        ("entries", PAIRS, [[1, 0]], "expected 2 lists of levels, got 1"),
        ("entries", PAIRS, [[3, 0], [0, 0]], "expected 2 levels from 0 to"),
        ("entries", PAIRS, [[1], [0]], "expected 2 levels from 0 to"),
        ("entries", [[0, 1], [2]], [[1, 0], [0, 0]], "1 items are in no group"),
        ("entries", [[0], [1], [2, 3]], [[0, 0]] * 3, "1 rows, below k = 2"),
        ("attributes", PAIRS, [[0, 0]], "differ in column 0 at level 0"),
        ("attributes", PAIRS, [[1, 0]] * 2, "expected 1 lists of levels"),
    ],
)
def test_violations(on, groups, levels, said):
    held = tuple(map(tuple, groups)), tuple(map(tuple, levels))
    verdict = check(small(on), GeneralizationSolution(*held))
    assert not verdict.feasible
    assert said in verdict.violations[0]


def test_higher_levels_than_needed_are_paid():
    solution = GeneralizationSolution(((0, 1), (2, 3)), ((2, 1), (0, 0)))
    assert check(small(), solution).cost == 6


def test_least_levels_by_definition():
    rng = random.Random(5)
    for seed in range(30):
        instance = trees(seed, n=9, k=1)
        labels = [rng.randrange(3) for _ in range(9)]
        groups = [[i for i in range(9) if labels[i] == g] for g in set(labels)]
        solution = solution_of_groups(instance, groups)
        for group, levels in zip(solution.groups, solution.levels, strict=True):
            for j, level in enumerate(levels):
                chain_of = instance.hierarchies[j].chain_of
                chains = [chain_of[instance.table[i][j]] for i in group]
                assert len({chain[level] for chain in chains}) == 1
                assert not level or len({chain[level - 1] for chain in chains}) > 1


def suppressing(rows=2, loss="height"):
    """Rows a, a of x and c, c, c of y: at levels (0, 0) four classes."""
    table = [["a", 1], ["b", 1], ["c", 2], ["c", 2], ["c", 2]]
    pair = [TREE, suppression_of([1, 2])]
    return Generalization(table, 2, pair, "attributes", loss, suppress_rows=rows)


def test_the_fewest_rows_are_suppressed():
    solution = solution_of_levels(suppressing(), (0, 0))
    assert solution == GeneralizationSolution(((0, 1), (2, 3, 4)), ((0, 0),), (0, 1))
    assert check(suppressing(), solution).feasible
    assert check(suppressing(), solution).cost == 0
    assert check(suppressing(loss="discernibility"), solution).cost == 9 + 2 * 5
    assert check(suppressing(loss="average-class-size"), solution).cost == 5 - 1
    assert not solution_of_levels(suppressing(1), (0, 0)).suppressed_rows
    assert not solution_of_levels(suppressing(), (1, 0)).suppressed_rows
    assert GeneralizationSolution.from_dict(solution.to_dict()) == solution
    assert "suppressed_rows" not in solution_of_levels(suppressing(), (1, 0)).to_dict()
    assert [*solution.remarks(suppressing())][-1] == "suppressed  2 rows, 2 allowed"


@pytest.mark.parametrize(
    ("groups", "rows", "said"),
    [
        ([[0, 1], [2, 3, 4]], (0, 0), "suppressed_rows: expected rows of 0..4, each"),
        ([[0, 1], [2, 3, 4]], (0, 5), "suppressed_rows: expected rows of 0..4, each"),
        ([[0, 1], [2, 3, 4]], (0,), "group 0 has suppressed rows and row 1, which is"),
        ([[0, 1], [2, 3], [4]], (0, 1, 4), "group 2 has 1 rows, below k"),
        ([[0, 1, 4], [2, 3]], (0, 1, 4), "3 suppressed rows, above suppress_rows = 2"),
        ([[0, 1, 4], [2, 3]], (0, 1), "group 0 has suppressed rows and row 4, which"),
        ([[0, 1], [2, 3, 4]], (), "group 0 has rows that differ in column 0 at level"),
    ],
)
def test_violations_of_suppressed_rows(groups, rows, said):
    made = GeneralizationSolution(tuple(map(tuple, groups)), ((0, 0),), rows)
    verdict = check(suppressing(), made)
    assert not verdict.feasible
    assert said in verdict.violations[0]


def test_rows_that_look_suppressed_are_company():
    tree = Hierarchy([["a", "x", "*"], ["c", "y", "*"], ["?", "*", "*"]])
    table = [["?"], ["a"], ["c"], ["c"]]
    instance = Generalization(table, 2, [tree], "attributes", suppress_rows=1)
    assert [levels.tolist() for levels in instance.top_from] == [[1, 2, 2]]
    solution = solution_of_levels(instance, (1,))
    assert solution == GeneralizationSolution(((0, 1), (2, 3)), ((1,),), (1,))
    assert check(instance, solution).feasible
