import json

import polars
import pytest

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


def test_a_study_prints_ratios_and_writes_what_it_is_asked(spec, denied):
    export, table = spec.with_name("runs.parquet"), spec.with_name("ratios.md")
    words = ["study", str(spec), "--workers", "1", "--export", str(export)]
    for_latex = spec.with_name("ratios.tex")
    words += ["--latex", str(for_latex)]
    shown = denied(*words, "--markdown", table)
    assert for_latex.read_text().startswith("% Algorithms\n\\begin{tabular}{lr")
    assert "mine.py:half: half returned a wrong solution" in shown
    assert shown.splitlines()[-1] == f"{spec.with_name('s.db')}: 9 runs, 9 done"
    assert polars.read_parquet(export).height == 9
    assert table.read_text().startswith("| algorithm | promise |")


def test_a_study_without_faults(spec, done):
    spec.write_text(SPEC.replace(', "mine.py:half"', ""))
    out = str(spec.with_name("other.sqlite"))
    first = done("study", spec, "--workers", "1", "-o", out)
    assert done("study", spec, "-o", out) == first


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
def test_what_cannot_end_well_is_refused(spec, monkeypatch, words, told, refused):
    monkeypatch.chdir(spec.parent)
    assert told in refused("study", *words)
    assert not spec.with_name("s.db").exists()


def test_an_algorithm_of_ones_own_approximates(spec, tmp_path, monkeypatch, run):
    monkeypatch.chdir(spec.parent)
    instance = {"problem": "bin-covering", "sizes": [10, 6, 6, 6], "k": 10}
    (tmp_path / "i.json").write_text(json.dumps(instance))
    words = "approximate i.json --json --algorithm"
    code, out, _ = run(words, "cmd:echo 0 1 2 3")
    assert (code, json.loads(out)["cost"]) == (0, 28)
    code, _, err = run(words, "mine.py:half")
    assert (code, "half returned a wrong solution" in err) == (3, True)
