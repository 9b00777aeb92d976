import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import closing, nullcontext
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import pytest

import atleastk
from atleastk.cli.main import main
from atleastk.instances.fields.errors import AtleastkError
from atleastk.research.studies import conduct, driver, run
from atleastk.research.studies.driver import Driver, Progress
from atleastk.research.studies.run import Record
from atleastk.research.studies.store import Store
from atleastk.runs import pools
from atleastk.runs.pools import Opened


def states(path):
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as held:
        return dict(held.execute("SELECT state, count(*) FROM runs GROUP BY state"))


def started(spec):
    command = [sys.executable, "-m", "atleastk", "study", spec.name, "--workers", "1"]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=spec.parent, text=True, **quiet)


def until(holds, process):
    while not holds():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        return stat.rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_driver_that_is_killed_goes_on_where_it_was(
    write_spec, folder, calls, number, monkeypatch, capsys
):
    spec, path = write_spec("waits"), folder / "study.db"
    process = started(spec)
    until(lambda: (folder / "calls").exists() and len(calls()) == 4, process)
    until(lambda: states(path).get("done") == 7, process)
    before = states(path)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    os.kill(process.pid, number)
    process.communicate()
    while any(map(alive, children.split())):
        time.sleep(0.02)
    assert before["running"] >= 1
    (folder / "go").touch()
    monkeypatch.chdir(folder)
    assert main(["study", spec.name, "--workers", "1"]) == 0
    shown, errors = capsys.readouterr()
    assert errors == ""
    assert shown.splitlines()[-1] == "study.db: 12 runs, 12 done"
    counts = Counter(calls())
    assert len(counts) == 6
    assert all(counts[name] == 1 for name in calls()[:3])
    assert max(counts.values()) <= 2


def test_a_driver_that_is_interrupted_says_how_it_goes_on(write_spec, folder, calls):
    process = started(write_spec("waits"))
    until(lambda: (folder / "calls").exists() and len(calls()) == 4, process)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode == 130
    assert "interrupted: " in errors
    assert errors.endswith("the same command goes on\n")
    assert states(folder / "study.db").get("running") is None
    assert states(folder / "study.db")["interrupted"] >= 1


def test_runs_of_a_lost_worker_run_again(write_spec, folder, calls):
    study = atleastk.Study.load(write_spec("dies_once", "plain"))
    found = atleastk.conduct(study, folder / "a.db", workers=1)
    assert found.states == {"done": 18}
    assert max(Counter(calls()).values()) == 2
    assert max(row["tries"] for row in found.rows) == 1


def test_a_run_that_always_kills_its_worker_has_failed(write_spec, folder, calls):
    study = atleastk.Study.load(write_spec("dies", "plain"))
    found = atleastk.conduct(study, folder / "a.db", workers=2)
    assert found.states == {"done": 17, "failed": 1}
    (lost,) = (row for row in found.rows if row["state"] == "failed")
    assert (lost["name"], lost["status"]) == ("mine.py:dies", "FAILED")
    assert "its worker was lost 3 times: BrokenProcessPool" in lost["error"]
    assert Counter(calls())["dies uniform n=8 low=1 high=100 seed=1"] == 3
    assert len(found.ratios()["mine.py:dies"].failed) == 1
    assert atleastk.conduct(study, folder / "a.db", workers=1).rows == found.rows


def test_an_algorithm_that_ends_its_program_has_failed(write_spec, folder):
    study = atleastk.Study.load(write_spec("quits"))
    found = atleastk.conduct(study, folder / "a.db", workers=1)
    assert found.states == {"done": 6, "failed": 6}
    (told,) = {row["error"] for row in found.rows if row["state"] == "failed"}
    assert told == "quits: SystemExit: 3 (mine.py, line 33)"


def one():
    return 1


class Broken(Executor):
    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        future.set_exception(BrokenExecutor("no worker begins"))
        return future


@pytest.fixture
def drive(write_spec, folder):
    def run(pool, match):
        study, path = atleastk.Study.load(write_spec("plain")), folder / "study.db"
        with Store.writing(path) as store:
            store.plan({}, conduct._planned(study))
            driver = Driver(store, lambda planned: planned, print)
            with pytest.raises(AtleastkError, match=match):
                driver.drive(pool)
            return store.states()

    return run


def test_workers_that_never_do_anything_end_the_study(drive):
    opened = Opened(Broken(), one)
    told = "before any run was done; a script does this under if __name__"
    assert drive(lambda: nullcontext(opened), told)["interrupted"] >= 2


def test_an_executor_of_somebody_else_that_broke_is_not_used_again(
    write_spec, folder, calls
):
    study = atleastk.Study.load(write_spec("dies_once"))
    path, told = folder / "a.db", "the executor broke; the same call goes on"
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as mine,
        pytest.raises(AtleastkError, match=told),
    ):
        atleastk.conduct(study, path, executor=mine)
    assert states(path)["done"] >= 2
    assert "running" not in states(path)
    with ProcessPoolExecutor(1, get_context("spawn")) as mine:
        found = atleastk.conduct(study, path, executor=mine)
        assert mine.submit(int).result() == 0, "it is not closed"
    assert found.states == {"done": 12}
    assert max(Counter(calls()).values()) == 2


def bins(count, algorithms, **fields):
    drawn = [{"family": "uniform", "seeds": count, "n": 3}]
    asked = {"instances": drawn, "algorithms": algorithms, **fields}
    return atleastk.Study(problem="bin-covering", **asked)


class Noting(Executor):
    def __init__(self):
        self.bundles = []

    def submit(self, fn, bundle):
        future = Future()
        future.set_result(fn(bundle))
        self.bundles.append((len(bundle), len(future.result())))
        return future


