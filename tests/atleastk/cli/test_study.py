import json

import polars
import pytest

from atleastk.cli.main import main

SPEC = """
problem = "bin-covering"
algorithms = ["spread", "mine.py:half"]
methods = ["subset-dp"]

[[instances]]
family = "uniform"
seeds = 3
n = 6
"""


@pytest.fixture
def spec(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "def half(instance):\n    return [range(instance.n // 2)]\n"
    )
    path = tmp_path / "s.toml"
    path.write_text(SPEC)
    monkeypatch.chdir(tmp_path.parent)
    return path


def test_a_study_prints_ratios_and_writes_what_it_is_asked(spec, capsys):
    export, table = spec.with_name("runs.parquet"), spec.with_name("ratios.md")
    words = ["study", str(spec), "--workers", "1", "--export", str(export)]
    for_latex = spec.with_name("ratios.tex")
    words += ["--latex", str(for_latex)]
    assert main([*words, "--markdown", str(table)]) == 1
    assert for_latex.read_text().startswith("% Algorithms\n\\begin{tabular}{lr")
    shown, errors = capsys.readouterr()
    assert errors == ""
    assert "mine.py:half: half returned a wrong solution" in shown
    assert shown.splitlines()[-1] == f"{spec.with_name('s.db')}: 9 runs, 9 done"
    assert polars.read_parquet(export).height == 9
    assert table.read_text().startswith("| algorithm | promise |")


def test_a_study_without_faults(spec, capsys):
    spec.write_text(SPEC.replace(', "mine.py:half"', ""))
    out = str(spec.with_name("other.sqlite"))
    assert main(["study", str(spec), "--workers", "1", "-o", out]) == 0
    first = capsys.readouterr().out
    assert main(["study", str(spec), "-o", out]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["s.toml", "--executor", "slurm"], 'no executor is called "slurm"'),
        (["s.toml", "-o", "s.json"], "a study is written to one of .db, .sqlite"),
        (["s.toml", "--export", "s.xml"], "a table of runs is written to one of .csv"),
        (["none.toml"], "none.toml: no such file"),
        (["-"], "a study from standard input needs -o"),
    ],
)
def test_what_cannot_end_well_is_refused(spec, monkeypatch, capsys, words, told):
    monkeypatch.chdir(spec.parent)
    assert main(["study", *words]) == 2
    assert told in capsys.readouterr().err
    assert not spec.with_name("s.db").exists()


def test_an_algorithm_of_ones_own_approximates(spec, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(spec.parent)
    instance = {"problem": "bin-covering", "sizes": [10, 6, 6, 6], "k": 10}
    (tmp_path / "i.json").write_text(json.dumps(instance))
    words = ["approximate", "i.json", "--json", "--algorithm"]
    assert main([*words, "cmd:echo 0 1 2 3"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] == 28
    assert main([*words, "mine.py:half"]) == 3
    assert "half returned a wrong solution" in capsys.readouterr().err
