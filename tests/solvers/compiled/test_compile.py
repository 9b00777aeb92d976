import gc
import os
import subprocess
import sys
import threading

import pytest

from atleastk.solvers.clock import CLOCK
from atleastk.solvers.compiled.compile import compiled, fingerprint, inlined


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
    assert outer(10) == 135
    assert doubled(3) == 6
    assert (sum_below.__name__, sum_below.__doc__) == ("sum_below", "Add up.")


def test_the_first_call_may_come_from_several_threads():
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
    program = "import sys, atleastk; print({'numba', 'ortools'} & set(sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "set()\n"


def _loop_of(constant=1, comment="", callee="return x", docstring="Add."):
    """Return a loop from its source, with a callee and a constant of its own."""
    source = f'''
LIMIT = {constant}

def callee(x):
    {comment}
    {callee}

def loop(n):
    "{docstring}"
    total = 0
    for i in range(n):
        total += callee(i) % LIMIT
    return total
'''
    names = {"__name__": "made"}
    exec(source, names)
    names["callee"] = compiled(names["callee"])
    return compiled(names["loop"])


def test_a_fingerprint_is_of_what_machine_code_depends_on():
    plain = fingerprint(_loop_of())
    assert plain == fingerprint(_loop_of(comment="# why\n\n", docstring="Sum."))
    assert plain != fingerprint(_loop_of(constant=2))
    assert plain != fingerprint(_loop_of(callee="return -x"))


def test_loops_may_call_themselves():
    @compiled
    def countdown(n):
        return 0 if n == 0 else countdown(n - 1)

    assert len(fingerprint(countdown)) == 12


def test_a_loop_on_something_without_a_fingerprint_is_refused():
    """Or old machine code would be run after it has changed."""
    names = {"__name__": "made", "mutable": {}}
    exec("def loop():\n    return len(mutable)", names)
    with pytest.raises(TypeError, match="has no fingerprint"):
        fingerprint(compiled(names["loop"]))


@pytest.fixture
def run(tmp_path):
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path / "kept"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    home = "atleastk.solvers.compiled.compile"

    def run(program, returned, comment=""):
        (tmp_path / "hot.py").write_text(
            f"{comment}from {home} import compiled\n\n"
            f"@compiled\ndef loop(n):\n    return {returned}\n"
            "@compiled\ndef caller(n):\n    return loop(n)\n"
            "@compiled\ndef other(n):\n    return n\n"
        )
        command = [sys.executable, "-c", program]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, env=environment
        ).stdout

    return run


TELLING_HITS = """
import hot
print(hot.loop(1), sum(hot.loop.dispatcher.stats.cache_hits.values()))
"""

TELLING_HITS_OF_RECORDS = """
import hot
record = getattr(hot, "Old", None) or hot.New
print(hot.loop(record(1)), sum(hot.loop.dispatcher.stats.cache_hits.values()))
"""

TELLING_COMPILED = """
import hot
for name in ("loop", "caller", "other"):
    loop = getattr(hot, name)
    loop(1)
    if not sum(loop.dispatcher.stats.cache_hits.values()):
        print(name, end=" ")
"""

TELLING_CLOCK = """
import hot
from numba.core.caching import FunctionCache
from atleastk.solvers.clock import CLOCK

load, stood = FunctionCache.load_overload, []

def watched(*arguments):
    stood.append(CLOCK.stands)
    return load(*arguments)

FunctionCache.load_overload = watched
hot.loop(1)
print(stood, CLOCK.stands, sum(hot.loop.dispatcher.stats.cache_hits.values()))
"""

LEAVING_A_COMPILER = """
import hot, os, threading
from numba.core import event
from atleastk.solvers.compiled import compile

class Listener(event.Listener):
    begun = threading.Event()
    def on_start(self, _event): self.begun.set()
    def on_end(self, _event): pass

event.register("numba:compile", Listener())
threading.Thread(target=hot.loop, args=(1,), daemon=True).start()
assert Listener.begun.wait(60)
"""


