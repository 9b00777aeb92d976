import _thread
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

import atleastk
from atleastk.instances.fields.errors import NoAnswerError, UnknownNameError
from atleastk.runs import own_programs
from atleastk.runs.own_programs import end_programs, output_of

BINS = atleastk.BinCovering([10, 6, 6, 6], 10)
HANGS = 99.0
"""Seconds that nobody waits for."""


def shell(text):
    return ["sh", "-c", text]


def ended(path):
    number = int(path.read_text())
    for _ in range(1000):
        try:
            state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return True
        if state[0] == "Z":
            return True
        time.sleep(0.01)
    return False


LONG = bytes(range(256)) * 8192


@pytest.mark.parametrize(
    ("words", "given", "answer"),
    [
        (["cat"], b"given", b"given"),
        (["cat"], LONG, LONG),  # neither waits for the other
        (shell("exec <&-; echo 1"), LONG, b"1\n"),  # reads nothing
        (shell("echo 0 1; exec >&- 2>&-; sleep 0.1"), b"", b"0 1\n"),  # goes on
    ],
    ids=["short", "long", "unread", "closed"],
)
def test_what_it_prints_is_the_answer(words, given, answer):
    assert output_of("mine", words, given, seconds=HANGS) == answer


def test_who_prints_without_an_end_is_ended(monkeypatch):
    monkeypatch.setattr(own_programs, "_MOST", 10**6)
    with pytest.raises(NoAnswerError, match="yes printed more than 1 MB"):
        output_of("yes", ["yes"], b"", seconds=HANGS)


def test_what_is_said_of_errors_is_read_and_only_its_end_is_told(monkeypatch):
    monkeypatch.setattr(own_programs, "_MOST_SAID", 100)
    talk = (
        "import sys\nfor i in range(99999): print(i, file=sys.stderr)\nsys.exit('no')"
    )
    with pytest.raises(NoAnswerError, match=r"ended with exit code 1: no$"):
        output_of("talk", [sys.executable, "-c", talk], b"")


def test_who_complains_at_length_is_heard_to_the_end(monkeypatch):
    monkeypatch.setattr(own_programs, "_MOST", 10**5)
    talk = "yes oh | head -c 1000000 >&2; sleep 0.1; echo no >&2; exit 3"
    with pytest.raises(NoAnswerError, match=r"ended with exit code 3: no$"):
        output_of("talk", shell(talk), b"")
    assert output_of("talk", shell(talk.replace("exit 3", "echo 1")), b"") == b"1\n"


def test_a_terminal_obeys_nothing_that_a_program_says():
    with pytest.raises(NoAnswerError) as error:
        output_of("mine", shell(r"printf '\033[2J\033]0;owned\a\377' >&2; exit 3"), b"")
    assert str(error.value).isprintable()
    assert r"\x1b[2J\x1b]0;owned\x07" in str(error.value)


@pytest.mark.parametrize("wait", ["wait", "sleep 99"])
def test_a_limit_ends_what_a_program_has_started(tmp_path, wait):
    number = tmp_path / "number"
    words = shell(f"sleep 99 & echo $! > {number}; {wait}")
    with pytest.raises(NoAnswerError, match=r"mine has not ended after 0\.3 s"):
        output_of("mine", words, b"", seconds=0.3)
    assert ended(number)


def test_who_leaves_a_child_behind_has_answered(tmp_path):
    number = tmp_path / "number"
    words = shell(f"sleep 99 & echo $! > {number}; echo 0 1")
    assert output_of("mine", words, b"", seconds=HANGS) == b"0 1\n"
    assert ended(number)


def test_a_child_with_a_group_of_its_own_does_not_hold_up_the_answer(tmp_path):
    number = tmp_path / "number"
    child = (
        "import os, sys, time; os.setsid(); "
        "print(os.getpid(), file=open(sys.argv[1], 'w')); time.sleep(99)"
    )
    words = shell(
        f'{sys.executable} -c "{child}" {number} & '
        f"while [ ! -s {number} ]; do sleep 0.01; done; echo 0 1"
    )
    try:
        assert output_of("mine", words, b"", seconds=HANGS) == b"0 1\n"
    finally:
        with suppress(ProcessLookupError):
            os.kill(int(number.read_text()), signal.SIGKILL)


