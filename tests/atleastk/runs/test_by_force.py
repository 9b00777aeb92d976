"""Runs that do not come back end with their worker, if that is replaced."""

import faulthandler
import os
import sys
import threading
from contextlib import nullcontext
from functools import partial
from typing import NamedTuple

import pytest

from atleastk.instances.fields.errors import AtleastkError
from atleastk.runs import by_force, performing
from atleastk.runs.by_force import ended_by_force, prepare
from atleastk.runs.performing import performed
from atleastk.runs.watch import Watch
from atleastk.solvers import left_behind

STUCK = """
import ctypes
from atleastk.runs import by_force, watch
from atleastk.solvers.budget import Budget

by_force.LATE = watch._PREPARING = watch._PATIENT = 0.0
watch.Watch(Budget.of(0.01)).perform(ctypes.PyDLL(None).pause)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="pause of POSIX")
def test_who_keeps_python_for_ever_ends_with_its_worker(monkeypatch):
    monkeypatch.setattr(performing, "_TRIES", 1)
    told = "its worker was lost 1 times: BrokenProcessPool: .*; at last after"
    with pytest.raises(AtleastkError, match=told):
        list(performed([partial(exec, STUCK, {})], "processes", 1))


@pytest.fixture
def alarms(monkeypatch):
    """Note what is set, and let this process be one that is replaced."""
    found, replaced = [], threading.Event()
    replaced.set()
    monkeypatch.setattr(by_force, "_of_a_pool", replaced)
    monkeypatch.setattr(by_force.time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(by_force, "LATE", 0.0)
    monkeypatch.setattr(Watch, "guard", nullcontext)
    monkeypatch.setattr(
        faulthandler, "dump_traceback_later", lambda s, **_: found.append(s)
    )
    return found


class Lasting(NamedTuple):
    longest: float


def test_the_first_run_that_is_late_sets_the_alarm(alarms):
    def short():
        with ended_by_force(Lasting(3.0)):
            pass

    inner = threading.Thread(target=short)
    with ended_by_force(Lasting(5.0)):
        inner.start()
        inner.join()
    with ended_by_force(Lasting(float("inf"))):
        pass
    assert alarms == [5.0, 3.0, 5.0]


def test_a_run_within_a_run_of_its_thread_and_one_of_ages_have_an_alarm(alarms):
    with ended_by_force(Lasting(5.0)), ended_by_force(Lasting(3.0)):
        pass
    with ended_by_force(Lasting(1e12)):
        pass
    assert alarms == [5.0, 3.0, 5.0, threading.TIMEOUT_MAX]


def test_a_process_that_nobody_replaces_goes_on(alarms, monkeypatch):
    monkeypatch.setattr(by_force, "_of_a_pool", threading.Event())
    monkeypatch.setattr(left_behind, "_left", [threading.current_thread()])
    prepare()
    assert Watch.guard is nullcontext


@pytest.mark.usefixtures("alarms")
def test_a_worker_ends_while_a_solver_of_an_earlier_run_goes_on(monkeypatch, capsys):
    ended, release = [], threading.Event()
    works = threading.Thread(target=release.wait)
    works.start()
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(by_force, "PATIENCE", 0.0)
    monkeypatch.setattr(left_behind, "_left", [works])
    prepare()
    assert (ended, "does not stop" in capsys.readouterr().err) == ([1], True)
    release.set()
    works.join()
    prepare()
    assert ended == [1]
    assert Watch.guard is ended_by_force
