from itertools import islice, pairwise

import numpy as np
import pytest
from searching import search_of

from atleastk import KAnonymity, Solution
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.stages import lengths
from atleastk.solvers.k_anonymity.auto import run_of
from atleastk.solvers.tables import annealing
from atleastk.solvers.tables import steps as steps_module
from atleastk.solvers.tables.closed_patterns import closed_patterns
from atleastk.solvers.tables.dual_ascent import Ascent, improve
from atleastk.solvers.tables.stages import run_rounds
from tests.helpers.listed import listed_table


def table(n=60, m=5, k=3, seed=1):
    return KAnonymity(np.random.default_rng(seed).integers(0, 3, (n, m)).tolist(), k)


def begun(instance, budget):
    """Return a search that has one group, and its table, all patterns listed."""
    search = search_of(instance, budget)
    search.offer(Solution.of([range(instance.n)]), "start")
    made = run_of(search)
    made.patterns = closed_patterns(instance.records, instance.k)
    return search, made


@pytest.fixture
def steps(clock, monkeypatch):
    """Record the seconds of every stage; it uses them up and gains nothing."""
    noted = []

    def stage(name, budget, found):
        seconds = budget.remaining
        noted.append((name, round(clock.now - 1000.0, 3), round(seconds, 3)))
        clock.put_forward(seconds)
        return found

    def annealed(_table, budget, start, **_):
        return stage("annealing", budget, start)

    def rearranged(_table, start, _multipliers, budget, **_):
        return stage("sub-tables", budget, start)

    def climbed(_self, budget, _on_bound=None):
        stage("ascent", budget, None)

    monkeypatch.setattr(annealing, "improve", annealed)
    monkeypatch.setattr(steps_module, "reoptimise", rearranged)
    monkeypatch.setattr(Ascent, "climb", climbed)
    monkeypatch.setattr(steps_module, "_FEW_PAIRS", 0)
    monkeypatch.setattr(steps_module, "MOST_BRANCHED", 0)
    return noted


def run(seconds, clock, steps):
    clock.now = 1000.0
    steps.clear()
    _, made = begun(table(), Budget.of(seconds))
    run_rounds(made, made.search.budget)
    return list(steps)


def test_at_first_a_longer_limit_does_what_a_shorter_one_does(clock, steps):
    """An ascent of one second once began only after half of the limit."""
    short, long = (run(seconds, clock, steps) for seconds in (30.0, 600.0))
    same = [each for each in short if each[1] < 12.0]
    assert len(same) == 6
    assert [each for each in long if each[1] < 12.0] == same
    assert {name for name, *_ in same} == {"annealing", "ascent", "sub-tables"}


def test_every_stage_has_its_turn_and_yields(clock, steps):
    for _, began, seconds in run(600.0, clock, steps):
        assert seconds <= 4.0 + 2.0 * began


def test_without_a_limit_there_is_one_round():
    assert list(islice(lengths(lambda: float("inf")), 1)) == [float("inf")]
    search, made = begun(table(), Budget())
    run_rounds(made, search.budget)
    assert search.closed


@pytest.mark.parametrize(
    ("few", "seconds_per_row", "share"),
    [(0, 0.1, 0.7), (10**9, 0.1, 0.875), (0, 0.12, 0.8)],
)
def test_an_ascent_that_is_over_leaves_its_share_to_others(
    clock, steps, monkeypatch, few, seconds_per_row, share
):
    """Of a round of 9 s; 60 rows are annealed for 6 or 7.2 s at least."""
    climb = Ascent.climb

    def climbed_to_the_end(self, budget, _on_bound=None):
        climb(self, budget)
        self.over = True

    monkeypatch.setattr(Ascent, "climb", climbed_to_the_end)
    monkeypatch.setattr(steps_module, "_FEW_PAIRS", few)
    monkeypatch.setattr(steps_module, "_SECONDS_PER_ROW", seconds_per_row)
    taken = run(30.0, clock, steps)
    assert "ascent" not in [name for name, *_ in taken[1:]]
    second = [name for name, *_ in taken].index("annealing", 2)
    (_, began, annealed), (then, ended, _) = taken[second : second + 2]
    assert then == "sub-tables"
    assert began + annealed == pytest.approx(ended)
    assert annealed == pytest.approx(share * 9.0, abs=0.1)


def test_time_is_short_for_many_rows_of_few_workers(monkeypatch):
    """With a condition no sub-tables wait for an end of annealing."""
    monkeypatch.setattr(steps_module, "_SECONDS_PER_ROW", 0.01)
    for workers, share in ((1, 0.6), (2, 0.3)):
        _, made = begun(table(), Budget.of(10.0, workers=workers))
        made.seconds = 1.0
        assert made.short == pytest.approx(share)
        made.asked = object()
        assert made.short == 0.0


def test_sub_tables_wait_until_rows_are_annealed(clock, steps, monkeypatch):
    """All of Adult in decades, 3 s: annealing alone ends 0.5 % lower."""
    monkeypatch.setattr(steps_module, "_SECONDS_PER_ROW", 0.1)
    taken = run(16.0, clock, steps)
    long = [(name, began) for name, began, seconds in taken if seconds > 0.1]
    assert [name for name, began in long if began < 3.0] == ["ascent", "annealing"]
    assert "sub-tables" in [name for name, _ in long]