def test_one_that_just_starts_is_not_lost_when_time_is_up(monkeypatch):
    begun = []

    class Slow(subprocess.Popen):
        def __init__(self, *words, **options):
            super().__init__(*words, **options)
            begun.append(self)
            time.sleep(0.3)

    monkeypatch.setattr(subprocess, "Popen", Slow)
    with pytest.raises(NoAnswerError):
        atleastk.approximate(BINS, "cmd:sleep 99", time_limit=0.1)
    for _ in range(1000):
        if begun and begun[0].returncode is not None:
            break
        time.sleep(0.01)
    assert begun[0].returncode == -signal.SIGKILL


def test_who_interrupts_a_program_without_a_limit_ends_it(tmp_path):
    number = tmp_path / "number"

    def interrupt():
        while not number.exists() or not number.read_text():
            time.sleep(0.01)
        _thread.interrupt_main()

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        atleastk.approximate(BINS, f"cmd:sh -c 'echo $$ > {number}; sleep 99'")
    assert ended(number)


def test_all_programs_end_with_the_process(tmp_path):
    number, failures = tmp_path / "number", []

    def body():
        try:
            output_of("mine", shell(f"echo $$ > {number}; sleep 99"), b"")
        except NoAnswerError as error:
            failures.append(str(error))

    thread = threading.Thread(target=body)
    thread.start()
    while not number.exists() or not number.read_text():
        time.sleep(0.01)
    end_programs()
    thread.join()
    assert ended(number)
    assert failures == ["mine ended with exit code -9: no message"]


def test_a_command_line_that_is_none_is_told():
    with pytest.raises(UnknownNameError, match="no command line: No closing quotation"):
        atleastk.approximate(BINS, "cmd:'mine")


ENDS = """\
import sys

def leaves(instance):
    sys.exit(0)

def interrupts(instance):
    raise KeyboardInterrupt

def hangs(instance):
    while True:
        pass

def one(instance):
    return [range(instance.n)]

class Odd(BaseException):
    pass

def odd(instance):
    raise Odd("\\x1b[2J")
"""


@pytest.fixture
def mine(here):
    Path("ends.py").write_text(ENDS)
    Path("leaves.py").write_text("import sys\nsys.exit(0)\n")
    text = '{"problem": "bin-covering", "sizes": [10, 6, 6, 6], "k": 10}'
    Path("bins.json").write_text(text)
    return here


@pytest.mark.parametrize(
    ("which", "told"),
    [
        ("ends.py:leaves", "leaves: SystemExit: 0 (ends.py, line 4)"),
        ("ends.py:interrupts", "interrupts: KeyboardInterrupt:"),
        ("ends.py:odd", r"odd: Odd: \x1b[2J (ends.py, line 20)"),
        ("leaves.py:one", "leaves.py:one: SystemExit: 0 (leaves.py, line 2)"),
        ("ends.py:hangs", "hangs: no answer after 0.2 s"),
        ("cmd:sleep 99", "cmd:sleep 99"),
    ],
)
@pytest.mark.usefixtures("mine")
def test_what_would_end_the_command_is_a_failure_on_a_line(which, told, refused):
    """Not the code 0 of a command that was done, and not that of an interrupt."""
    words = ("approximate", "bins.json", "--algorithm", which, "--time-limit", "0.2")
    limit = words if which.endswith(("hangs", "99")) else words[:-2]
    error = refused(*limit)
    assert told in error
    assert error.count("\n") == 1


@pytest.mark.usefixtures("mine")
def test_a_study_goes_on_after_what_would_end_it(tmp_path):
    study = atleastk.Study(
        problem="bin-covering",
        instances=[BINS],
        algorithms=["ends.py:interrupts", "ends.py:leaves", "ends.py:one"],
        folder=tmp_path,
    )
    results = atleastk.conduct(study, tmp_path / "study.db", workers=1)
    assert results.states == {"done": 2, "failed": 2}
    again = atleastk.conduct(study, tmp_path / "study.db", workers=1)
    assert again.states == results.states
    told = {row["name"]: row["error"] for row in again.rows if row["error"]}
    assert "KeyboardInterrupt" in told["ends.py:interrupts"]
    assert "SystemExit: 0" in told["ends.py:leaves"]


def test_a_signal_is_no_failure_of_the_function():
    def interrupted(_instance):
        signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        atleastk.approximate(BINS, interrupted)
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_maker_that_interrupts_is_a_mistake_of_the_study(tmp_path):
    (tmp_path / "makes.py").write_text("def one(seed):\n    raise KeyboardInterrupt\n")
    study = atleastk.Study(
        problem="bin-covering", instances=[{"maker": "makes.py:one"}], folder=tmp_path
    )
    with pytest.raises(atleastk.InvalidInstanceError, match="KeyboardInterrupt"):
        list(study.drawn())
