import atleastk
from scripts.benchmarks import credits
from scripts.benchmarks.credits import credit_lines, main, searched

SPEC = """
problem = "bin-covering"
[[instances]]
family = "uniform"
n = {}
"""


def test_credits_of_runs_add_up_by_part():
    both = [
        {
            "credits": [
                ["cost", "greedy", 2],
                ["cost", "search", 1],
                ["bound", "count", 1],
            ],
            "found_by": "search",
            "proved_by": "count",
        },
        {
            "credits": [["cost", "greedy", 1], ["level", "weights", 3]],
            "found_by": "greedy",
            "proved_by": "count",
        },
    ]
    assert list(credit_lines(both))[2:] == [
        "| count | 1 | 0 | 2 | 0 | 1 | 0 |",
        "| greedy | 2 | 1 | 0 | 3 | 0 | 0 |",
        "| search | 1 | 1 | 0 | 1 | 0 | 0 |",
        "| weights | 1 | 0 | 0 | 0 | 0 | 3 |",
    ]


def test_runs_go_on_and_are_told_together(tmp_path, monkeypatch):
    """What is in the file is not run again."""
    spec, page = tmp_path / "bins.toml", tmp_path / "page.md"
    runs = ("--runs", str(tmp_path / "runs.jsonl"), "--markdown", str(page))
    for n in (60, 90):
        spec.write_text(SPEC.format(n))
        main([str(spec), "--workers", "1", *runs])
    lines = page.read_text().splitlines()
    assert "## bin-covering: 2 runs" in lines
    assert any(line.startswith("| first answers: one bin | 2 |") for line in lines)
    assert any(line.startswith("Stages without credit: ") for line in lines)
    monkeypatch.setattr(credits, "searched", None)
    main([str(spec), "--workers", "1", *runs])
    assert page.read_text().splitlines() == lines


def test_a_run_too_small_for_the_parts_has_no_record():
    assert searched(atleastk.BinCovering([3, 2, 2], 3), 10, 1) is None
