import pytest

from scripts.benchmarks import constants as script

SPEC = """
problem = "bin-covering"
[[instances]]
family = "uniform"
n = 20
"""


def test_mathematics_and_limits_of_types_are_no_choice():
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
def test_halved_and_doubled(value, half, double):
    assert script.moved(value, double=False) == half
    assert script.moved(value, double=True) == double


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("bin_covering.auto._FEW_ITEMS", "tuning"),
        ("bin_covering.evening._STRIDE", "mark"),  # any large odd number
        ("brute_force.k_anonymity.ROWS", "paper"),
        ("clustering.neighbourhoods._QUERIED", "page"),
        ("connected_partition.frontier._MOST_STATES", "cap"),  # told in megabytes
        ("precision.SURE", "precision"),
        ("tables.closed_patterns.MOST_PAIRS", "cap"),  # beside a budget's memory
    ],
)
def test_kinds_are_told_by_text_and_use(place, kind):
    assert [script.kind(e) for e in script.constants() if e.place == place] == [kind]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("bin_covering.auto._FEW_ITEMS", False),
        ("bin_covering.auto._LISTED", False),
        ("bin_covering.evening._NEAR", True),  # in a compiled loop
        ("engine.stages.GROWTH", True),  # a default of an argument
    ],
)
def test_a_number_is_changed_where_it_is_read(place, told):
    """In a process of its own: in its module, or in all that is loaded anew."""
    (constant,) = (e for e in script.constants() if e.place == place)
    assert constant.is_bound is told

    def read():
        script.changed({constant: 77})
        name = f"atleastk.solvers.{place}".rpartition(".")
        module = script.import_module(name[0])
        return getattr(module, name[2]), module is script.sys.modules[name[0]]

    assert script.answered(60.0, read) == (77, True)


def test_runs_move_an_end_only_out_of_what_bases_have():
    def run(*values):
        return dict(zip(("status", "cost", "bound", "seconds"), values, strict=True))

    bases = [run("FEASIBLE", 100, 90, 1.0), run("FEASIBLE", 104, 90, 1.0)]
    better = run("OPTIMAL", 98, 98, 0.5)
    moves = [script.move(end, better, bases) for end in script.ENDS]
    assert moves == pytest.approx([1, -4 / 102, 8 / 90, 0])
    assert script.move("cost", run("FEASIBLE", 103, 90, 1.0), bases) == 0
    assert script.move("cost", run("UNKNOWN", None, 90, 1.0), bases) == 1


def test_constants_are_tried_where_they_are_read(tmp_path, monkeypatch):
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
