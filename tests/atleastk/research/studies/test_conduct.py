import csv
import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace

import polars
import pyarrow
import pytest

import atleastk
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidInstanceError,
    InvalidResultError,
)
from atleastk.instances.files import files
from atleastk.research.studies import conduct as conducting
from atleastk.research.studies import store
from atleastk.research.studies.page import pictures_of
from atleastk.research.studies.results import StudyResults
from atleastk.research.studies.store import Store
from atleastk.runs.pools import Here, pool_of
from atleastk.solvers import budget

SPEC = {
    "problem": "r-gather",
    "methods": ["subset-dp", "auto"],
    "time_limit": 20,
    "certify": True,
    "instances": [{"family": "uniform", "seeds": 2, "n": [6, 7], "r": 2}],
}
TIMES = ("seconds", "cpu_seconds")


def study(folder=None, **fields):
    return atleastk.Study.from_dict(SPEC | fields, folder)


def lasting(found):
    return [
        {k: v for k, v in r.items() if k not in (*TIMES, "result")} for r in found.rows
    ]


@pytest.fixture(scope="module")
def here():
    return atleastk.conduct(study(), executor=Here())


def test_a_study_runs_every_method_and_algorithm_on_every_instance(here):
    entries = 2 + len(atleastk.algorithms("r-gather"))
    assert here.states == {"done": 4 * entries}
    assert len({row["key"] for row in here.rows}) == 4 * entries
    ratios = here.ratios()
    assert not ratios.faults
    assert (ratios.instances, ratios.open, ratios.unknown) == (4, 0, 0)
    assert ratios["r-gather"].guarantee.theorem == "[Aggarwal10] Theorem 2.3"


def test_threads_and_processes_give_the_same(here, tmp_path):
    with ThreadPoolExecutor(2) as threads:
        assert lasting(atleastk.conduct(study(), executor=threads)) == lasting(here)
    path = tmp_path / "a.db"
    assert lasting(atleastk.conduct(study(), path, workers=2)) == lasting(here)


@pytest.mark.filterwarnings("default")  # what Dask says of a busy machine
def test_a_cluster_of_dask_gives_the_same(here):
    distributed = pytest.importorskip("distributed", reason="the extra dask")
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0"
    )
    with cluster:
        address = f"dask://{cluster.scheduler_address.removeprefix('tcp://')}"
        assert lasting(atleastk.conduct(study(), executor=address)) == lasting(here)
        with distributed.Client(cluster) as client:
            mine = client.get_executor(pure=False)
            assert lasting(atleastk.conduct(study(), executor=mine)) == lasting(here)
            with pool_of(mine)() as opened:
                assert opened.workers() == 1, "its threads, not our processors"


def drawn(path):
    results = StudyResults.load(path)
    return pictures_of(results, results.ratios())


def test_what_is_done_never_runs_again(tmp_path, monkeypatch, here):
    path = tmp_path / "a.db"
    atleastk.conduct(study(), path, executor=Here())
    monkeypatch.setattr(Here, "submit", None)
    assert lasting(atleastk.conduct(study(), path, executor=Here())) == lasting(here)
    assert lasting(atleastk.StudyResults.load(path)) == lasting(here)
    assert str(atleastk.StudyResults.load(path).ratios()) == str(here.ratios())


def test_a_file_goes_on_with_studies_of_its_own_problem_only(tmp_path):
    path = tmp_path / "a.db"
    atleastk.conduct(study(instances=[]), path, executor=Here())
    other = {"problem": "bin-covering", "instances": [], "methods": ["auto"]}
    with pytest.raises(InvalidResultError, match="a study of r-gather, not of bin-cov"):
        atleastk.conduct(atleastk.Study.from_dict(other), path, executor=Here())


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"algorithms": ["k-center", "r-gather"]}, "12 runs kept, 4 new, 0 set aside"),
        ({"algorithms": []}, "8 runs kept, 0 new, 4 set aside"),
        ({"seeds": [1, 0]}, "12 runs kept, 12 new, 0 set aside"),
        (
            {"instances": [{"family": "uniform", "seeds": 3, "n": 6, "r": 2}]},
            "6 runs kept, 3 new, 6 set aside",
        ),
        (
            {"time_limit": 19},
            "0 runs kept, 12 new (4 of auto, 4 of r-gather, 4 of subset-dp: they or "
            "their limits have changed), 12 set aside",
        ),
    ],
)
def test_a_study_grows(tmp_path, fields, told):
    path, few = tmp_path / "a.db", {"algorithms": ["r-gather"]}
    atleastk.conduct(study(**few), path, executor=Here())
    grown = atleastk.conduct(study(**{**few, **fields}), path, executor=Here())
    assert grown.grown == [told]
    anew = atleastk.conduct(study(**{**few, **fields}), executor=Here())
    assert lasting(grown) == lasting(anew) == lasting(StudyResults.load(path))
    assert grown.documents == anew.documents
    back = atleastk.conduct(study(**few), path, executor=Here())
    assert back.grown[0].startswith("12 runs kept, 0 new, ")