def test_an_edit_compiles_a_loop_and_its_callers_again_and_no_other(run):
    assert run(TELLING_COMPILED, "n + 1") == "loop caller other "
    assert run(TELLING_COMPILED, "n + 1", "# a comment\n") == ""
    assert run(TELLING_COMPILED, "n + 2") == "loop caller "


def test_machine_code_of_records_that_are_gone_is_not_there(run):
    """The loop itself is the same: it does not name what it takes."""
    old, new = (
        f"from typing import NamedTuple\nclass {name}(NamedTuple):\n    size: int\n"
        for name in ("Old", "New")
    )
    assert run(TELLING_HITS_OF_RECORDS, "n.size", old) == "1 0\n"
    assert run(TELLING_HITS_OF_RECORDS, "n.size", new) == "1 0\n"
    assert run(TELLING_HITS_OF_RECORDS, "n.size", new) == "1 1\n"


DAMAGING = """
import importlib, os, pathlib
import hot

def again():
    importlib.reload(hot)
    return hot.loop(1), sum(hot.loop.dispatcher.stats.cache_hits.values())

assert again() == (2, 0)
kept = sorted(pathlib.Path(os.environ["NUMBA_CACHE_DIR"]).rglob("*.nb?"))
assert [path.suffix for path in kept] == [".nbc", ".nbi"]
assert again() == (2, 1)
"""

FLIPPING = """
for path in kept:
    whole = path.read_bytes()
    for i in {0, 31, 32, 33, len(whole) - 1, *range(0, len(whole), len(whole) // 9)}:
        flipped = bytearray(whole)
        flipped[i] ^= 1 << i % 8
        path.write_bytes(flipped)
        assert again() == (2, 0), (path.suffix, i)
        assert again() == (2, 1), (path.suffix, i)
"""

CUTTING = """
for path in kept:
    whole = path.read_bytes()
    for i in (0, 1, 32, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:i])
        assert again() == (2, 0), (path.suffix, i)
"""

BLOCKING = """
for path in kept:
    path.unlink()
    path.mkdir()
    assert again() == (2, 0), path.suffix
"""


@pytest.mark.parametrize("damage", [FLIPPING, CUTTING, BLOCKING])
def test_damaged_files_of_machine_code_are_as_good_as_none(run, damage):
    """Wherever a byte is flipped or a file ends: the loop is compiled and kept again.

    Where it cannot be kept, it runs all the same.
    """
    assert run(DAMAGING + damage, "n + 1") == ""


@pytest.mark.parametrize("end", ["", "compile.end_compiling(); os._exit(0)"])
def test_what_a_thread_that_is_left_behind_compiles_is_kept(run, end):
    assert run(LEAVING_A_COMPILER + end, "n + 1") == ""
    assert run(TELLING_HITS, "n + 1") == "2 1\n"


def test_the_clock_of_runs_stands_while_kept_machine_code_is_loaded(run):
    assert run(TELLING_CLOCK, "n + 1") == "[True] False 0\n"
    assert run(TELLING_CLOCK, "n + 1") == "[True] False 1\n"


@pytest.mark.parametrize("home", ["atleastk.solvers.made", "somebody.else"])
def test_the_clock_of_runs_stands_while_a_loop_of_atleastk_is_compiled(home):
    from numba.core import event

    loop = _loop_of().dispatcher
    loop.__module__ = home
    stood = []

    @event.trigger_event("numba:compile", data={"dispatcher": loop})
    def fails():
        stood.append(CLOCK.stands)
        raise ArithmeticError

    with pytest.raises(ArithmeticError):
        fails()
    assert stood == [home.startswith("atleastk.")]
    assert not CLOCK.stands


@pytest.mark.parametrize("collecting", [True, False])
def test_no_garbage_is_sought_while_a_loop_is_compiled(collecting):
    from numba.core import event

    loop = _loop_of().dispatcher
    loop.__module__ = "atleastk.solvers.made"
    sought = []

    def compiling(work):
        with event.trigger_event("numba:compile", data={"dispatcher": loop}):
            work()
            sought.append(gc.isenabled())

    if not collecting:
        gc.disable()
    try:
        compiling(lambda: compiling(lambda: None))
        assert sought == [False, False]
        assert gc.isenabled() == collecting
    finally:
        gc.enable()
