"""Formulations as methods of studies, with what HiGHS tells of their trees."""

import sqlite3

import pytest

import atleastk
from atleastk import Study, StudyResults, UnknownNameError, conduct
from atleastk.research.studies.runs_table import run_lines
from atleastk.runs.pools import Here

ROWS = atleastk.generate("k-anonymity", "uniform", 1, n=12, m=4, values=3, k=3)


def asked(*methods, instances=(ROWS,), problem="k-anonymity"):
    return Study(problem=problem, instances=instances, algorithms=(), methods=methods)


def test_roots_and_nodes_are_those_of_each_formulation():
    methods = ("auto", "model:leaders", "model:patterns", "model:configuration")
    found = conduct(asked(*methods), executor=Here())
    auto, *models = found.rows
    assert (auto["root"], auto["nodes"]) == (None, None)
    for row in models:
        assert (row["status"], row["cost"]) == ("OPTIMAL", auto["cost"])
        assert row["nodes"] >= 0
        assert row["root"] <= row["cost"] + 1e-6
        relaxed = atleastk.relax(ROWS, row["name"].removeprefix("model:"))
        assert row["root"] >= float(relaxed.value) - 1e-6
    assert found.table["nodes"][1:] == [row["nodes"] for row in models]
    (heads,) = [line for line in run_lines(found) if line.startswith("| instance")]
    assert heads.endswith("| root | nodes |")


def test_without_formulations_tables_have_no_such_columns():
    found = conduct(asked("auto"), executor=Here())
    assert not any("root" in line for line in run_lines(found))


def test_a_formulation_without_a_name_or_a_place():
    with pytest.raises(UnknownNameError, match=r"methods\[0\].*known: leaders"):
        asked("model:cuts")
    many = atleastk.BinCovering([3] * 17, 3)
    study = asked("model:configuration", instances=[many], problem="bin-covering")
    (row,) = conduct(study, executor=Here()).rows
    assert row["status"] == "REFUSED"
    assert "17 items are too many for a model" in row["error"]


def test_where_a_model_is_impossible_at_once_there_is_no_tree():
    study = asked("model:leaders", instances=[atleastk.KAnonymity([[1], [2]], 3)])
    (row,) = conduct(study, executor=Here()).rows
    assert (row["status"], row["nodes"]) == ("INFEASIBLE", None)


def test_files_of_earlier_versions_are_read_and_go_on(tmp_path):
    path = tmp_path / "study.db"
    conduct(asked("auto"), path, executor=Here())
    with sqlite3.connect(path) as old:
        for name in ("root", "nodes"):
            old.execute(f"ALTER TABLE runs DROP COLUMN {name}")
    old.close()
    (row,) = StudyResults.load(path).rows
    assert (row["status"], row["root"], row["nodes"]) == ("OPTIMAL", None, None)
    grown = conduct(asked("auto", "model:patterns"), path, executor=Here())
    assert [row["nodes"] is None for row in grown.rows] == [True, False]


def test_cp_sat_solves_formulations_as_they_stand():
    methods = ("auto", "cp-sat:patterns", "cp-sat:compact", "model:compact")
    found = conduct(asked(*methods), executor=Here())
    assert {(row["status"], row["cost"]) for row in found.rows} == {
        ("OPTIMAL", found.rows[0]["cost"])
    }
    assert [row["nodes"] is None for row in found.rows] == [True, True, True, False]


@pytest.mark.parametrize(
    ("name", "told"),
    [("cp-sat:cuts", "known: leaders"), ("scip:leaders", "known are|NAME are")],
)
def test_unknown_solvers_and_formulations_are_told(name, told):
    with pytest.raises(UnknownNameError, match=told):
        asked(name)