@pytest.mark.parametrize("own", [{}, {"time_limit": 20}])
def test_the_machine_is_asked_as_often_whatever_the_instances(
    own, tmp_path, monkeypatch
):
    asked, told = [], []
    monkeypatch.setattr(budget, "usable_memory", lambda: asked.append(1))
    for n in ([5, 6], [5, 6, 7, 8]):
        entry = {"family": "uniform", "seeds": 2, "n": n, "r": 2} | own
        small, path = {"instances": [entry]}, tmp_path / f"{len(n)}.db"
        atleastk.conduct(study(**small), path, executor=Here())
        asked.clear()
        grown = study(**small, algorithms=[])
        assert " 0 new, " in atleastk.conduct(grown, path, executor=Here()).grown[0]
        told.append(len(asked))
    assert told[0] == told[1]


def test_other_studies_give_their_optima(tmp_path, monkeypatch):
    (tmp_path / "sub").mkdir()
    first = atleastk.conduct(study(), tmp_path / "sub" / "a.db", executor=Here())
    asked = study(algorithms=[], optima=["sub", "no.db"], folder=tmp_path)
    monkeypatch.setattr(Here, "submit", None)
    taken = atleastk.conduct(asked, tmp_path / "b.db", executor=Here())
    assert taken.grown == [f"8 runs taken from {tmp_path / 'sub' / 'a.db'}"]
    assert {row["taken_from"] for row in taken.rows} == {"a.db"}
    known = {row["key"]: row["result"] for row in first.rows}
    assert all(known[row["key"]] == row["result"] for row in taken.rows)


@pytest.mark.parametrize(
    "change",
    [
        "cost = cost + 1",
        "bound = bound + 1",
        "status = 'FEASIBLE'",
        "result = replace(result, '\"cost\":', '\"cost\":1')",
        "result = '{}'",
    ],
)
def test_what_does_not_hold_is_not_taken(tmp_path, change):
    atleastk.conduct(study(methods=["auto"]), tmp_path / "a.db", executor=Here())
    with closing(sqlite3.connect(tmp_path / "a.db", isolation_level=None)) as held:
        held.execute(f"UPDATE runs SET {change} WHERE name = 'auto'")
    asked = study(methods=["auto"], algorithms=[], optima=["a.db"], folder=tmp_path)
    found = atleastk.conduct(asked, tmp_path / "b.db", executor=Here())
    path = tmp_path / "a.db"
    told = [f"0 runs taken from {path}", f"4 runs of {path} do not hold, and run again"]
    assert found.grown == told
    assert {row["taken_from"] for row in found.rows} == {None}
    assert {row["status"] for row in found.rows} == {"OPTIMAL"}


def test_a_file_takes_another_title_and_runs_nothing_again(tmp_path):
    path = tmp_path / "a.db"
    first = atleastk.conduct(study(algorithms=[]), path, executor=Here())
    told = {"title": "Another", "against": "n"}
    atleastk.conduct(study(algorithms=[], **told), path, executor=Here())
    again = StudyResults.load(path)
    assert (again.title, again.against, again.rows) == ("Another", "n", first.rows)


def test_a_file_goes_on_with_its_own_versions_only(tmp_path, monkeypatch):
    path = tmp_path / "a.db"
    atleastk.conduct(study(instances=[]), path, executor=Here())
    monkeypatch.setattr(conducting, "versions_installed", lambda: {"atleastk": "9"})
    with pytest.raises(InvalidResultError, match=r"begun with other versions \(atleas"):
        atleastk.conduct(study(instances=[]), path, executor=Here())


