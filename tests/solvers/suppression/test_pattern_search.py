import random

import pytest
from searching import search_of

from atleastk.instances.suppression import Suppression
from atleastk.models.results.status import Status
from atleastk.solvers.backends.backend import Answer
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.brute_force.suppression import optimum
from atleastk.solvers.suppression.listing import Listing
from atleastk.solvers.suppression.pattern_search import (
    choices,
    column_counts,
    count_choices,
    fewest_rows,
    minimise_by_patterns,
)


def test_the_fewest_rows_are_those_of_a_problem_without_other_limits():
    rng = random.Random(1)
    met = 0
    for _ in range(60):
        table = [[rng.randrange(2) for _ in range(3)] for _ in range(4)]
        instance = Suppression(table, 2, minimise="rows", limits={"columns": 1})
        best = optimum(instance)
        bound = min(fewest_rows(instance, 1 << j) for j in range(3))
        assert bound <= best
        met += bound == best
    assert met > 40


def test_choices_are_those_within_the_limit_and_sorted():
    table = [[1, 1, 0], [2, 2, 0], [3, 3, 1], [4, 4, 1]]
    instance = Suppression(table, 2, minimise="entries", limits={"columns": 2})
    assert [*choices(instance, 2)] == [(0, 0b011), (4, 0b101), (4, 0b110)]
    limits = {"columns": 2, "rows": 3}
    limited = Suppression(table, 2, minimise="entries", limits=limits)
    assert [*choices(limited, 2)] == [(0, 0b011)]
    assert count_choices(limited) == 3
    fewest = Suppression(table, 2, minimise="columns", limits={"rows": 3})
    assert count_choices(fewest) == 8
    assert column_counts(fewest, 2) == range(2, 4)


@pytest.mark.parametrize("share", [1.0, 0.8])
def test_what_ends_a_little_early_is_asked_again(clock, share):
    """CP-SAT does, which was taken for one that gives up."""
    table = [[i % 3, i % 2, i // 4] for i in range(7)]
    limits = {"rows": 4, "columns": 1}
    instance = Suppression(table, 2, minimise="entries", limits=limits)
    search, asked = search_of(instance, seconds=100.0), []

    class Slow(Highs):
        def minimise(self, model, budget, **told):
            asked.append(budget.remaining)
            if len(asked) > 1:
                return super().minimise(model, budget, **told)
            clock.put_forward(share * budget.remaining)
            return Answer(Status.UNKNOWN, None, None, None, "slow")

    listing = Listing.of(instance, search.budget, 1000)
    minimise_by_patterns(search, listing, Slow(), "patterns")
    assert len(asked) > 1
    assert search.cost == search.bound == optimum(instance)
