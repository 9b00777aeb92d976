import pytest

SPEC = """
problem = "bin-covering"
[[instances]]
family = "uniform"
n = 20
"""


@pytest.fixture
def script(script):
    return script("benchmarks.constants")


def test_mathematics_and_limits_of_types_are_no_choice(script):
    fixed = (0, 1, -1, 2**31, 2**62, 2**63 - 1, True, "7", (0, 1))
    assert not any(map(script.is_choice, fixed))
    assert all(map(script.is_choice, (2, 3, -2, 0.5, 10**18, (1, 2))))


@pytest.mark.parametrize(
    ("value", "half", "double"),
    [
        (7, 3, 14),
        (1.5, 1.25, 2.0),  # a factor of growth
        (0.75, 0.5, 0.875),  # a share
        (0.25, 0.125, 0.5),
        ((8, 3.0), (4, 1.5), (16, 6.0)),
    ],
)
def test_halved_and_doubled(script, value, half, double):
    assert script.moved(value, double=False) == half
    assert script.moved(value, double=True) == double


def test_sources_are_those_here_but_for_a_constant(script, tmp_path):
    few = script.Constant("atleastk.solvers.bin_covering.auto", "_FEW_ITEMS", 32)
    house = script.changed(tmp_path, {few: 64}) / "atleastk"
    assert "\n_FEW_ITEMS = 64\n" in (house / "solvers/bin_covering/auto.py").read_text()
    for name in ("__init__.py", "models", "solvers/search.py", "solvers/tables"):
        assert (house / name).readlink() == script.HOUSE / name
    assert {each.name for each in house.rglob("*")} >= {"evening.py", "py.typed"}


def test_runs_move_an_end_only_out_of_what_bases_have(script):
    def run(*values):
        return dict(zip(("status", "cost", "bound", "seconds"), values, strict=True))

    bases = [run("FEASIBLE", 100, 90, 1.0), run("FEASIBLE", 104, 90, 1.0)]
    better = run("OPTIMAL", 98, 98, 0.5)
    moves = [script.move(end, better, bases) for end in script.ENDS]
    assert moves == pytest.approx([1, -4 / 102, 8 / 90, 0])
    assert script.move("cost", run("FEASIBLE", 103, 90, 1.0), bases) == 0
    assert script.move("cost", run("UNKNOWN", None, 90, 1.0), bases) == 1


def test_constants_are_tried_where_they_are_read(script, tmp_path, monkeypatch):
    """What is in the file is not run again; in this process nothing changes."""
    monkeypatch.setattr(script, "BASE", 1)
    spec, runs, page = (tmp_path / name for name in ("a.toml", "runs.jsonl", "page.md"))
    spec.write_text(SPEC)
    words = [str(spec), "--library", "0", "--fresh", "0", "--only", "auto._F"]
    words += ["--time-limit", "0.1", "--instances", "1"]
    words += ["--runs", str(runs), "--markdown", str(page)]
    script.main(words)
    told, lines = page.read_text(), runs.read_text()
    assert "| bin_covering | " in told
    assert '"place": "bin_covering.auto._FEW_ITEMS", "way": "double"' in lines
    assert '"place": "r_gather.auto._FEW"' not in lines
    script.main(words)
    assert (page.read_text(), runs.read_text()) == (told, lines)