def test_an_algorithm_that_has_changed_runs_again_and_nothing_else(
    folder, write_spec, calls
):
    spec, path = write_spec("plain", "dies_once"), folder / "a.db"
    (folder / "died").touch()
    atleastk.conduct(atleastk.Study.load(spec), path, executor=Here())
    (folder / "calls").unlink()
    source = (folder / "mine.py").read_text()
    for change, told in (
        (("def plain", "# a remark\ndef plain"), []),
        (('"""Notes its calls."""\n', '"""Notes its calls."""\n    pass\n'),
         ["12 runs kept, 6 new (6 of mine.py:plain: they or their limits have changed),"
          " 6 set aside"]),
    ):  # fmt: skip
        (folder / "mine.py").write_text(source.replace(*change))
        found = atleastk.conduct(atleastk.Study.load(spec), path, executor=Here())
        assert found.grown == told
    assert calls() == [
        f"plain uniform n=8 low=1 high=100 seed={seed}" for seed in range(6)
    ]


def test_one_driver_at_a_time(tmp_path):
    path = tmp_path / "a.db"
    with (
        Store.writing(path),
        pytest.raises(AtleastkError, match="another process writes to this study"),
    ):
        atleastk.conduct(study(), path, executor=Here())
    atleastk.conduct(study(instances=[]), path, executor=Here())


