import json
import re

import pytest
from every_problem import NEW

import atleastk
from atleastk.runs.registry import PROBLEMS
from scripts.benchmarks import never_worse

INTERVALS = "intervals of 1..100"


def run(rival, cost, seconds=0.1, n=10, limit=4.0, **ends):
    key = {"family": INTERVALS, "n": n, "rival": rival, "limit": limit}
    more = {"bound": 1, "first": 0.25} if rival == "auto" else {}
    return {**key, "cost": cost, "seconds": seconds, "megabytes": 9, **more, **ends}


def test_only_rivals_that_end_in_half_of_the_limit_count():
    auto, slow = run("auto", 9), run("slow", 5, 2.1)
    equal, better = run("equal", 9), run("better", 8)
    pair = never_worse.beside(auto, [slow, equal])
    assert pair == (auto, equal)
    assert never_worse.is_held(pair)
    assert not never_worse.is_held(never_worse.beside(auto, [slow, equal, better]))
    nothing = run("auto", None)
    assert not never_worse.is_held(never_worse.beside(nothing, [equal]))
    assert never_worse.is_held(never_worse.beside(nothing, []))


def test_the_page_tells_the_first_answer_and_who_was_better():
    runs = [run("auto", 9), run("a", 8, 0.5), run("late", None, None)]
    text = "\n".join(never_worse.report(runs))
    assert "In 0 of 1 runs" in text
    assert "| 10 | 4 | 9 | 1 | 0.25 | 0.10 | 8 | 0.50 | a | **no** |" in text


def test_a_run_of_ours_that_fails_is_on_both_pages(monkeypatch):
    monkeypatch.setattr(never_worse, "answered", lambda *_: None)
    tiny = never_worse.MADE[INTERVALS](10)
    ended = never_worse.raced(lambda: tiny, tiny, "auto", 0.1)
    runs = [{**run("auto", None, n=10**5), **ended}, run("textbook", 8, n=10**5)]
    assert "In 0 of 1 runs" in "\n".join(never_worse.report(runs))
    assert "late" in [*never_worse.large_report(runs)][-2]


def test_the_page_of_peers_has_large_instances_and_who_is_not_ours(monkeypatch):
    monkeypatch.setattr(never_worse, "PEERS", {"strips": None, "anonypy": None})
    names = ["auto", "textbook", "greedy-merge", "strips"]
    runs = [run(name, 10 - i, n=10**5) for i, name in enumerate(names)]
    runs += [run("anonypy", None, None, 10**5), run("auto", 9)]
    *_, auto, textbook, strips, late = never_worse.large_report(runs)
    assert late == "| 100,000 | 4 | anonypy | none |  |  | late | 9 |"
    assert auto == "| 100,000 | 4 | auto | 10 | 1.000 | 1 | 0.1 | 9 |"
    assert textbook == "| 100,000 | 4 | textbook | **9** | 0.900 |  | 0.1 | 9 |"
    assert strips.startswith("| 100,000 | 4 | strips | **7** |")


def test_who_has_not_ended_with_fewer_items_is_not_asked_again():
    late = run("textbook", None, None)
    sizes, wanted = (10, 100), re.compile(INTERVALS)
    asked = [key for key, _ in never_worse.asked(sizes, wanted, [1.0, 2.0], [late])]
    algorithms = {a.name for a in atleastk.algorithms("interval-covering")}
    assert {key["rival"] for key in asked} >= {"auto", *algorithms}
    assert "textbook" not in {key["rival"] for key in asked}
    limits = [(key["n"], key["limit"]) for key in asked if key["rival"] == "auto"]
    assert limits == [(10, 1.0), (10, 2.0), (100, 1.0), (100, 2.0)]


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_runs_from_end_to_end(tmp_path):
    file = tmp_path / "runs.jsonl"
    asked = ["--only", "^intervals.*n=10$", "--limits", "5", "--runs", str(file)]
    never_worse.main([*asked, "--out", str(tmp_path)])
    runs = [json.loads(line) for line in file.read_text().splitlines()]
    costs = {made["rival"]: made["cost"] for made in runs}
    algorithms = {a.name for a in atleastk.algorithms("interval-covering")}
    assert costs.keys() >= {"auto", "textbook", *algorithms}
    assert min(costs.values()) == costs["auto"]
    assert "In 1 of 1 runs" in (tmp_path / "never_worse.md").read_text()
    never_worse.main([*asked, "--out", str(tmp_path)])
    assert len(file.read_text().splitlines()) == len(runs)


def test_every_problem_has_a_family():
    families = [make(10) for make in never_worse.MADE.values()]
    assert {made.problem for made in families} == {*PROBLEMS} - {*NEW}
    assert {*never_worse.MOST} <= {*never_worse.MADE}
