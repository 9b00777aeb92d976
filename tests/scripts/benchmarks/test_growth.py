import re

import pytest

from scripts.benchmarks import growth


def test_every_command_has_a_name(tmp_path):
    names = [name for name, _ in growth.commands(12, tmp_path)]
    assert len(set(names)) == len(names) == 26
    only = re.compile("few rows")
    assert len(list(growth.commands(12, tmp_path, only))) == 3


@pytest.mark.parametrize("name", ["solve: intervals", "cluster: radius"])
def test_commands_are_measured_and_kept(tmp_path, name, capsys):
    words = ["--items", "60", "--limit", "30", "--only", name, "--folder", tmp_path]
    asked = [*map(str, words), "--out", str(tmp_path)]
    growth.main(asked)
    assert name in capsys.readouterr().out
    (run,) = (growth.Grown(**x) for x in growth.kept(tmp_path / "runs.jsonl"))
    assert (run.items, run.code, run.held) == (60, 0, True)
    assert 0 < run.first < run.seconds
    assert run.bound <= run.cost
    growth.main(asked)
    assert capsys.readouterr().out == ""
    assert f"## {run.command}" in (tmp_path / "growth.md").read_text()


def test_what_came_late_is_told():
    run = growth.Grown(
        command="a", items=10**6, limit=20, first=None, cost=None, bound=7,
        seconds=23.6, megabytes=90, code=1,
    )  # fmt: skip
    assert run.over == pytest.approx(3.6)
    text = "\n".join(growth.report([run]))
    assert "1 commands, " in text
    assert "; 0 end within 2 s + 5%" in text
    assert "| 1,000,000 | 20 | none | none | 7 |  | 23.6 | 90 | **no** |" in text
