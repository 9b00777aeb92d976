import json

import numpy as np
import pytest

import atleastk
from atleastk import BinCovering, Generalization, KAmbiguity, KAnonymity, Suppression
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.instances.suppression_names import DECISIONS, MAXIMISATIONS, MINIMISATIONS
from atleastk.models.deals import DealtSolution

TABLE = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "z"]]


@pytest.fixture
def ended(run, tmp_path):
    def call(command, instance, *words):
        path = tmp_path / "instance.json"
        path.write_text(json.dumps(instance.to_dict()))
        return run(command, path, *words)[:2]

    return call


@pytest.mark.parametrize(
    ("fields", "lines"),
    [
        (
            {"minimise": "k", "limits": {"entries": 4}},
            ["cost    -2   (k = 2)", "bound   -2   (k <= 2)"],
        ),
        (
            {"minimise": "none", "limits": {"entries": 4}},
            ["cost    0   (nothing is minimised)"],
        ),
        ({"minimise": "per_row"}, ["cost    1   (cells in a row)"]),
        ({"limits": {"per_row": 1}}, ["cost    4   (cells)"]),
        (
            {"minimise": "rows", "limits": {"columns": 1}},
            ["cost    0   (rows)", "region  column 1; and 0 rows"],
        ),
    ],
)
def test_costs_of_suppression_have_a_meaning(ended, tmp_path, fields, lines):
    instance = Suppression(TABLE, 2, columns=["letter", "column 1"], **fields)
    code, shown = ended("solve", instance, "-o", tmp_path / "result.json")
    assert code == 0
    for line in lines:
        assert f"  {line}\n" in shown
    assert "  lost    4 cells, at most 1 per row and 4 per column; " in shown
    code, shown = ended("check", instance, tmp_path / "result.json")
    assert code == 0
    cost = lines[0].removeprefix("cost").split()
    assert shown.splitlines()[0] == f"holds: cost {' '.join(cost)}"


def test_levels_are_told_by_column():
    hierarchies = [suppression_of("ab"), suppression_of("xyz")]
    instance = Generalization(TABLE, 2, hierarchies, on="attributes")
    assert "\n  levels  column 0 0, column 1 1\n" in str(atleastk.solve(instance))


def test_other_costs_speak_for_themselves():
    instance = BinCovering([2, 2], 2)
    assert instance.meaning(2) == ""
    assert "\n  cost    2\n  bound   2\n  groups  2\n" in str(atleastk.solve(instance))


def test_what_to_relax_is_told_if_asked_for(ended, monkeypatch):
    monkeypatch.setattr(
        atleastk.cli.solve,
        "relaxed_limits",
        lambda _i, outcome, _b: (("rows: 0 -> 4",), outcome),
    )
    instance = Suppression(TABLE, 2, limits={"rows": 0})
    code, shown = ended("solve", instance)
    assert (code, "relax" in shown) == (1, False)
    _, shown = ended("solve", instance, "--relax")
    assert shown.endswith("  relax   rows: 0 -> 4\n")
    _, shown = ended("solve", instance, "--relax", "--json")
    assert json.loads(shown)["relaxations"] == ["rows: 0 -> 4"]


def test_the_names_of_the_family_are_listed(done):
    words = set(done("problems", "suppression").split())
    assert {*DECISIONS, *MINIMISATIONS, *MAXIMISATIONS} <= words


def test_deals_and_suppressed_cells_are_shown(ended):
    table = [["a", 1], ["a", 2], ["b", 1]]
    said = ended("solve", KAnonymity(table, 2, copies=[4, 1, 1]))[1]
    assert "\n    group 0: 4 of row 0\n    group 1: 1 of row 1, 1 of row 2\n" in said
    instance = KAmbiguity(table, 2)
    cells = atleastk.solve(instance).solution.suppressed
    shown = ", ".join(f"({i}, {j})" for i, j in cells)
    assert (
        f"  cells   {shown}   (row, column) suppressed\n" in ended("solve", instance)[1]
    )


def test_of_many_groups_and_deals_some_are_shown():
    row = np.arange(6)
    made = DealtSolution.dealt(row, row // 3, row + 1)
    table = KAnonymity(row[:, None].tolist(), 2, copies=(row + 1).tolist())
    assert [*made.group_lines(1, 2)] == [
        "group 0: 1 of row 0, 2 of row 1 ... 1 more",
        "... 1 more; -o or --json has all",
    ]
    assert [*made.written_out(table).group_lines(1, 2)] == [
        "0 1 ... 4 more",
        "... 1 more; -o or --json has all",
    ]
