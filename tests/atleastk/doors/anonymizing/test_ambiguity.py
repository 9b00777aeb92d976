from dataclasses import replace

import numpy as np
import pytest

import atleastk
from atleastk import KAmbiguity, WrongAnswerError
from atleastk.doors.anonymizing.anonymize import anonymity, anonymize
from atleastk.frames.rows import RowsFrame
from atleastk.models.k_ambiguity import Looks, solution_of
from atleastk.runs import registry

ROWS = [("a", 1), ("b", 1), ("b", 1)]
HIDDEN = np.array([[False, False], [True, False], [False, False]])


@pytest.fixture(autouse=True)
def one_cell(monkeypatch):
    """A solver that suppresses one cell of `ROWS`: the middle row matches both."""

    def solve(search):
        looks = Looks.of_rows(search.instance.records, HIDDEN)
        search.offer(solution_of(search.instance, looks), "one cell")
        search.raise_bound(0, "one cell")

    problem = replace(registry.PROBLEMS["k-ambiguity"], solve=solve)
    problems = {**registry.PROBLEMS, "k-ambiguity": problem}
    monkeypatch.setattr(registry, "PROBLEMS", problems)


def test_every_row_matches_others_but_need_not_equal_them():
    made = anonymize(ROWS, 2, ambiguous=True)
    assert made.frame == [("a", 1), ("*", 1), ("b", 1)]
    assert isinstance(made.instance, KAmbiguity)
    assert atleastk.check(made.instance, made.result).feasible
    assert anonymity(made.frame).k == 1
    assert anonymity(made.frame, wildcard=True).k == 2
    assert (made.report.attained, made.report.ambiguous) == (2, True)
    assert (made.suppressed == HIDDEN).all()
    told = str(made)
    assert "  suppressed  1 of 6 cells, 16.67%\n  at least    0   gap 100.00%" in told
    assert "  matches     every row matches at least 1 other row\n" in told


@pytest.mark.parametrize(
    ("hides", "told"),
    [
        (lambda self, _masks, _marker: self, "shows suppressed cells"),
        (
            lambda self, _masks, _marker: RowsFrame.of([("a", 7), ("*", 1), ("b", 1)]),
            "is not 2-ambiguous",
        ),
    ],
)
def test_a_published_table_is_counted_again(monkeypatch, hides, told):
    monkeypatch.setattr(RowsFrame, "hiding", hides)
    with pytest.raises(WrongAnswerError, match=told):
        anonymize(ROWS, 2, ambiguous=True)


def test_without_a_table_nothing_matches(monkeypatch):
    problem = registry.PROBLEMS["k-ambiguity"]
    problem = replace(problem, first=lambda _: (), solve=lambda _search: None)
    monkeypatch.setitem(registry.PROBLEMS, "k-ambiguity", problem)
    report = anonymize(ROWS, 2, ambiguous=True).report
    assert (report.status, report.risk) == ("UNKNOWN", None)
    assert "matches" not in str(report)
