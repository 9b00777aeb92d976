"""What tests of several floors share."""

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module

import pytest
from patience import PATIENCE

import atleastk
from atleastk.instances.instance import Instance
from atleastk.solvers.clock import CLOCK

Solved = Sequence[tuple[Instance, atleastk.Result]]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As shells without job control leave it to what they run in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)

HEARD = (signal.SIGINT, signal.SIGTERM)
"""The signals that a run or a command may take for its own."""


LONG = ("test_docs.py", "test_write_lower_bounds.py", "test_template.py")
"""Files that take a process a minute or so."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, lest one process ends long after the others."""
    items.sort(key=lambda item: item.path.name not in LONG)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Keep bytes out of the names of tests: those of an archive hold the time."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """A handler that a test leaves behind meets the signals of later ones.

    All are set again: OR-Tools leaves none for SIGINT, of which Python knows nothing.
    """
    before = {number: signal.getsignal(number) for number in HEARD}
    yield
    after = {number: signal.getsignal(number) for number in HEARD}
    for number, handler in before.items():
        signal.signal(number, handler)
    assert after == before


@pytest.fixture(autouse=True)
def _clock_as_before() -> Iterator[None]:
    """A clock of CPU time that a script begins does not stay for later tests."""
    source = CLOCK.source
    yield
    if CLOCK.source is not source:
        CLOCK.source = source


class Clock:
    """A clock in the test's hand: it stands until it is put forward."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def put_forward(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch) -> Clock:
    while CLOCK.stands:  # a thread that an earlier test left behind still compiles
        time.sleep(0.01)
    made = Clock()
    monkeypatch.setattr(time, "monotonic", made)
    monkeypatch.setattr(CLOCK, "_stood", 0.0)
    return made


@pytest.fixture
def _measured_by_work(monkeypatch) -> None:
    """Let budgets count what the process computes: it waits for no other one."""
    monkeypatch.setattr(time, "monotonic", time.process_time)


@pytest.fixture
def patiently():
    """Call what must end by itself; fail if it does not."""

    def call(run):
        ends = []

        def body():
            try:
                ends.append((run(), None))
            except BaseException as error:  # raised again below
                ends.append((None, error))

        thread = threading.Thread(target=body, daemon=True)
        thread.start()
        thread.join(PATIENCE)
        assert ends, "it does not end"
        result, error = ends[0]
        if error is not None:
            raise error
        return result

    return call


@pytest.fixture(scope="session")
def fault():
    """Says what is wrong when an instance is solved; None if nothing is.

    By the judges of the sweeps. Keywords are those of a run, as sweeps make them; an
    instance that stays open is a fault, too.
    """
    runs = import_module("scripts.sweeps.runs")

    def told(instance, *, may_stay_open=False, **run):
        document = json.loads(json.dumps(instance.to_dict()))
        outcome = runs.outcome_of(document, {"call": "solve", **run})
        wrong = {runs.Kind.FAILED} | (set() if may_stay_open else {runs.Kind.OPEN})
        return outcome.message if outcome.kind in wrong else None

    return told


@pytest.fixture(scope="session")
def solved() -> Callable[[str], Solved]:
    """Instances of every variant of a problem, solved and certified if they can be."""
    instances = import_module("every_problem").INSTANCES

    @cache
    def solved_of(problem: str) -> Solved:
        return [
            (instance, atleastk.solve(instance, 600, workers=1, certify=True))
            for instance in instances[problem]
        ]

    return solved_of
