"""Never worse: what is held against what, and the report."""

import re

import pytest


@pytest.fixture
def never_worse(script):
    return script("never_worse")


def test_only_rivals_of_the_same_instance_that_end_in_half_of_the_limit_count(
    never_worse, run
):
    """The best of them decides."""
    auto = run(status="FEASIBLE", cost=9, bound=1, time_limit=4.0)
    others = [
        run(method="slow", cost=5, seconds=2.1),
        run(method="other", cost=4, instance_sha256="two"),
        run(method="none", cost=None, status="UNKNOWN"),
        run(method="equal", cost=9),
    ]
    (row,) = never_worse.rows([auto], others)
    assert (row.rival.method, row.held) == ("equal", True)
    (row,) = never_worse.rows([auto], [*others, run(method="better", cost=8)])
    assert (row.rival.method, row.held) == ("better", False)
    (row,) = never_worse.rows([run(status="UNKNOWN", cost=None, bound=None)], others)
    assert not row.held


def test_report_tells_the_first_answer_and_who_was_better(never_worse, run):
    auto = run(cost=9, bound=9, events=[[0.1, None, 3], [0.25, 9, 3]])
    found = list(never_worse.rows([auto], [run(method="approximate a", cost=8)]))
    text = "\n".join(never_worse.report(found))
    assert "In 0 of 1 runs" in text
    assert "| 9 | 0.25 |" in text
    assert "| 8 | 0.50 | a | **no** |" in text


def test_a_run_from_end_to_end(never_worse, tmp_path, capsys):
    """A tiny family, in processes of their own; the log is used again."""
    asked = ["--only", "^intervals.*n=10$", "--limits", "5", "--out", str(tmp_path)]
    never_worse.main(asked)
    assert "In 1 of 1 runs" in (tmp_path / "never_worse.md").read_text()
    capsys.readouterr()
    never_worse.main(asked)
    assert "1 trials, 1 of them in" in capsys.readouterr().out


def test_every_problem_has_a_family(never_worse):
    drawn = {case.instance.problem for case in never_worse.cases(10, re.compile(""))}
    assert len(drawn) == 11


def test_overshoot_is_told_by_share(script, tmp_path, capsys):
    """A few runs from end to end, and the arithmetic."""
    overshoot = script("overshoot")
    timed = overshoot.Timed("bins", 9, "", 1.0, 1.4)
    assert timed.held
    assert timed.over == pytest.approx(0.4)
    assert not overshoot.Timed("bins", 9, "", 1.0, 1.6).held
    text = "\n".join(
        overshoot.report([timed] * 99 + [overshoot.Timed("a", 1, "", 1, 4)])
    )
    assert "99 end within" in text
    assert "| 0.40 s | 0.40 s | 0.40 s | 3.00 s | 3.00 s |" in text
