"""The ratios of the approximation algorithms: tallies, and a run of the script."""

import re
from fractions import Fraction

import pytest

from atleastk.instances.bin_covering import BinCovering
from atleastk.registry import algorithm_named, problem_named
from atleastk.solvers.brute_force.bin_covering import optimum


@pytest.fixture
def ratios(script):
    return script("ratios.bin_covering")


@pytest.fixture
def tally(ratios):
    return ratios.Tally(algorithm_named(problem_named("bin-covering"), "five-halves"))


def test_random_instances_are_judged_right(ratios):
    """The optima are those of brute force; the same seed draws the same."""
    seed = 5
    drawn = list(ratios.random_instances(150, seed))
    assert drawn == list(ratios.random_instances(150, seed))
    for judged in drawn:
        if judged.instance.n <= 8:
            expected = optimum(judged.instance)[0]
            assert judged.optimum == expected, (seed, judged.instance)


def test_worst_is_the_smallest_of_the_greatest(ratios, tally):
    """Ratio first, then few items; the promise is measured as well."""
    large = BinCovering([5, 5, 5, 5], 10)
    small = BinCovering([10, 6, 6, 6][:3], 10)
    for instance, cost in ((large, 20), (small, 20), (large, 10)):
        tally.add(ratios.Judged(instance, 10, "random"), cost)
    assert tally.worst == (Fraction(2), small)
    assert tally.nearest == Fraction(20, 25)
    assert tally.ratios["random"] == [2.0, 2.0, 1.0]
    assert tally.wrong == []


@pytest.mark.parametrize(
    ("cost", "told"), [(26, r"breaks cost <= 5/2 \* OPT"), (9, "below the optimum 10")]
)
def test_broken_promises_are_caught(ratios, tally, cost, told):
    """A cost above the promise or below the optimum is told with its instance."""
    tally.add(ratios.Judged(BinCovering([5, 5], 10), 10, "random"), cost)
    (line,) = tally.wrong
    assert line.startswith("five-halves on {5 x2}, k = 10: cost")
    assert re.search(told, line)


def test_script_writes_a_row_per_algorithm(ratios, monkeypatch, tmp_path, capsys):
    """On few instances; the papers' worst case of Fold is met."""
    monkeypatch.setattr(ratios, "FAMILY_SIZES", [("tight-fold", 1, {"k": 21})])
    ratios.main(["--instances", "40", "--out", str(tmp_path)])
    report = (tmp_path / "ratios_bin_covering.md").read_text()
    assert report in capsys.readouterr().out
    rows = [line for line in report.splitlines() if line.startswith("| `")]
    assert len(rows) == len(problem_named("bin-covering").algorithms)
    assert "| 1.0000 | 2.8571 | {20 x20, 1 x20}, k = 21 |" in rows[0]
    assert report.endswith("costs below the optimum: 0.\n")


def test_wrong_answers_end_the_script(ratios, monkeypatch, tmp_path):
    """Loudly, with exit code 1."""
    monkeypatch.setattr(ratios, "FAMILY_SIZES", [])
    monkeypatch.setattr(ratios, "optimum_by_subsets", lambda _instance: 10**6)
    with pytest.raises(SystemExit, match=r"WRONG\n.*is below the optimum"):
        ratios.main(["--instances", "3", "--out", str(tmp_path)])
