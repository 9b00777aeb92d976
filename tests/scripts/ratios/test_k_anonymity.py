"""The ratios of the algorithms of k-anonymity: tallies, and a run of the script."""

import re
from fractions import Fraction

import pytest

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.registry import algorithm_named, problem_named


@pytest.fixture
def ratios(script):
    return script("ratios.k_anonymity")


@pytest.fixture
def tally(ratios):
    algorithm = algorithm_named(problem_named("k-anonymity"), "approx-gr")
    return ratios.Tally(algorithm, lambda table: table.n * table.m, ratios.shown)


def test_random_tables_are_repeatable(ratios):
    """The same seed draws the same; the lower bound is one."""
    drawn = list(ratios.random_tables(60, 5))
    assert drawn == list(ratios.random_tables(60, 5))
    for judged in drawn:
        assert ratios.bound(judged.instance) <= judged.optimum


def test_worst_is_the_smallest_of_the_greatest(ratios, tally):
    """Ratio first, then few cells; optima of 0 are counted apart."""
    large, small = KAnonymity([[0, 1]] * 6, 3), KAnonymity([[0]] * 3, 3)
    for instance, cost in ((large, 4), (small, 4), (large, 2)):
        tally.add(ratios.Judged(instance, 2), cost)
    tally.add(ratios.Judged(small, 0), 0)
    assert tally.worst == (Fraction(2), small)
    assert tally.nearest == Fraction(4, 12)
    assert tally.ratios == [2.0, 2.0, 1.0]
    assert (tally.zeros, tally.missed, tally.wrong) == (1, 0, [])


@pytest.mark.parametrize(
    ("cost", "told"), [(13, r"breaks cost <= \(3k - 3\)"), (1, "below the optimum 2")]
)
def test_broken_promises_are_caught(ratios, tally, cost, told):
    """A cost above the promise or below the optimum is told with its table."""
    tally.add(ratios.Judged(KAnonymity([[0, 1], [2, 3], [1, 1]], 3), 2), cost)
    (line,) = tally.wrong
    assert line.startswith("approx-gr on 01 23 11, k = 3: cost")
    assert re.search(told, line)


def test_script_writes_its_report(ratios, monkeypatch, tmp_path):
    """Two tables, a row per algorithm in each, nothing wrong."""
    known = list(ratios.known_tables())[:2]
    monkeypatch.setattr(ratios, "known_tables", lambda: known)
    ratios.main(["--instances", "30", "--out", str(tmp_path)])
    report = (tmp_path / "ratios_k_anonymity.md").read_text()
    rows = [line for line in report.splitlines() if line.startswith("| `")]
    assert len(rows) == 2 * len(problem_named("k-anonymity").algorithms)
    assert report.endswith("costs below the optimum: 0.\n")


def test_wrong_answers_end_the_script(ratios, monkeypatch, tmp_path):
    """Loudly, with exit code 1."""
    monkeypatch.setattr(ratios, "known_tables", list)
    monkeypatch.setattr(ratios, "optimum_by_subsets", lambda _instance: 10**6)
    with pytest.raises(SystemExit, match=r"WRONG\n.*is below the optimum"):
        ratios.main(["--instances", "3", "--out", str(tmp_path)])