def test_a_study_is_one_file_once_its_driver_ends(tmp_path):
    path = tmp_path / "a.db"
    atleastk.conduct(study(), path, executor=Here())
    assert list(tmp_path.iterdir()) == [path]
    atleastk.StudyResults.load(path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_lock_that_was_deleted_is_none(tmp_path):
    """Here the last driver ends just after the next one opened the file of its lock."""
    path, lock = tmp_path / "a.db", tmp_path / "a.db.lock"
    opened = store._connected(str(lock))
    with closing(opened), pytest.MonkeyPatch.context() as patched:
        opened.execute("CREATE TABLE any (x)")
        lock.unlink()
        patched.setattr(store, "_connected", lambda _: opened)
        with (
            pytest.raises(AtleastkError, match="another process writes"),
            Store.writing(path),
        ):
            pass


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "a.db"
    path.write_text("a diary " * 99)
    with pytest.raises(InvalidResultError, match=r"a\.db: no study"):
        atleastk.conduct(study(), path, executor=Here())
    assert path.read_text().startswith("a diary")
    other = tmp_path / "b.db"
    with sqlite3.connect(other) as held:
        held.execute("CREATE TABLE t (x)")
    held.close()
    with pytest.raises(InvalidResultError, match="no study of this version"):
        atleastk.conduct(study(), other, executor=Here())
    with pytest.raises(InvalidResultError, match="no such file"):
        atleastk.StudyResults.load(tmp_path / "none.db")
    with (
        Store.writing(tmp_path / "new.db"),
        pytest.raises(InvalidResultError, match="nothing is planned yet"),
    ):
        atleastk.StudyResults.load(tmp_path / "new.db")
    with pytest.raises(AtleastkError, match="cannot be written"):
        atleastk.conduct(study(), tmp_path / "no" / "c.db", executor=Here())


def test_a_plan_is_kept_whole_or_not_at_all(tmp_path):
    """Here the last instance cannot be made, first of a new study, then of one."""
    path, broken = tmp_path / "a.db", {"family": "uniform", "seeds": 1, "n": [6, -1]}
    with pytest.raises(InvalidInstanceError):
        atleastk.conduct(study(instances=[broken]), path, executor=Here())
    good = atleastk.conduct(study(algorithms=[]), path, executor=Here())
    assert good.states == {"done": 8}
    grown = study(algorithms=[], instances=[*SPEC["instances"], broken])
    with pytest.raises(InvalidInstanceError):
        atleastk.conduct(grown, path, executor=Here())
    assert StudyResults.load(path).rows == good.rows


def test_functions_that_cannot_be_sent_are_told_before_any_run(tmp_path):
    asked = study(algorithms=[lambda instance: [range(instance.n)]])
    with pytest.raises(AtleastkError, match="<lambda>: cannot be sent to another"):
        atleastk.conduct(asked, tmp_path / "a.db")


def test_tables_of_runs(here, tmp_path):
    here.export(tmp_path / "a.csv")
    here.export(tmp_path / "a.parquet")
    rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
    frame = polars.read_parquet(tmp_path / "a.parquet")
    assert [row["key"] for row in rows] == frame["key"].to_list()
    assert here.to_frame("pandas")["key"].tolist() == frame["key"].to_list()
    assert frame["cost"].to_list() == [row["cost"] for row in here.rows]
    assert frame["ratio"].max() == pytest.approx(here.ratios().worst.ratio)
    wide = atleastk.BinCovering([2**70] * 2, 1)
    asked = {"problem": "bin-covering", "instances": [wide], "algorithms": ["spread"]}
    found = atleastk.conduct(atleastk.Study.from_dict(asked), executor=Here())
    assert (found.rows[0]["cost"], found.table["cost"][0]) == (2**70, str(2**70))


def test_instances_of_a_study_have_names_of_their_own():
    asked = [{"family": "uniform", "seeds": 3, "n": 6, "r": [2, 3]}]
    drawn = list(study(instances=asked).drawn())
    assert len({one.name for one in drawn}) == len(drawn) == 6


def test_fields_that_are_replaced_make_other_names(tmp_path):
    path = tmp_path / "bins.jsonl"
    files.write_lines(path, [atleastk.BinCovering([5, 6], 5, name="two").to_dict()])
    fields = {"files": str(path), "k": [5, 8]}
    asked = atleastk.Study(problem="bin-covering", instances=[fields])
    assert [one.name for one in asked.drawn()] == ["two", "two k=8"]


ORIGIN = ("family", "parameters", "instance_seed")


def test_tables_tell_what_instances_are_made_of(here):
    table = here.table
    rows = list(zip(*(table[name] for name in ORIGIN), strict=True))
    assert set(rows) == {
        (
            "uniform",
            f'{{"n": {n}, "high": 1000, "r": 2, "max_outliers": 0, '
            '"centres": "input"}',
            seed,
        )
        for n in (6, 7)
        for seed in (0, 1)
    }


def test_columns_have_a_type_though_they_hold_nothing(tmp_path):
    bare = atleastk.BinCovering([5, 6], 5)
    bins = {"problem": "bin-covering", "algorithms": ["spread"], "methods": ["auto"]}
    made = {"instances": [{"family": "uniform", "n": 5}], "target_gap": 0.1}
    plain, rich = (
        atleastk.conduct(study(**bins, **asked), executor=Here())
        for asked in ({"instances": [bare]}, made)
    )
    first, second = (found.to_frame("pyarrow").schema for found in (plain, rich))
    assert first == second
    assert not any(pyarrow.types.is_null(field.type) for field in first)
    joined = polars.concat([found.to_frame("polars") for found in (plain, rich)])
    assert joined.height == 4
    frames = [found.to_frame("pandas") for found in (plain, rich)]
    assert frames[0].dtypes.equals(frames[1].dtypes)
    for number, found in enumerate((plain, rich)):
        found.export(tmp_path / f"{number}.parquet")
    assert polars.read_parquet(tmp_path / "*.parquet").height == 4
    empty, full = (
        atleastk.ratio(f, [bare], problem="bin-covering").to_frame("polars")
        for f in (lambda _: 1 / 0, "spread")
    )
    assert polars.concat([empty, full]).height == 2


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DROP TABLE runs", "no study: no such table: runs"),
        ("ALTER TABLE runs RENAME status TO x", "x: unknown column of a run"),
        ("UPDATE runs SET cost = 'x'", "cost: expected an integer"),
        ("UPDATE runs SET kind = 'x'", "kind: expected one of"),
        ("UPDATE runs SET state = 'x'", "state: expected one of"),
        ("UPDATE runs SET status = NULL", "status: missing, though the run is done"),
        ("UPDATE instances SET document = NULL", "instance .*: expected a text"),
        ("UPDATE instances SET document = 'x'", "broken JSON"),
        ("UPDATE instances SET document = '{}'", "problem: missing"),
        ("UPDATE runs SET result = '[]'", "result: expected a JSON object"),
        ("UPDATE study SET value = 'x' WHERE name = 'problem'", "no problem is called"),
        ("DELETE FROM study WHERE name = 'folder'", "folder: expected a text"),
        ("UPDATE study SET value = '{}' WHERE name = 'spec'", "spec: what the study"),
        ("UPDATE study SET value = '[]' WHERE name = 'versions'", "versions: expected"),
    ],
)
def test_a_file_that_was_changed_is_refused(tmp_path, change, told):
    path = tmp_path / "a.db"
    atleastk.conduct(study(methods=["subset-dp"]), path, executor=Here())
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(change)
    with pytest.raises(AtleastkError, match=told):
        drawn(path)


def test_results_hold_the_solutions(here):
    for row in here.rows:
        if row["result"]:
            verdict = atleastk.check(here.instance(row["instance"]), here.result(row))
            assert (verdict.violations, verdict.cost) == ((), row["cost"])


