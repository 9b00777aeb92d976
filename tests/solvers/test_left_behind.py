import subprocess
import sys
import threading

import pytest
from patience import PATIENCE

from atleastk.solvers import left_behind
from atleastk.solvers.backends.highs import run_apart
from atleastk.solvers.budget import Budget

LATE = """
import threading
from atleastk.solvers.budget import Budget
from atleastk.runs.watch import Watch

ending = threading.Event()
threading._register_atexit(ending.set)

def late():
    ending.wait()
    print("waited for", flush=True)

watch = Watch(Budget.of(0.2))
assert not watch.perform(late)
assert watch.abandoned
"""


@pytest.fixture(autouse=True)
def _nobody_yet(monkeypatch):
    """Other tests leave threads behind, too."""
    monkeypatch.setattr(left_behind, "_left", [])


def test_a_run_of_highs_that_does_not_stop_is_remembered():
    """Nobody waits for it, but the process must not end without knowing."""
    release, threads = threading.Event(), []

    def deaf():
        threads.append(threading.current_thread())
        release.wait(PATIENCE)

    assert not run_apart(deaf, Budget.of(0.0))
    assert left_behind.anybody_left_behind()
    release.set()
    threads[0].join(PATIENCE)
    assert not left_behind.anybody_left_behind()


def test_the_end_of_a_process_waits_for_work_that_was_left_behind():
    """It would be aborted if the work were a solver's; this one ends at the last."""
    ended = subprocess.run(
        [sys.executable, "-c", LATE], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "waited for\n"
