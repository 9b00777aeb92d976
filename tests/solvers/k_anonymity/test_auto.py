from collections import Counter
from itertools import pairwise, takewhile

import numpy as np
import pytest
from drawing import random_anonymity
from searching import search_of

import atleastk
from atleastk import KAnonymity, Solution, Status, Stop, Trust
from atleastk.models.certificates.k_anonymity import check_certificate, is_checkable
from atleastk.models.k_anonymity import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.k_anonymity import auto as portfolio
from atleastk.solvers.k_anonymity.subset_dp import best_partition
from atleastk.solvers.tables import closed_patterns as listing
from atleastk.solvers.tables import leaders, stages, steps
from atleastk.solvers.tables.closed_patterns import closed_patterns
from tests.helpers.costs import least_cost

BEFORE_GROUPS = [*takewhile(lambda s: s.run != steps.Run.build_groups, stages.STAGES)]
"""What comes before the first groups of near rows."""


@pytest.fixture(autouse=True)
def _no_table_is_too_small(monkeypatch):
    monkeypatch.setattr(steps, "FEWEST_PAIRS", 0)


def clustered(n, m, k, seed=0, values=4):
    rng = np.random.default_rng(seed)
    centres = rng.integers(0, values, (n // 10, m))
    noise = rng.integers(0, values, (n, m))
    near = centres[rng.integers(n // 10, size=n)]
    return KAnonymity(np.where(rng.random((n, m)) < 0.85, near, noise).tolist(), k)


def solved(instance, budget=None, start=None, on_event=None):
    search = search_of(instance, budget, on_event)
    if start is not None:
        search.offer(start, "start")
    portfolio.solve(search)
    verify(search)
    return search


def verify(search):
    assert check(search.instance, search.solution).cost == search.cost
    assert 0 <= search.bound <= search.cost
    for earlier, later in pairwise(search.events):
        assert later.seconds >= earlier.seconds
        assert later.cost <= earlier.cost
        assert (later.bound or 0) >= (earlier.bound or 0)
        assert (later.cost, later.bound) != (earlier.cost, earlier.bound)
    if search.certificate is not None:
        assert is_checkable(search.instance.records)
        check_certificate(search.instance, search.certificate, search.bound)


@pytest.mark.parametrize("columns", [62, 63])
def test_columns_beyond_a_word(columns):
    table = [[0] * columns, [0] * (columns - 1) + [1], [2] * columns, [2] * columns]
    search = solved(KAnonymity(table, 2))
    assert (search.cost, search.bound) == (2, 2)


@pytest.mark.parametrize("seed", range(5))
def test_small_wide_tables_get_the_least_cost(seed):
    narrow = random_anonymity(seed, 9, least_columns=1)
    wide = KAnonymity([[*row, *[0] * 70] for row in narrow.table], narrow.k)
    search = solved(wide)
    assert search.cost == least_cost(narrow)
    assert search.closed


@pytest.mark.parametrize(
    ("source", "table", "k"),
    [
        ("at once: distances", ["00", "01", "55", "55", "55"], 2),
        ("opt-lb", ["200", "002", "210", "001", "110", "022"], 3),
    ],
)
def test_least_stars_certify_where_they_are_the_least_cost(source, table, k):
    search = solved(KAnonymity([*map(list, table)], k))
    assert search.closed
    assert (search.proved_by, search.certificate["kind"]) == (source, "weights")


@pytest.mark.parametrize("columns", [8, 70])
def test_the_first_bound_does_not_wait_for_groups(columns, monkeypatch):
    """Of 2,000 rows: it was 0 until groups of near rows were there."""
    monkeypatch.setattr(stages, "STAGES", BEFORE_GROUPS)
    table = np.random.default_rng(3).integers(0, 5, (2000, columns)).tolist()
    assert solved(KAnonymity(table, 3)).bound >= 2000


@pytest.mark.parametrize("seed", range(12))
def test_tables_of_next_to_no_pairs_are_minimised_at_once(seed, monkeypatch):
    monkeypatch.setattr(steps, "FEWEST_PAIRS", 1000)
    monkeypatch.setattr(stages, "STAGES", BEFORE_GROUPS)
    instance = random_anonymity(seed, least_columns=1)
    search = solved(instance)
    assert search.closed
    assert search.cost == least_cost(instance)
    by = search.proved_by.removeprefix("small model: ")
    assert by in ("first bounds", "at once: distances", "opt-lb", "patterns")
    if by in ("at once: distances", "opt-lb"):
        assert search.certificate is not None


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("pairs", [0, 10, 40])
def test_little_memory_leaves_valid_answers(seed, pairs):
    instance = random_anonymity(seed, least_columns=1)
    search = solved(instance, Budget.of(memory=48.0 * pairs))
    assert search.closed
    assert search.cost == least_cost(instance)


@pytest.fixture
def unled(monkeypatch):
    monkeypatch.setattr(leaders, "MOST_LED", -1)


@pytest.mark.usefixtures("unled")
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("pairs", [0, 10, 40])
def test_lists_cut_off_leave_valid_bounds(seed, pairs, monkeypatch):
    monkeypatch.setattr(listing, "MOST_PAIRS", pairs)
    instance = random_anonymity(seed, least_columns=1)
    search = solved(instance)
    assert search.bound <= least_cost(instance) <= search.cost


@pytest.mark.parametrize("seed", range(10))
def test_the_way_of_large_tables_leads_to_the_same(seed, monkeypatch):
    monkeypatch.setattr(steps, "_FEW_PAIRS", 0)
    instance = random_anonymity(seed, least_columns=1)
    search = solved(instance)
    assert search.closed
    assert search.cost == least_cost(instance)


def test_memory_limits_the_list(monkeypatch):
    asked = []

    def listed(records, k, most, budget):
        asked.append(most)
        return closed_patterns(records, k, most, budget)

    monkeypatch.setattr(steps, "closed_patterns", listed)
    instance = random_anonymity(1, least_columns=1)
    solved(instance, Budget.of(memory=4800.0))
    solved(instance, Budget.of(memory=0.0))
    solved(instance)
    assert asked == [100, 2 * instance.records.distinct, listing.MOST_PAIRS]


@pytest.mark.usefixtures("unled", "_measured_by_work")
def test_near_rows_help_where_lists_are_cut_off():
    instance = clustered(300, 20, 3)
    search = solved(instance, Budget.of(2.0, memory=48.0 * 2000))
    at_once = next(event.bound for event in search.events if event.bound)
    *_, near = (event for event in search.events if event.bound == at_once)
    forest = atleastk.approximate(instance, "approx-gr").cost
    assert near.cost <= forest
    assert search.cost <= forest
    assert search.bound > at_once


@pytest.mark.usefixtures("_measured_by_work")
def test_wide_tables_get_more_than_neighbours():
    search = solved(clustered(200, 100, 3), Budget.of(2.0))
    assert search.found_by == "near rows"
    assert search.proved_by in ("at once: distances", "bounds: distances")
    assert 0.3 < search.bound / search.cost < 1.0


def test_wide_tables_have_something_left_to_try_until_the_time_is_over():
    """They once ended after a fiftieth of the time."""
    result = atleastk.solve(clustered(400, 100, 5), time_limit=1.0, workers=1)
    assert result.stopped_because is Stop.TIME_LIMIT


@pytest.mark.usefixtures("_measured_by_work")
@pytest.mark.parametrize(
    ("n", "m"), [(1000, 8), (400, 100)], ids=["listed", "without a list"]
)
def test_a_time_limit_is_kept(n, m):
    result = atleastk.solve(clustered(n, m, 5), time_limit=0.6, workers=1)
    assert result.status is Status.FEASIBLE
    assert 0 < result.bound < result.cost


def test_no_time_leaves_a_solution():
    assert solved(clustered(1000, 8, 5), Budget.of(0.0)).cost is not None


@pytest.mark.parametrize("columns", [6, 9])
@pytest.mark.parametrize("news", [1, 3])
def test_stopped_in_the_middle(columns, news, patiently):
    budget, events = Budget(), []

    def stop(event):
        if event.bound:
            events.append(event)
        if len(events) == news:
            budget.stop.set()

    instance = clustered(1500, columns, 5)
    search = patiently(lambda: solved(instance, budget, on_event=stop))
    assert not search.closed
    assert len(events) >= news
    assert search.bound > 0


@pytest.mark.parametrize("seed", range(5))
def test_a_start_is_never_lost(seed):
    instance = random_anonymity(seed, least_columns=1)
    best = Solution.of(best_partition(instance, Budget()))
    search = solved(instance, start=best)
    assert search.found_by == "start"
    assert search.closed


@pytest.mark.usefixtures("_measured_by_work")
def test_annealing_begins_with_the_start():
    instance = clustered(1000, 8, 5)
    good = solved(instance, Budget.of(0.7))
    assert solved(instance, Budget.of(0.2), start=good.solution).cost <= good.cost


@pytest.mark.parametrize("seed", range(2))
def test_certified_where_the_bound_of_weights_is_the_least_cost(seed):
    instance = clustered(60, 4, 2, seed, values=3)
    result = atleastk.solve(instance, workers=1, certify=True)
    assert result.status is Status.OPTIMAL
    if result.certificate is None:
        assert result.trust is Trust.PROVED
    else:
        assert result.trust is Trust.CERTIFIED
    assert atleastk.check(instance, result).feasible


def test_rows_without_equals_bound_the_cost_before_any_search():
    rng = np.random.default_rng(0)
    table = [(i % 300, int(x)) for i, x in enumerate(rng.integers(0, 40, 3000))]
    equal = Counter(table)
    less = sum(many for many in equal.values() if many < 3)
    result = atleastk.solve(KAnonymity(table, 3), time_limit=1e-9, certify=False)
    assert result.bound >= less > 1000
    assert result.certified_bound in (None, result.bound)
