import re

import pytest
from every_problem import NEW

import atleastk
from atleastk.research.studies.results import StudyResults
from atleastk.runs.registry import PROBLEMS


@pytest.fixture
def never_worse(script):
    return script("benchmarks.never_worse")


def test_only_rivals_that_end_in_half_of_the_limit_count(never_worse, run):
    auto = run(status="FEASIBLE", cost=9, bound=1, time_limit=4.0)
    slow = never_worse.Rival("slow", 5, 2.1)
    equal = never_worse.Rival("equal", 9, 0.1)
    better = never_worse.Rival("better", 8, 0.1)
    row = never_worse.row(auto, [slow, equal])
    assert (row.rival, row.held) == (equal, True)
    row = never_worse.row(auto, [slow, equal, better])
    assert (row.rival, row.held) == (better, False)
    nothing = run(status="UNKNOWN", cost=None, bound=None)
    assert not never_worse.row(nothing, [equal]).held
    assert never_worse.row(nothing, []).held


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_rivals_are_the_heuristic_and_all_algorithms(never_worse, script):
    instance, tiny = map(never_worse.MADE["intervals of 1..100"], (12, 10))
    rivals = never_worse.rivals(instance, tiny, 60.0)
    found = {rival.name: rival.cost for rival in rivals}
    algorithms = {a.name for a in atleastk.algorithms(instance.problem)}
    assert found.keys() == {"textbook", *algorithms}
    assert min(found.values()) >= atleastk.solve(instance).cost


def test_report_tells_the_first_answer_and_who_was_better(never_worse, run):
    auto = run(cost=9, bound=9, events=[[0.1, None, 3], [0.25, 9, 3]])
    row = never_worse.row(auto, [never_worse.Rival("a", 8, 0.5)])
    text = "\n".join(never_worse.report([row], 2))
    assert "In 0 of 1 runs" in text
    assert "| 9 | 0.25 |" in text
    assert "| 8 | 0.50 | a | **no** |" in text


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_run_from_end_to_end(never_worse, tmp_path):
    asked = ["--only", "^intervals.*n=10$", "--limits", "5", "--out", str(tmp_path)]
    never_worse.main(asked)
    (study,) = (tmp_path / "never_worse").iterdir()
    (made,) = StudyResults.load(study).rows
    assert "In 1 of 1 runs" in (tmp_path / "never_worse.md").read_text()
    never_worse.main(asked)
    assert StudyResults.load(study).rows == [made]


def test_every_problem_has_a_family(never_worse):
    families = list(never_worse.cases(10, re.compile("")))
    assert all(len(instances) == 1 for _, instances in families)
    assert {instances[0].problem for _, instances in families} == {*PROBLEMS} - {*NEW}
