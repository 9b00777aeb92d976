"""Compiled loops: made when they are called, and able to call each other."""

import subprocess
import sys
import threading

from atleastk.solvers.compiled import compiled, inlined


@inlined
def doubled(x):
    return 2 * x


@compiled
def sum_below(n):
    """Add up."""
    total = 0
    for i in range(n):
        total += i
    return total


@compiled
def outer(n):
    return doubled(sum_below(n)) + sum_below(n)


def test_loops_call_each_other_and_inlined_functions():
    """Both readings give the same; names and docstrings stay."""
    assert outer(10) == 135
    assert doubled(3) == 6
    assert (sum_below.__name__, sum_below.__doc__) == ("sum_below", "Add up.")


def test_the_first_call_may_come_from_several_threads():
    """Nobody sees a half-made loop."""

    @compiled
    def loop(n):
        return sum_below(n) + 1

    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(loop(4))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [7] * 4


def test_importing_atleastk_imports_no_compiler_and_no_ortools():
    """They take longer to import than all the rest."""
    told = "import sys, atleastk; print({'numba', 'ortools'} & set(sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "set()\n"