def test_sub_tables_are_not_chosen_for_most_of_their_time(monkeypatch):
    """Of Census-income that takes 2 s, and a limit of 3 s was missed by half of it."""
    given = []
    monkeypatch.setattr(
        steps_module, "reoptimise", lambda *parts, **_: given.append(parts) or parts[1]
    )
    _, made = begun(table(), Budget())
    made.ascend(Budget())
    monkeypatch.setattr(
        steps_module, "_SECONDS_PER_PAIR", 1.0 / made.listed.patterns.pairs
    )
    made.rearrange_sub_tables(Budget.of(3.9))
    assert not given
    made.rearrange_sub_tables(Budget.of(10.0))
    assert given


def test_annealing_is_given_patterns_whose_groups_lose_little(monkeypatch):
    """The whole list comes before weights are known, after a fruitless run of others,
    and where time is too short to choose."""
    given = []

    def annealed(table, _budget, start, **_):
        given.append(table)
        return start

    monkeypatch.setattr(annealing, "improve", annealed)
    _, made = begun(table(n=300, m=6, k=4), Budget())
    made.anneal(Budget())
    made.ascend(Budget())
    made.anneal(Budget())
    made.anneal(Budget())
    made.anneal(Budget.of(0.0))
    whole, few, again, late = (each.patterns for each in given)
    assert whole is again is late is made.patterns
    assert few.support.max() == 300
    # Every group of a pattern that is left out has a row that loses 0.4 cells or more.
    assert 0 < few.count < whole.count
    weights, scale = made.proved.weights, made.proved.scale
    kept = {(int(p), few.matching(i).tobytes()) for i, p in enumerate(few.kept)}
    for p in range(whole.count):
        members = whole.matching(p)
        if (int(whole.kept[p]), members.tobytes()) in kept:
            continue
        copies = made.records.copies[members]
        best = np.sort(np.repeat(weights[members], copies))[::-1][:4]
        assert 4 * int(whole.stars[p]) * scale - int(best.sum()) > 0.4 * 4 * scale


@pytest.mark.parametrize(
    ("cost", "few", "closes"),
    [(5_000, 0, True), (5_400, 0, False), (5_090, 10**9, True), (5_400, 10**9, False)],
)
def test_only_a_gap_that_promises_it_is_closed(cost, few, closes, monkeypatch):
    """Tables of some 10^5 pairs were closed at any gap, until the limit."""
    search, made = begun(table(), Budget.of(1000.0))
    monkeypatch.setattr(steps_module, "_FEW_PAIRS", few)
    monkeypatch.setattr(steps_module, "MOST_BRANCHED", 0)
    closed = []
    monkeypatch.setattr(made, "_close", closed.append)
    search.cost, search.bound = cost, 4_995
    assert made.promising == closes
    if made.promising:
        made.close(search.budget)
    assert bool(closed) == closes


def test_closing_yields_when_neither_end_moves(clock, monkeypatch):
    search, made = begun(table(), Budget.of(10_000.0))
    monkeypatch.setattr(steps_module, "MOST_BRANCHED", 0)

    def endless(budget):
        while not budget.spent:
            clock.put_forward(0.001)

    monkeypatch.setattr(made, "_close", endless)
    search.bound = search.cost - 1
    made.seconds = 10.0
    assert made.promising
    made.close(search.budget)
    assert not search.done
    assert clock.now < 1000.0 + 5_000.0


def test_an_ascent_in_parts_is_one_ascent():
    instance = table(200, 5, 3)
    records, k = instance.records, instance.k
    listed = listed_table(records, k)
    whole = improve(listed, Budget())
    ascent = Ascent(listed)
    parts = 0
    while not ascent.over:
        part = Budget()
        ascent.climb(part, lambda _, part=part: part.stop.set())
        parts += 1
    assert parts > 2
    assert ascent.best().total == whole.total


def test_near_rows_move_in_rounds_that_do_not_know_the_limit(clock, monkeypatch):
    """A limit of 15 s once ended dearer than one of 5 s: it cooled over all of it."""
    taken = []

    def rearranged(_records, _k, _labels, budget, *_):
        taken.append(round(budget.remaining, 1))
        clock.put_forward(budget.remaining)
        return True

    monkeypatch.setattr(steps_module, "rearrange", rearranged)
    _, made = begun(table(), Budget.of(60.0))
    made.move_near_rows(made.search.budget)
    assert all(later == 3.0 * earlier for earlier, later in pairwise(taken[:-1]))
    assert taken[0] == 3.0
    assert taken[-1] < 4.5 * taken[-2]
    assert sum(taken) == pytest.approx(60.0, abs=0.1)


def test_a_brief_annealing_goes_on_with_other_seeds(clock, monkeypatch):
    """Of 100 rows one takes a tenth of a second."""
    seeds = []

    def annealed(_table, budget, start, **_):
        seeds.append(budget.seed)
        clock.put_forward(0.3)
        return start

    monkeypatch.setattr(annealing, "improve", annealed)
    _, made = begun(table(), Budget.of(10.0))
    made.anneal_briefly(made.search.budget)
    assert seeds == [0, 1, 2, 3]
