"""What the tests of studies share."""

import pytest

MINE = '''
import os, pathlib, time

HERE = pathlib.Path(__file__).parent

def _note(name, instance):
    with (HERE / "calls").open("a") as file:
        file.write(f"{name} {instance.name}\\n")

def plain(instance):
    """Notes its calls."""
    _note("plain", instance)
    return [range(instance.n)]

def waits(instance):
    """Waits, from the fourth instance on, until somebody says go."""
    _note("waits", instance)
    if not instance.name.endswith(("seed=0", "seed=1", "seed=2")):
        while not (HERE / "go").exists():
            time.sleep(0.01)
    return [range(instance.n)]

def dies_once(instance):
    """Kills its process the first time that it sees the second instance."""
    _note("dies_once", instance)
    if instance.name.endswith("seed=1") and not (HERE / "died").exists():
        (HERE / "died").touch()
        os.kill(os.getpid(), 9)
    return [range(instance.n)]

def quits(instance):
    """Ends its program."""
    raise SystemExit(3)

def dies(instance):
    """Kills its process whenever it sees the second instance."""
    _note("dies", instance)
    if instance.name.endswith("seed=1"):
        os.kill(os.getpid(), 9)
    return [range(instance.n)]
'''

SPEC = """
problem = "interval-covering"
methods = ["dynamic-program"]
algorithms = [{}]

[[instances]]
family = "uniform"
seeds = 6
n = 8
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


@pytest.fixture
def write_spec(folder):
    def write(*names, spec=SPEC):
        path = folder / "study.toml"
        named = ", ".join(f'"mine.py:{name}"' for name in names)
        path.write_text(spec.format(named))
        return path

    return write


@pytest.fixture
def calls(folder):
    return lambda: (folder / "calls").read_text().splitlines()
