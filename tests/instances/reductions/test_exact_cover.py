"""X3C into e-SUP, r'-SUP, c-DEL and c'-SUP: every triple system of six elements."""

from itertools import combinations
from random import Random

import pytest

from atleastk import InvalidInstanceError, Suppression
from atleastk.instances.reductions.exact_cover import (
    REDUCTIONS,
    ExactCover,
    cyclic_table,
    to_column_deletion,
)
from atleastk.models.suppression import check, solution_of_groups
from atleastk.solvers.brute_force.bin_covering import partitions
from atleastk.solvers.brute_force.combinatorial import exact_covers

TRIPLES = list(combinations(range(6), 3))
PARTITIONS = [groups for groups in partitions(6) if min(map(len, groups)) >= 3]


def problems():
    rng = Random(0)
    for size in (1, 2, 3):
        for chosen in combinations(TRIPLES, size):
            if (0, 1, 2) in chosen:
                yield ExactCover(6, chosen)
    for _ in range(40):
        yield ExactCover(6, rng.sample(TRIPLES, rng.randint(4, 12)))


def solutions(problem, instance):
    copies = instance.n // 6
    for groups in PARTITIONS:
        repeated = [
            [6 * s + i for i in group] for s in range(copies) for group in groups
        ]
        yield solution_of_groups(instance, repeated)


@pytest.mark.parametrize("reduction", REDUCTIONS, ids=lambda r: r.target)
def test_yes_iff_yes(reduction):
    answers = []
    for problem in problems():
        if not reduction.applies(problem):
            continue
        instance = reduction.forward(problem)
        covers = set(exact_covers(problem.sets, problem.elements))
        found = set()
        for solution in solutions(problem, instance):
            back = reduction.back(problem, solution.suppressed)
            assert (back is not None) == check(instance, solution).feasible
            found |= set() if back is None else {back}
        assert found == covers
        answers.append(bool(covers))
    assert 20 < sum(answers) < len(answers) - 20


def test_copies_share_no_symbol():
    """Copy s is the first one shifted by s; in a column no two copies agree."""
    problem = ExactCover(6, [(0, 1, 2), (3, 4, 5), (1, 2, 3)])
    table = cyclic_table(problem)
    assert len(table) == 18
    assert [table[i][0] for i in range(6)] == ["0.0", "0.0", "0.0", "0.4", "0.5", "0.6"]
    for j in range(3):
        symbols = [{table[6 * s + i][j] for i in range(6)} for s in range(3)]
        assert all(not a & b for a, b in combinations(symbols, 2))
        zeros = [
            sum(table[6 * s + i][j] == f"{s}.0" for i in range(6)) for s in range(3)
        ]
        assert zeros == [3, 3, 3]


def test_repeated_triples_would_answer_yes():
    """Which is why they are refused: 012, 012, 034 do not cover 345."""
    triples = [{0, 1, 2}, {0, 1, 2}, {0, 3, 4}]
    table = [[0 if i in triple else i + 1 for triple in triples] for i in range(6)]
    instance = Suppression.named("e-SUP", table, 3, {"entries": 6 * 2})
    assert check(
        instance, solution_of_groups(instance, [[0, 1, 2], [3, 4, 5]])
    ).feasible


def test_too_few_triples_to_delete_columns():
    """The limit of c-DEL would be negative."""
    with pytest.raises(InvalidInstanceError, match="needs 2 or more"):
        to_column_deletion(ExactCover(6, [(0, 1, 2)]))
