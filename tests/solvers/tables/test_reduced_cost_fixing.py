import numpy as np
import pytest
from patience import PATIENCE

from atleastk import KAnonymity, WrongAnswerError
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity.subset_dp import best_partition
from atleastk.solvers.tables import reduced_cost_fixing
from atleastk.solvers.tables.assignment import Assignment
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.reduced_cost_fixing import close_gap


def start_of(records):
    return Assignment.of_rows(records, np.zeros(records.n, dtype=np.int64))


@pytest.mark.parametrize("seed", range(20))
def test_small_tables_are_closed(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 5))
    n, m = int(rng.integers(k, 14)), int(rng.integers(1, 5))
    instance = KAnonymity(rng.integers(0, 3, (n, m)).tolist(), k)
    records, costs, bounds = instance.records, [], []
    best = Assignment.of_groups(records, best_partition(instance, Budget.of()))
    known = close_gap(
        closed_patterns(records, k),
        records,
        k,
        start_of(records),
        Budget.of(workers=int(rng.choice([1, 1, 1, 2]))),
        on_assignment=lambda found: costs.append(found.cost(records)),
        on_bound=bounds.append,
    )
    assert known.closed
    assert known.cost == known.bound == best.cost(records)
    assert known.assignment.is_valid(records, k)
    assert known.assignment.cost(records) == known.cost
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)


def test_forty_random_records_are_closed():
    rng = np.random.default_rng(3)
    records = KAnonymity(rng.integers(0, 3, (40, 5)).tolist(), 3).records
    patterns = closed_patterns(records, 3)
    known = close_gap(patterns, records, 3, start_of(records), Budget())
    assert known.closed
    assert known.assignment.is_valid(records, 3)


def test_without_time_the_start_is_returned():
    rng = np.random.default_rng(3)
    records = KAnonymity(rng.integers(0, 3, (40, 5)).tolist(), 3).records
    start = start_of(records)
    known = close_gap(closed_patterns(records, 3), records, 3, start, Budget.of(0.0))
    assert known.assignment is start
    assert known.bound < known.cost


def test_a_contradiction_ends_its_rival(monkeypatch):
    runs = []

    def raise_limits(*arguments):
        runs.append(arguments[-1])
        if len(runs) > 1:
            assert arguments[-1].stop.wait(PATIENCE)

    def lie(*_):
        raise WrongAnswerError("a lie")

    monkeypatch.setattr(reduced_cost_fixing, "_raise_limits", raise_limits)
    monkeypatch.setattr(reduced_cost_fixing, "_run", lie)
    rng = np.random.default_rng(3)
    records = KAnonymity(rng.integers(0, 3, (40, 5)).tolist(), 3).records
    patterns, start = closed_patterns(records, 3), start_of(records)
    with pytest.raises(WrongAnswerError, match="a lie"):
        close_gap(patterns, records, 3, start, Budget.of(workers=2))
    assert [budget.workers for budget in runs] == [2, 2]
