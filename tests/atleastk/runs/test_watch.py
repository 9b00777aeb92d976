import signal
import threading

import pytest
from patience import PATIENCE

from atleastk import BinCovering, Event
from atleastk.models import bin_covering
from atleastk.runs import solving, watch
from atleastk.runs.ask import Ask
from atleastk.runs.watch import Watch
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.search import Search


def test_a_signal_that_was_held_stops_the_next_run():
    with watch.hearing(signal.SIGTERM) as kept:
        watch.hold(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL  # a second one ends
        outcome = solving.solve_within(BinCovering([1, 1, 2], 2), Ask.of(None, 1, 0))
    assert kept == [signal.SIGTERM]
    assert (outcome.signalled, outcome.result.interrupted) == (signal.SIGTERM, True)


def closed_at_once(search):
    search.offer([[0]], "test")
    search.raise_bound(1, "test")


def new_search(budget):
    return Search(BinCovering([1], 1), bin_covering.check, budget.apart())


def test_who_was_left_behind_is_not_heard_again():
    """Its late failure is not taken for the end of what is running now."""
    budget, release = Budget(), threading.Event()
    watched, late = Watch(budget), []

    def fails_late(search):
        late.append(threading.current_thread())
        closed_at_once(search)
        release.wait(PATIENCE)
        raise RuntimeError("too late")

    done = []

    def more():
        release.set()
        late[0].join(PATIENCE)
        done.append(True)

    assert not watched.attend(fails_late, new_search(budget))
    assert watched.abandoned
    assert watched.perform(more)
    assert not late[0].is_alive()
    assert done == [True]


def test_who_is_left_behind_when_the_time_is_up_is_told(monkeypatch):
    """It went on beside what came next, and took a third of its time."""
    monkeypatch.setattr(watch, "_GRACE", 0.0)
    budget, told = Budget.of(0.5), threading.Event()

    def waits(search):
        if search.budget.stop.wait(PATIENCE):
            told.set()

    search = new_search(budget)
    assert not Watch(budget).attend(waits, search)
    assert told.wait(PATIENCE)


def test_only_the_budget_of_a_closed_search_is_stopped(monkeypatch):
    monkeypatch.setattr(watch, "_GRACE", PATIENCE)
    budget = Budget()
    watched, search = Watch(budget), new_search(budget)

    def obedient(search):
        closed_at_once(search)
        assert search.budget.stop.wait(PATIENCE)

    assert watched.attend(obedient, search)
    assert not watched.abandoned
    assert not budget.spent


def test_a_failure_stops_the_run_and_is_raised():
    budget = Budget()
    with pytest.raises(ZeroDivisionError):
        Watch(budget).perform(lambda: 1 // 0)
    assert budget.spent


def test_an_interrupt_while_the_work_begins_stops_it(monkeypatch):
    """Starting a thread takes a moment, in which a signal may come."""
    budget, start = Budget(), threading.Thread.start

    def interrupted(thread):
        start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Watch(budget).perform(lambda: budget.stop.wait(PATIENCE))
    assert budget.stop.is_set()


def test_nobody_is_left_behind_who_compiles(clock):
    looked = threading.Semaphore(0)
    watched = Watch(Budget.of(1.0), lambda _event: looked.release())

    def compiles():
        CLOCK.stop()
        clock.put_forward(watch._PREPARING)
        for _ in range(2):
            watched.report(Event(0.0, None, None))
            assert looked.acquire(timeout=PATIENCE)
        CLOCK.go_on()

    assert watched.perform(compiles)
    assert not watched.abandoned
    assert watched.prepared == watch._PREPARING
    assert watched.overrun


@pytest.mark.parametrize(
    ("limit", "seconds", "waits"),
    [(0.3, 4.0, True), (0.3, 6.0, False), (60.0, 239.0, True), (60.0, 241.0, False)],
)
def test_compilers_are_not_waited_for_for_ever(clock, limit, seconds, waits):
    watched = Watch(Budget.of(limit))
    release, ended = threading.Event(), threading.Event()

    def compiles():
        with CLOCK.standing():
            clock.put_forward(seconds)
            release.wait(0.5 if waits else PATIENCE)
        ended.set()

    assert watched.perform(compiles) == waits
    assert watched.abandoned != waits
    assert watched.tired != waits
    release.set()
    assert ended.wait(PATIENCE)


@pytest.mark.parametrize("limit", [None, 30.0])
def test_a_short_wait_for_compilers_is_not_worth_a_word(clock, limit):
    watched = Watch(Budget.of(limit))
    with CLOCK.standing():
        clock.put_forward(0.5 if limit else 1e6)
    clock.put_forward(29.0)
    assert not watched.overrun


def test_what_is_unlimited_is_waited_for_after_the_time(clock):
    watched = Watch(Budget.of(1.0))
    clock.put_forward(100.0)
    ran = []
    search = new_search(Budget())
    assert watched.attend(ran.append, search, unlimited=True)
    assert not watched.attend(ran.append, search)
    assert ran == [search]


@pytest.mark.parametrize("loops", [0, 3])
def test_compiling_is_told_from_loading(clock, monkeypatch, loops):
    counts = iter([7, *[7 + loops] * 3])
    monkeypatch.setattr(watch, "loops_compiled", lambda: next(counts))
    watched = Watch(Budget.of(10.0))
    with CLOCK.standing():
        clock.put_forward(41.0)
    told = solving._prepared(watched)
    assert "took 41 s beside the limit, longer than the run waits" in told
    assert ("once after an installation" in told) == bool(loops)
