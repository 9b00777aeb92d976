import threading
from multiprocessing import get_context

import pytest
from patience import PATIENCE

from atleastk.solvers import interrupting as interrupting_module
from atleastk.solvers.interrupting import _Watched, interrupting


def called_twice():
    calls, twice = [], threading.Event()

    def interrupt():
        calls.append(threading.current_thread())
        if len(calls) == 2:
            twice.set()

    with interrupting(lambda: True, interrupt):
        assert twice.wait(PATIENCE)
    return calls


def test_one_thread_calls_whoever_has_to_stop_again_and_again():
    threads = {*called_twice(), *called_twice()}
    assert len(threads) == 1
    assert threading.current_thread() not in threads


def test_what_is_not_over_or_has_ended_is_not_interrupted():
    over, calls = [], []
    watched = _Watched(lambda: bool(over), lambda: calls.append(1))
    watched.look()
    assert calls == []
    over.append(True)
    watched.look()
    watched.end()
    watched.look()
    assert calls == [1]


def test_an_interrupt_that_fails_is_told_and_ends_no_other_one(monkeypatch):
    told = []
    monkeypatch.setattr(threading, "excepthook", told.append)
    with interrupting(lambda: True, lambda: 1 // 0):
        called_twice()
    assert [each.exc_type for each in told] == [ZeroDivisionError]


def test_a_forked_process_has_a_thread_of_its_own():
    called_twice()
    child = get_context("fork").Process(target=called_twice)
    child.start()
    child.join(PATIENCE)
    assert child.exitcode == 0


def test_without_a_thread_the_next_loop_starts_one(monkeypatch):
    """The system has none left now and then: later loops were not interrupted."""
    watcher = interrupting_module._Watcher()
    monkeypatch.setattr(interrupting_module, "_WATCHER", watcher)

    def none_left(_):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as at_first:
        at_first.setattr(threading.Thread, "start", none_left)
        with pytest.raises(RuntimeError), interrupting(lambda: True, int):
            pass
    assert not watcher._watched
    called_twice()
