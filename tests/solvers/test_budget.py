import os

import pytest

from atleastk.solvers.budget import Budget, usable_processors


@pytest.mark.parametrize("newer", [False, True])
def test_processors_are_those_that_the_process_may_use(newer, monkeypatch):
    """A container gives it some of the machine's; so tell systems that know."""
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 7}, raising=False)
    if newer:
        monkeypatch.delattr(os, "sched_getaffinity")
        monkeypatch.setattr(os, "process_cpu_count", lambda: 3, raising=False)
    assert usable_processors() == Budget.checked(None, None, 0, None).workers == 3


def test_where_the_system_does_not_tell_it_is_all_of_them(monkeypatch):
    monkeypatch.delattr(os, "process_cpu_count", raising=False)
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert usable_processors() == 1