class Seen(NamedTuple):
    """A run that takes note of itself."""

    key: str
    seen: list
    seconds: float
    instance: str = "{}"

    def __call__(self):
        self.seen.append(self.key)
        return Record("OPTIMAL", seconds=self.seconds)


@pytest.mark.parametrize(
    ("seconds", "longest"), [(0.0, 16), (0.0035, 9), (0.02, 1), (9.0, 1)]
)
def test_short_runs_are_handed_over_in_bundles(tmp_path, seconds, longest):
    study, noting, seen = bins(200, []), Noting(), []

    def run_of(planned):
        return Seen(planned.key, seen, seconds)

    with Store.writing(tmp_path / "study.db") as store:
        store.plan({}, conduct._planned(study))
        keys = [planned.key for planned in store.waiting()]
        Driver(store, run_of, print).drive(lambda: nullcontext(Opened(noting, one)))
        assert store.states() == {"done": len(keys)}
    assert seen == keys
    sizes = [size for size, _ in noting.bundles]
    assert (sizes[0], max(sizes)) == (1, longest)


@pytest.mark.parametrize("forgets", [False, True])
def test_large_instances_are_sent_once_to_workers_that_keep_them(
    monkeypatch, forgets, tmp_path
):
    monkeypatch.setattr(driver, "_LARGE", 0)
    monkeypatch.setattr(run, "_TOGETHER", -1)
    monkeypatch.setattr(run, "_CACHE", {})
    sent = []

    class Sending(Noting):
        def submit(self, fn, bundle):
            if forgets:
                run._CACHE.clear()
            sent.extend(each.instance for each in bundle)
            return super().submit(fn, bundle)

    study, noting = bins(2, ["spread", "fold", "fold-last"], seeds=[0, 1]), Sending()
    found = atleastk.conduct(study, tmp_path / "study.db", executor=noting, workers=1)
    assert found.states == {"done": len(found.rows)}
    texts = [text for text in sent if text]
    assert len(set(texts)) == 2
    assert len(texts) >= len(found.rows) if forgets else len(texts) == 2
    assert any(came == 0 for _, came in noting.bundles) == forgets


def test_what_a_bundle_has_no_time_for_is_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "_TOGETHER", -1)
    study, noting = bins(40, ["spread"]), Noting()
    found = atleastk.conduct(study, tmp_path / "study.db", executor=noting, workers=1)
    assert found.states == {"done": len(found.rows)}
    assert {came for _, came in noting.bundles} == {1}
    assert len(noting.bundles) == len(found.rows)
    assert max(size for size, _ in noting.bundles) > 1


def test_progress_tells_rate_and_time_left():
    assert str(Progress(0, 0, 10, 0, 0.0)) == "0 of 10 runs"
    now = Progress(6, 1, 10, 4, 2.0)
    assert (now.rate, now.left) == (2.0, 2.0)
    assert str(now) == "6 of 10 runs, 1 failed, 2 a second, 2 s left"
    assert str(Progress(10, 0, 10, 8, 4.0)) == "10 of 10 runs, 2 a second"


def test_nobody_waits_for_a_cluster_whose_workers_are_gone(monkeypatch):
    monkeypatch.setattr(pools, "_GLANCE", 0)
    threads = {}
    workers = pools._Workers(lambda: threads, None)
    monkeypatch.setattr(pools, "_GONE", -1)
    assert workers() == 1
    threads |= {"a": 1, "b": 2}
    assert workers() == 3
    assert pools._Workers(lambda: threads, 7)() == 7
    threads.clear()
    with pytest.raises(AtleastkError, match="all workers of the cluster are gone"):
        workers()


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RuntimeError("after shutdown"), "lost 6 times before any run was done"),
        (EOFError("closed"), "the executor takes no runs: EOFError: closed"),
    ],
)
def test_an_executor_that_takes_no_runs_ends_the_study(drive, error, told):
    class Refusing(Executor):
        def submit(self, *_):
            raise error

    opened = Opened(Refusing(), one)
    assert "running" not in drive(lambda: nullcontext(opened), told)


def test_an_executor_that_says_that_it_is_lost_ends_the_study(drive):
    class Never(Executor):
        def submit(self, *_):
            return Future()

    looks = iter([1])

    def lost():
        for workers in looks:
            return workers
        raise AtleastkError("gone")

    found = drive(lambda: nullcontext(Opened(Never(), lost)), "gone")
    assert found == {"interrupted": 2, "planned": 10}


@pytest.mark.sweep
@pytest.mark.filterwarnings("default")  # what Dask says of a busy machine
def test_runs_that_always_kill_workers_of_dask_have_failed(write_spec, folder, calls):
    distributed = pytest.importorskip("distributed", reason="the extra dask")
    dask = pytest.importorskip("dask", reason="the extra dask")
    patient = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.deploy.lost-worker-timeout": "10 minutes",
    }
    local = {"threads_per_worker": 1, "dashboard_address": ":0"}
    study = atleastk.Study.load(write_spec("plain", "dies"))
    with dask.config.set(patient), distributed.LocalCluster(2, **local) as cluster:
        address = f"dask://{cluster.scheduler_address.removeprefix('tcp://')}"
        found = atleastk.conduct(study, folder / "study.db", executor=address)
    assert found.states == {"done": 17, "failed": 1}
    (failed,) = [row for row in found.rows if row["state"] == "failed"]
    assert failed["error"].startswith("its worker was lost 3 times: KilledWorker")
    assert sum(call.startswith("dies") and "seed=1" in call for call in calls()) == 3
