from collections import Counter
from types import SimpleNamespace

import atleastk
from scripts.benchmarks.credits import credit_lines, main, searched

SPEC = """
problem = "bin-covering"
[[instances]]
family = "uniform"
n = {}
"""


def test_credits_of_runs_add_up_by_part():
    both = [
        SimpleNamespace(
            credits=Counter(
                {("cost", "greedy"): 2, ("cost", "search"): 1, ("bound", "count"): 1}
            ),
            found_by="search",
            proved_by="count",
        ),
        SimpleNamespace(
            credits=Counter({("cost", "greedy"): 1, ("level", "weights"): 3}),
            found_by="greedy",
            proved_by="count",
        ),
    ]
    assert list(credit_lines(both))[2:] == [
        "| count | 1 | 0 | 2 | 0 | 1 | 0 |",
        "| greedy | 2 | 1 | 0 | 3 | 0 | 0 |",
        "| search | 1 | 1 | 0 | 1 | 0 | 0 |",
        "| weights | 1 | 0 | 0 | 0 | 0 | 3 |",
    ]


def test_studies_are_told_together(tmp_path, capsys):
    paths = []
    for n in (60, 90):
        path = tmp_path / f"{n}.toml"
        path.write_text(SPEC.format(n))
        paths.append(str(path))
    main([*paths, "--workers", "1"])
    heads, _, *rows = capsys.readouterr().out.splitlines()
    assert heads.startswith("| part | runs |")
    counting = next(row for row in rows if row.startswith("| counting |"))
    assert counting.startswith("| counting | 2 |")


def test_a_run_too_small_for_the_parts_has_no_record():
    assert searched(atleastk.BinCovering([3, 2, 2], 3), 10, 1) is None
