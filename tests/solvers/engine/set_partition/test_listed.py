import random

import numpy as np
import pytest
from engine_pairs import Pairs

from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.set_partition import listed as module
from atleastk.solvers.engine.set_partition.groups import Groups
from atleastk.solvers.engine.set_partition.listed import ListedChoice
from atleastk.solvers.engine.set_partition.oracle import Frame, scale_for


def choice_of(pairs, on_bound):
    """Return the choice among all groups of a few items."""
    above = int(pairs.costs.sum()) + 1
    demand = np.ones(pairs.n, dtype=np.int64)
    scale = scale_for(pairs.n, above)
    frame = Frame(demand, scale, above, pairs.fewest, pairs.most, pairs.left_out)
    groups = Groups.listed(pairs.n, list(pairs.groups), list(pairs.groups.values()))
    triples = np.zeros((0, 3), dtype=np.int64)
    return above, ListedChoice(
        frame, groups, triples, above, above, lambda _: None, on_bound
    )


@pytest.mark.parametrize("long", [0, module.LONG])
@pytest.mark.parametrize("seed", range(10))
def test_long_lists_are_decided_too(seed, long, monkeypatch):
    """They are branched on first, and the long by nothing else at the start."""
    monkeypatch.setattr(module, "LONG", long)
    pairs, bounds = Pairs(random.Random(seed)), []
    above, choice = choice_of(pairs, bounds.append)
    assert choice.decide(Budget())
    expected = pairs.optimum()
    assert max(bounds) == (above if expected is None else expected)


def test_who_is_asked_last_has_a_share_of_what_is_left(clock, monkeypatch):
    """The share of HiGHS began with the turn: branching before it took all of it."""
    _, choice = choice_of(Pairs(random.Random(0)), lambda _: None)
    given = []

    def branch(_budget, _turn):
        clock.put_forward(50)
        return False

    def minimise(part, _options):
        given.append(part.remaining)
        return True

    monkeypatch.setattr(choice, "_branch", branch)
    monkeypatch.setattr(choice, "_minimise", minimise)
    assert choice.decide(Budget.of(100))
    assert given == [pytest.approx(10)]
