import json
import sys
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

from atleastk.instances.suppression import Suppression
from atleastk.solvers.brute_force.suppression import Outcomes
from scripts.reductions import check_reduction_web as check
from scripts.reductions import reduction_web_report as report


def test_solutions_are_found_by_their_cells():
    instance = Suppression([["a", "b"], ["a", "c"]], 2)
    solved = check.Solved(instance, Outcomes.of(instance.table))
    assert sorted(solved.costs.tolist()) == [2, 4]
    for place, cost in enumerate(solved.costs.tolist()):
        assert solved.cost_of(solved.cells_at(place)) == cost
    assert solved.cost_of([(0, 1)]) is None


@pytest.mark.parametrize(("n", "m", "count"), [(3, 1, 3), (2, 2, 3), (3, 2, 7)])
def test_all_tables(n, m, count):
    tables = check.tables_of(n, m)
    assert len(tables) == len(set(tables)) == count
    forms = {form(table) for table in tables}
    assert len(forms) == count
    for cells in product("xy", repeat=n * m):
        rows = [cells[i * m : (i + 1) * m] for i in range(n)]
        assert form(rows) in forms


def form(rows):
    n = len(rows)
    pairs = [
        sorted(
            tuple(rows[i][c] == rows[j][c] for i in order for j in order)
            for c in range(len(rows[0]))
        )
        for order in [p for p in product(range(n), repeat=n) if len(set(p)) == n]
    ]
    return repr(min(pairs))


@pytest.mark.parametrize(("count", "orders"), [(1, 0), (2, 2), (3, 12), (4, 74)])
def test_all_orders(count, orders):
    found = check.orders_of(count)
    assert len(set(found)) == orders
    assert all(sorted(sum(order, ())) == list(range(count)) for order in found)


def run(folder, *words):
    """Run the script; return its exit code and what it found."""
    check = import_module("scripts.reductions.check_reduction_web")
    places = ["--out", folder, "--pictures", folder, "--data", folder / "checked.json"]
    words = words or ["--cells", "2", "--random", "2"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["check", *map(str, (*words, *places))])
        code = check.main()
    return code, json.loads((folder / "reduction_web.json").read_text())


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """A folder of all that is written, and what was found."""
    folder = tmp_path_factory.mktemp("checked")
    return folder, *run(folder)


def test_what_is_found(checked):
    folder, code, found = checked
    assert code == 0
    statuses = [edge["status"] for edge in found["edges"]]
    assert [statuses.count(s) for s in ("checked", "refuted", "undefined")] == [
        87,
        15,
        21,
    ]
    first = next(e for e in found["edges"] if e["target"] == "r'-PART")
    example = first["readings"][0]["example"]
    assert example["instance"]["table"] == [["a"]]
    assert example["what"] == "no, its image yes"
    assert first["readings"][1]["refuted"] == 0
    lost = found["proofs_lost"]
    assert lost["many-one"]["outside"] == ["c'-PART", "c'-SUP", "r-c'-PART", "r-c'-SUP"]
    assert len(lost["many-one"]["refuted"]) == 8
    assert lost["many-one"]["never"] == lost["many-one"]["repaired"] == ["r-DEL"]
    assert len(lost["metric"]["never"]) == 12
    assert lost["metric"]["repaired"] == lost["metric"]["never"]
    assert len(lost["L"]["outside"]) == 12
    assert lost["L"]["repaired"] == lost["L"]["never"]
    told = (folder / "reduction_web.md").read_text()
    assert "| many-one | 50 | 39 | 6 | 5 |" in told
    assert (folder / "web_many_one.png").stat().st_size > 10_000
    assert (folder / "web_l.png").stat().st_size > 10_000


def test_redrawn(checked):
    folder, code, found = checked
    names = ("reduction_web.json", "reduction_web.md", "checked.json")
    before = [(folder / name).read_text() for name in names]
    assert run(folder, "--redraw") == (code, found)
    assert [(folder / name).read_text() for name in names] == before


def test_what_is_shipped():
    reports = Path(report.__file__).parents[2] / "docs/benchmarks"
    web = json.loads((reports / "reduction_web.json").read_text())
    sources = json.loads((reports / "reduction_sources.json").read_text())
    rows = [*report.rows_of_sources(sources), *report.rows_of_web(web["edges"])]
    assert json.loads(report.DATA.read_text())["rows"] == [list(row) for row in rows]
    assert len(rows) == len({row[:4] for row in rows}) == 20 + 123 + 15 + 21


def test_statuses():
    holds, fails, undefined, repaired = (
        report.Row("a", "b", "L", *counts)
        for counts in ((False, 9, 0), (False, 8, 1), (False, 0, 0), (True, 7, 0))
    )
    for rows, told in (
        ([holds], ("checked", 9)),
        ([fails], ("wrong", 8)),
        ([fails, repaired], ("refuted", 7)),
        ([holds, fails, repaired], ("refuted", 7)),
        ([undefined, repaired], ("undefined", 7)),
        ([repaired], ("added", 7)),
    ):
        found = report.status_of(rows)
        assert (found.status, found.instances) == told


@pytest.mark.parametrize("broken", ["forward", "back"])
def test_broken_reductions_are_noticed(tmp_path, monkeypatch, broken):
    original = check.reduction_of

    def sabotaged(rule, reading):
        reduction = original(rule, reading)
        if rule.name != "c-DEL -> c-e-SUP":
            return reduction
        if broken == "back":
            return replace(reduction, back=lambda *_: frozenset({(0, 0)}))
        return replace(reduction, forward=lambda a: replace(reduction.forward(a), k=1))

    monkeypatch.setattr(check, "reduction_of", sabotaged)
    monkeypatch.setattr(check, "draw_webs", lambda *_: None)
    code, found = run(tmp_path, "--cells", "1", "--random", "1")
    assert code == 1
    (edge,) = [e for e in found["edges"] if e["readings"][0]["beyond"]]
    assert (edge["target"], edge["status"]) == ("c-e-SUP", "refuted")
