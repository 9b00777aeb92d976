import pytest

import atleastk
from atleastk.models.results.status import Status
from atleastk.research.studies.results import gap_of
from atleastk.research.studies.run import FAILED, REFUSED
from atleastk.research.studies.runs_table import run_lines
from atleastk.research.studies.store import Store
from atleastk.runs.pools import Here

SPEC = """
problem = "bin-covering"
algorithms = []
methods = ["subset-dp"]
time_limit = 20
target_gap = 0

[[instances]]
family = "uniform"
n = 6

[[instances]] # too many sizes for the method
family = "uniform"
n = 60
time_limit = 10
target_gap = 0.125

[[instances]] # there already, with the first target
family = "uniform"
n = [6, 7]
target_gap = 0.5
"""


@pytest.fixture
def spec(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(SPEC)
    return path


def test_targets_and_limits_are_of_an_entry(spec, tmp_path):
    path = tmp_path / "s.db"
    found = atleastk.conduct(atleastk.Study.load(spec), path, executor=Here())
    asked = [(row["time_limit"], row["target_gap"]) for row in found.rows]
    assert asked == [(20, 0), (10, 0.125), (20, 0.5)]
    assert found.table["time_limit"] == [20, 10, 20]
    assert [row["status"] for row in found.missed] == [REFUSED]
    (missed,) = map(found.label, found.missed)
    assert missed.endswith('seed=0" n=60 k=150 total=3156')
    assert found.told_targets == f"2 of 3 targets met; not met: {missed}, subset-dp"
    lines = list(run_lines(found))
    assert lines[1].endswith("| seconds | CPU seconds | limit | target | met |")
    ends = [" | ".join(line.split(" | ")[-3:]) for line in lines[3:6]]
    assert ends == ["20 | proof | yes |", "10 | 12.5% | **no** |", "20 | 50.0% | yes |"]
    assert f"**{found.told_targets}**" in lines


def test_a_run_has_the_limit_of_its_entry(spec, tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "atleastk.research.studies.run.Run._answer",
        lambda run, _: seen.append(run.limits.time_limit) or {"status": FAILED},
    )
    path = tmp_path / "s.db"
    atleastk.conduct(atleastk.Study.load(spec), path, executor=Here())
    assert seen == [20, 10, 20]
    with Store.writing(path) as store:
        store.retry()
        assert [planned.time_limit for planned in store.waiting()] == seen


def test_algorithms_have_no_target(spec):
    spec.write_text(SPEC.replace("algorithms = []", 'algorithms = ["spread"]'))
    found = atleastk.conduct(atleastk.Study.load(spec), executor=Here())
    assert [row["target_gap"] for row in found.rows if row["name"] == "spread"] == [
        None
    ] * 3
    assert "of 3 targets met" in found.told_targets


def test_a_target_that_is_missed_is_told_by_the_exit_code(spec, tmp_path, done, denied):
    told = denied(f"study {spec} --workers 1")
    assert "2 of 3 targets met; not met: " in told
    done(f"report {tmp_path}/s.db -o {tmp_path}/s.html")
    assert "<p>2 of 3 targets met; not met: " in (tmp_path / "s.html").read_text()
    spec.write_text(SPEC.replace("n = 60", "n = 8"))
    again = str(tmp_path / "again.db")
    assert "\n3 of 3 targets met\n" in done(f"study {spec} --workers 1 -o {again}")


@pytest.mark.parametrize(
    ("status", "cost", "bound", "gap"),
    [
        (Status.OPTIMAL, 7, 7, 0),
        (Status.INFEASIBLE, None, None, 0),
        (Status.FEASIBLE, 200, 150, 0.25),
        (Status.FEASIBLE, 200, None, 1),
        (Status.UNKNOWN, None, 3, 1),
        (FAILED, None, None, 1),
        (None, None, None, 1),
    ],
)
def test_the_gap_of_a_run(status, cost, bound, gap):
    assert gap_of({"status": status, "cost": cost, "bound": bound}) == gap
