"""Credits: what the logs of several runs say together of each part."""

import pytest

from scripts.benchmarks.credits import credit_lines, main
from scripts.benchmarks.trials import Log


@pytest.fixture
def runs(run):
    searched = {"cost": {"greedy": 2, "search": 1}, "bound": {"count": 1}}
    weighed = {"cost": {"greedy": 1}, "level": {"weights": 3}}
    certified = "count; certificate of counting"
    return [
        run(seed=1, credits=searched, found_by="search", proved_by="count"),
        run(seed=2, credits=weighed, found_by="greedy", proved_by=certified),
    ]


def test_credits_of_runs_add_up_by_part(runs):
    assert list(credit_lines(runs))[2:] == [
        "| count | 1 | 0 | 2 | 0 | 1 | 0 |",
        "| greedy | 2 | 1 | 0 | 3 | 0 | 0 |",
        "| search | 1 | 1 | 0 | 1 | 0 | 0 |",
        "| weights | 1 | 0 | 0 | 0 | 0 | 3 |",
    ]


def test_logs_are_told_together(runs, tmp_path, capsys):
    """Each log holds one run; the table is the same as of both."""
    paths = []
    for each in runs:
        path = tmp_path / f"{each.seed}.jsonl"
        Log(path).add(each)
        paths.append(str(path))
    main(paths)
    assert capsys.readouterr().out.splitlines() == list(credit_lines(runs))
