"""Trials: runs, the log, resuming, and holding runs against each other."""

import pytest


@pytest.mark.parametrize(
    ("fields", "proven", "gap"),
    [
        ({}, True, 0.0),
        ({"status": "INFEASIBLE", "cost": None, "bound": None}, True, 0.0),
        ({"seconds": 10.2}, False, 0.0),
        ({"status": "FEASIBLE", "cost": 8, "bound": 6}, False, 0.25),
        ({"status": "UNKNOWN", "cost": None, "bound": 6}, False, 1.0),
        ({"status": "FAILED", "cost": None, "bound": None}, False, 1.0),
    ],
)
def test_proven_means_in_time(run, fields, proven, gap):
    """A proof after the limit is none; without a solution the gap is whole."""
    assert run(**fields).proven is proven
    assert run(**fields).gap == gap


def test_log_outlives_the_process(trials, run, tmp_path):
    """A second log on the same file holds the same runs; the last of a key counts."""
    path = tmp_path / "deep" / "runs.jsonl"
    first = trials.Log(path)
    first.add(run(seed=1))
    first.add(run(seed=2, status="FAILED", error="killed"))
    first.add(run(seed=2, cost=9, bound=9))
    again = trials.Log(path)
    assert again.runs == first.runs
    assert [r.cost for r in again.runs.values()] == [7, 9]
    assert len(path.read_text().splitlines()) == 3


def test_torn_last_line_is_dropped(trials, run, tmp_path):
    """What a killed script left half-written does not spoil the next line."""
    path = tmp_path / "runs.jsonl"
    trials.Log(path).add(run())
    with path.open("a") as file:
        file.write('{"family": "unif')
    log = trials.Log(path)
    log.add(run(seed=1))
    assert len(trials.Log(path).runs) == 2


def test_damaged_line_is_told(trials, run, tmp_path):
    """The error names the file and the line."""
    path = tmp_path / "runs.jsonl"
    trials.Log(path).add(run())
    with path.open("a") as file:
        file.write('{"family": "uniform"}\n')
    with pytest.raises(SystemExit, match=r"runs\.jsonl:2: not a run"):
        trials.Log(path)


@pytest.mark.parametrize(
    ("fields", "contradicts"),
    [
        ({"method": "cp-sat"}, False),
        ({"status": "FEASIBLE", "cost": 9, "bound": 5}, False),
        ({"status": "UNKNOWN", "cost": None, "bound": None}, False),
        ({"status": "UNKNOWN", "cost": None, "bound": 8}, True),
        ({"status": "FEASIBLE", "cost": 6, "bound": 5}, True),
        ({"status": "INFEASIBLE", "cost": None, "bound": None}, True),
        ({"status": "INFEASIBLE", "instance_sha256": "two", "cost": None}, False),
        ({"status": "WRONG", "cost": None, "bound": None, "error": "caught"}, True),
    ],
)
def test_contradictions(trials, run, fields, contradicts):
    """Costs and bounds of one instance must fit together, whoever claims them."""
    assert bool(trials.contradictions([run(), run(**fields)])) is contradicts


@pytest.fixture
def performed(trials, run, monkeypatch):
    """Replaces the work of a trial; lists what was performed."""
    done = []

    def perform(trial):
        done.append(str(trial.case))
        return run(
            seed=trial.case.seed,
            method=trial.method,
            time_limit=trial.time_limit,
            instance_sha256=trial.case.instance.sha256,
            cost=7 if trial.method == "auto" else 8,
            bound=7 if trial.method == "auto" else 8,
        )

    monkeypatch.setattr(trials.Trial, "perform", perform)
    return done


@pytest.fixture
def planned(cases, trials):
    def plan(seeds=2, method="auto", limit=10.0):
        found = cases.cases({"uniform-1e2": [9]}, seeds)
        return [trials.Trial(case, method, 2, 2, limit) for case in found]

    return plan


def test_finished_trials_are_not_repeated(trials, planned, performed, tmp_path):
    """A script resumes; another seed or limit is another trial."""
    path = tmp_path / "runs.jsonl"
    first = trials.run_all(planned(), trials.Log(path))
    assert len(performed) == 2
    assert trials.run_all(planned(), trials.Log(path)) == first
    assert len(performed) == 2
    trials.run_all(planned(seeds=3), trials.Log(path))
    assert performed[2:] == ["uniform-1e2 n=9 seed=2"]
    trials.run_all(planned(limit=20.0), trials.Log(path))
    assert len(performed) == 5


def test_failed_trials_are_repeated(trials, planned, performed, tmp_path):
    """A crash is no answer."""
    log = trials.Log(tmp_path / "runs.jsonl")
    (trial,) = planned(seeds=1)
    log.add(trial.blank)
    (repeated,) = trials.run_all([trial], log)
    assert performed == [str(trial.case)]
    assert repeated.status == "OPTIMAL"


def test_contradiction_ends_the_script(trials, planned, performed, tmp_path):
    """At once, loudly; and again at the next start, before anything runs."""
    both = planned(seeds=1) + planned(seeds=1, method="cp-sat")
    log = trials.Log(tmp_path / "runs.jsonl")
    for _ in range(2):
        with pytest.raises(SystemExit, match=r"CONTRADICTION\n.*cp-sat: OPTIMAL 8"):
            trials.run_all([*both, *planned()], log)
        assert len(performed) == 2


def test_software(trials, run):
    """A mixture of sources is complained of."""
    assert not any("several" in line for line in trials.software([run(), run()]))
    mixed = trials.software([run(), run(sources="xyz", versions={"atleastk": "2"})])
    assert mixed[0] == "Software: atleastk 1/2."
    assert "several states" in mixed[-1]


def test_refusal_and_crash_are_runs(cases, trials):
    """A method that takes no such instance, and a process that breaks."""
    case = cases.SERIES["uniform-1e2"].case(65, 0)
    refused = trials.Trial(case, "completion", 1, 1, 1.0).perform()
    assert refused.status == "REFUSED"
    assert "64 items" in refused.error
    assert not refused.proven
    broken = trials.Trial(case, "no-such-method", 1, 1, 1.0).perform()
    assert broken.status == "FAILED"
    assert "no-such-method" in broken.error
