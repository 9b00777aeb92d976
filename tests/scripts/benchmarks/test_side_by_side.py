import json
from pathlib import Path

from scripts.benchmarks.side_by_side import main, page_lines

ROOT = Path(__file__).parents[3]
SPEC = """
problem = "bin-covering"
[[instances]]
family = "uniform"
n = [14, 16, 18]
"""


def run(status, cost, bound, seconds):
    return {"status": status, "cost": cost, "bound": bound, "seconds": seconds}


def test_the_page_compares_proofs_seconds_and_ends_of_open_runs():
    proved, left = run("OPTIMAL", 8, 8, 1.0), run("FEASIBLE", 10, 8, 5.0)
    ends = [(proved, left), (left, proved), (left, run("FEASIBLE", 9, 8, 5.0))]
    pairs = [
        {"problem": "bin-covering", "name": f"bins {i}", "old": old, "new": new}
        for i, (old, new) in enumerate(ends)
    ]
    lines = list(page_lines(pairs, 5.0, 1))
    row = "| 3 | 1 | 1 | 1 | 7.000 | 7.000 | 1 | 0.9000 | 1.0000 |"
    assert [f"| bin-covering {row}", f"| all {row}"] == lines[7:9]
    assert lines[-1] == "- bin-covering, bins 0: 1.00 s; now 10 over 8."


def test_the_same_sources_answer_the_same_and_go_on(tmp_path, capsys):
    spec, file = tmp_path / "bins.toml", tmp_path / "runs.jsonl"
    spec.write_text(SPEC)
    words = [str(ROOT), str(ROOT), str(spec), "--every", "2", "--runs", str(file)]
    main(words)
    page = capsys.readouterr().out
    assert "| bin-covering | 2 | 2 | 2 | 0 |" in page
    pairs = [json.loads(line) for line in file.read_text().splitlines()]
    assert all(pair["old"]["cost"] == pair["new"]["cost"] for pair in pairs)
    main(words)
    assert capsys.readouterr().out == page
