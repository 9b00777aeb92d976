import random
from dataclasses import replace

import pytest

from scripts.benchmarks import overshoot


@pytest.fixture
def timed():
    """A run that keeps all promises, and is still open."""
    return overshoot.Timed("bins", 9, "", 1.0, 1.0, 0.1, 8, 7, False)


def test_a_run_ends_in_time_and_not_before_with_an_open_gap(timed):
    assert timed.held
    assert not timed.early
    late, idle = replace(timed, seconds=1.6), replace(timed, seconds=0.9)
    assert late.over == pytest.approx(0.6)
    assert not late.held
    assert idle.early
    assert not replace(idle, closed=True).early


def test_the_first_answer_comes_soon_if_there_is_one(timed):
    assert not timed.waits
    longer = replace(timed, limit=3.0, seconds=3.0)
    assert replace(longer, first=1.1).waits
    assert replace(longer, first=None, cost=None).waits
    assert not replace(timed, first=None, cost=None).waits
    assert not replace(longer, first=None, cost=None, closed=True).waits
    assert not replace(longer, first=1.9, n=10**6).waits
    assert replace(longer, first=2.1, n=10**6).waits


@pytest.mark.parametrize(
    ("shorter", "longer", "behind"),
    [(8, 9, True), (8, None, True), (8, 8, False), (None, 9, False)],
)
def test_more_time_is_not_worse(timed, shorter, longer, behind):
    pair = replace(timed, cost=shorter), replace(timed, cost=longer, limit=3.0)
    assert overshoot.is_behind(pair) == behind


def test_the_page_counts_what_broke_and_tells_it(timed):
    longer = replace(timed, limit=3.0, seconds=3.0)
    idle = replace(longer, family="maps", seconds=2.0, cost=9, first=1.5)
    pairs = [(timed, longer)] * 49 + [(replace(timed, seconds=4.0), idle)]
    text = "\n".join(overshoot.report(pairs, "the wall"))
    assert "- 99 of 100 end within 0.5 s + 5% of their limit." in text
    assert "- 1 with an open gap end before 95% of their limit." in text
    assert "- 1 have no answer after 1 s, and another for each million items." in text
    assert "- 1 of 50 are worse with more time." in text
    assert "| over the limit | 0.00 s | 0.00 s | 0.00 s | 3.00 s | 3.00 s |" in text
    what = "**ended early**, **first answer late**, **worse with more time**"
    assert f"| maps | 9 |  | 3.0 | 2.00 | 1.50 | 9 | 7 | {what} |" in text
    assert "| bins | 9 |  | 1.0 | 4.00 | 0.10 | 8 | 7 | **3.00 s over** |" in text


def test_families_that_grow_and_small_instances_are_drawn():
    rng = random.Random(1)
    family, n, made = overshoot.drawn(rng, ["intervals of 1..100"])
    assert (family, n) == ("intervals of 1..100", made.n)
    assert made.problem == "interval-covering"
    assert overshoot.drawn(rng, ["bins of 1..10^6, ten items each"], True)[1] > 30_000
    family, n, made = overshoot.drawn(rng, ["bin-covering"])
    assert family.startswith("bin-covering, ")
    assert n == made.n


def test_runs_from_end_to_end(tmp_path, monkeypatch):
    monkeypatch.setattr(
        overshoot, "MADE", {"intervals": overshoot.MADE["intervals of 1..100"]}
    )
    monkeypatch.setattr(overshoot, "DRAWS", {})
    monkeypatch.setattr(overshoot, "LARGE", 0.0)
    overshoot.main(["--runs", "2", "--cpu-clock", "--out", str(tmp_path)])
    text = (tmp_path / "overshoot.md").read_text()
    assert "2 random instances of all problems" in text
    assert "seconds of the process" in text
