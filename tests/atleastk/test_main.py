import os
import subprocess
import sys
from pathlib import Path

import pytest

import atleastk
from atleastk import public

FULL = Path("/dev/full")


def ended(words, path=None, stderr=subprocess.PIPE, **options):
    places = [path, os.environ.get("PYTHONPATH"), Path.cwd()]
    return subprocess.run(
        [sys.executable, "-m", "atleastk", *words],
        env={**os.environ, "PYTHONPATH": ":".join(map(str, filter(None, places)))},
        stderr=stderr,
        text=True,
        check=False,
        **options,
    )


INTERRUPT = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"


@pytest.mark.parametrize(
    ("words", "module", "interrupt"),
    [
        ("problems", "numpy", INTERRUPT),
        ("problems", "rich", "raise KeyboardInterrupt"),
        ("generate r-gather graph", "networkx", INTERRUPT),
    ],
)
def test_an_interrupt_of_the_imports_is_quiet(tmp_path, words, module, interrupt):
    (tmp_path / f"{module}.py").write_text(interrupt)
    end = ended(words.split(), tmp_path, stdout=subprocess.PIPE)
    assert (end.returncode, end.stdout, end.stderr) == (130, "", "")


def test_the_names_of_the_package_are_there():
    assert set(public.__all__) <= set(dir(atleastk))
    assert all(getattr(atleastk, name) for name in atleastk.__all__)
    assert not hasattr(atleastk, "solves")


@pytest.mark.parametrize(
    "words", ["problems", "--help", "solve FILE", "solve FILE -o -"]
)
def test_standard_output_on_a_full_disk(instance_file, words):
    with FULL.open("w") as full:
        end = ended(words.replace("FILE", str(instance_file)).split(), stdout=full)
    assert end.returncode == 2
    error, *more = end.stderr.splitlines()
    assert error.startswith("atleastk: error: ")
    assert error.endswith("cannot be written: no space left on device")
    assert bool(more) == words.endswith("-")  # what is told besides


def test_standard_error_on_a_full_disk():
    with FULL.open("w") as full:
        assert ended(["solve", "none.json"], stderr=full).returncode == 2


def test_standard_output_that_is_closed(instance_file):
    words = (
        f"{sys.executable} -m atleastk solve {instance_file} -o {instance_file}.json"
    )
    end = subprocess.run(
        ["sh", "-c", f"{words} >&-"],
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        stderr=subprocess.PIPE,
        check=False,
    )
    assert (end.returncode, end.stderr) == (0, b"")
    assert instance_file.with_name("small.json.json").exists()


@pytest.mark.parametrize(
    "module", ["runs.api", "runs.registry", "runs.solving", "doors.anonymizing"]
)
def test_any_module_may_be_imported_first(module):
    words = f"from atleastk.{module} import *; import atleastk; atleastk.solve"
    subprocess.run([sys.executable, "-c", words], check=True)
