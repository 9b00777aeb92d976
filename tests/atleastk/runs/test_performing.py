"""Calls on executors, and the commands that have `--executor`."""

import pickle
from concurrent.futures import BrokenExecutor
from functools import partial

import pytest

from atleastk.cli.main import main
from atleastk.instances.fields.errors import AtleastkError
from atleastk.runs import performing
from atleastk.runs.performing import performed
from atleastk.runs.pools import Here, memory_of_task, pool_of
from atleastk.solvers.budget import bytes_of


class Crossing(Here):
    """Performs here what has crossed to another process, and lets its answer cross."""

    def submit(self, call, /, *args, **more):
        fn, given = pickle.loads(pickle.dumps((call, args)))
        return super().submit(lambda: pickle.loads(pickle.dumps(fn(*given))))


@pytest.fixture
def crossing(monkeypatch):
    asked = []

    def pool(executor, workers=None):
        asked.append(executor)
        return pool_of(Crossing(), workers)

    monkeypatch.setattr(performing, "pool_of", pool)
    return asked


def test_calls_are_made_one_by_one_without_an_executor():
    made = []

    def calls():
        for i in range(3):
            made.append(i)
            yield partial(int, i)

    seen = [(*each, len(made)) for each in performed(calls(), None)]
    assert seen == [(0, 0, 1), (1, 1, 2), (2, 2, 3)]


def test_calls_end_with_their_places():
    calls = [partial(int, i) for i in range(20)]
    glances = []
    found = dict(performed(calls, Here(), 3, lambda: glances.append(1)))
    assert found == {i: i for i in range(20)}
    assert glances


def refused():
    raise AtleastkError("no")


def test_an_error_of_a_call_is_raised_here():
    with pytest.raises(AtleastkError, match=r"^no$"):
        list(performed([int, refused], Here()))
    with pytest.raises(AtleastkError, match="gone"):
        list(performed([int], Here(), glance=partial(fail, AtleastkError("gone"))))


def fail(error):
    raise error


def test_a_call_whose_worker_is_always_lost_has_failed():
    calls = [partial(fail, OSError("lost"))]
    with pytest.raises(AtleastkError, match="task 1: its worker was lost 3 times: OSE"):
        list(performed(calls, Here()))
    with pytest.raises(AtleastkError, match="the executor broke"):
        list(performed([partial(fail, BrokenExecutor())], Here()))


def test_a_task_here_may_take_what_the_process_may():
    assert memory_of_task() == bytes_of(None)


def said(capsys, *words):
    code = main([*words])
    return code, capsys.readouterr().out


SHORT = ("--time-limit", "5", "--workers", "1")
TWO = ("bin-covering-excess-n10-s1", "bin-covering-excess-n10-s2")


@pytest.mark.parametrize(
    "words",
    [
        ("claims", "du09-lemma-8", "du09-lemma-9", "--cases", "1"),
        ("library", "solve", *TWO, *SHORT),
        ("adversary", "fold", "--time-limit", "0.2", "--problem", "bin-covering"),
    ],
)
def test_commands_give_the_same_by_workers(words, capsys, crossing):
    one = said(capsys, *words)
    assert crossing == []
    two = said(capsys, *words, "--executor", "processes")
    assert crossing == ["processes"]
    assert one[0] == two[0] == 0
    as_they_end = sorted if words[0] == "library" else list
    assert as_they_end(lasting(one[1])) == as_they_end(lasting(two[1]))


def lasting(text):
    """Return the first words of lines, which seconds do not change."""
    return [line.split()[:2] for line in text.splitlines()]