def test_exact_methods_that_contradict_each_other_are_told(here):
    first = here.rows[0]["instance"]

    def changed(**fields):
        rows = [dict(row) for row in here.rows]
        rows[0] |= fields
        return replace(here, rows=rows).ratios()

    for fields, told in (
        ({"bound": 10**9}, "subset-dp says OPTIMAL"),
        ({"status": "INFEASIBLE", "cost": None, "bound": None}, "says INFEASIBLE"),
        ({"status": "WRONG", "error": "two minds"}, "subset-dp: two minds"),
    ):
        ratios = changed(**fields)
        (found,) = ratios.contradictions
        assert found.instance.sha256 == first
        assert told in found.what
        assert ratios.faults == [found]
        assert told in "".join(ratios.told_faults)


def test_a_solution_of_what_is_said_to_have_none_is_told(here):
    first = here.rows[0]["instance"]
    none = {"status": "INFEASIBLE", "cost": None, "bound": None}
    rows = [
        dict(row)
        | (none if (row["instance"], row["kind"]) == (first, "method") else {})
        for row in here.rows
    ]
    (found,) = replace(here, rows=rows).ratios().contradictions
    assert found.instance.sha256 == first
    assert "said to have no solution, but r-gather costs" in found.what


def test_what_has_failed_runs_again_if_asked(folder, write_spec, calls):
    (folder / "mine.py").write_text(
        "import pathlib\n"
        "def plain(instance):\n"
        "    with (pathlib.Path(__file__).parent / 'calls').open('a') as file:\n"
        "        file.write(f'{instance.name}\\n')\n"
        "    if (pathlib.Path(__file__).parent / 'well').exists():\n"
        "        return [range(instance.n)]\n"
        "    raise OSError('not today')\n"
    )
    asked, path = atleastk.Study.load(write_spec("plain")), folder / "a.db"
    first = atleastk.conduct(asked, path, executor=Here())
    assert first.states == {"done": 6, "failed": 6}
    errors = {r["error"] for r in first.rows if r["error"]}
    assert errors == {"OSError: not today (mine.py, line 7)"}
    (folder / "well").touch()
    assert atleastk.conduct(asked, path, executor=Here()).states == first.states
    again = atleastk.conduct(asked, path, executor=Here(), again=True)
    assert again.states == {"done": 12}
    assert not any(row["error"] for row in again.rows)
    assert len(calls()) == 12


def test_with_more_time_only_what_is_not_proved_runs_again(tmp_path, monkeypatch):
    path, names = tmp_path / "a.db", ["r-gather"]
    short = {"algorithms": names, "methods": ["subset-dp"], "certify": False}
    first = atleastk.conduct(study(**short, time_limit=20), path, executor=Here())
    assert first.states == {"done": 8}
    with closing(sqlite3.connect(path, isolation_level=None)) as held:
        held.execute(
            "UPDATE runs SET status = 'FEASIBLE', bound = 0 WHERE name = 'subset-dp' "
            "AND key IN (SELECT key FROM runs ORDER BY place LIMIT 1)"
        )
    performed = []
    submit = Here.submit
    monkeypatch.setattr(
        Here, "submit", lambda self, *a: performed.append(a) or submit(self, *a)
    )
    longer = atleastk.conduct(study(**short, time_limit=30), path, executor=Here())
    assert longer.grown == [
        "0 runs kept, 8 new (4 of r-gather, 4 of subset-dp: they or their limits have "
        "changed), 8 set aside",
        "7 runs kept that had less time, 3 proofs",
    ]
    assert len(performed) == 1
    assert longer.states == {"done": 8}
    taken = {(row["name"], row["taken_from"]) for row in longer.rows}
    assert taken == {("subset-dp", "20 s"), ("subset-dp", None), ("r-gather", "20 s")}
    assert {r["status"] for r in longer.rows if r["name"] == "subset-dp"} == {"OPTIMAL"}
    performed.clear()
    shorter = study(**short, time_limit=10)
    assert atleastk.conduct(shorter, path, executor=Here()).states == {"done": 8}
    assert len(performed) == 8


def test_tables_have_the_notes_of_results(here):
    assert set(here.table["note"]) == {None}
    (first, *_) = here.rows
    result = json.loads(first["result"]) | {"note": "the list was cut"}
    noted = replace(here, rows=[dict(first, result=json.dumps(result))])
    assert noted.table["note"] == ["the list was cut"]
