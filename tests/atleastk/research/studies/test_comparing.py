"""Means, paired tests and groups."""

import random
import re
from itertools import product
from statistics import fmean

import pytest

import atleastk
from atleastk.instances.fields.errors import InvalidInstanceError, UnknownNameError
from atleastk.research.studies.comparing import compared, interval_of, with_the_best
from atleastk.research.studies.groups import group_lines, group_table
from atleastk.runs.pools import Here

BOTH = [
    {"family": "uniform", "seeds": 4, "n": [5, 6], "k": [90, 120]},
    {"family": "uniform", "seeds": 2, "n": 7, "k": 90},
]


@pytest.fixture(scope="module")
def results():
    study = atleastk.Study(
        problem="bin-covering",
        instances=BOTH,
        algorithms=["spread", "fold-last"],
        seeds=[0, 1],
        by=["family", "n", "k"],
    )
    return atleastk.conduct(study, executor=Here())


def test_groups_are_the_instances_of_each_value(results):
    parts = results.groups()
    wanted = [("uniform", n, k) for n, k in product((5, 6), (90, 120))]
    assert list(parts) == [*wanted, ("uniform", 7, 90)]
    assert sum(len(part.rows) for part in parts.values()) == len(results.rows)
    whole = results.ratios()["spread"]
    ratios = [r for part in parts.values() for r in part.ratios()["spread"].ratios]
    assert sorted(ratios) == list(whole.distribution)
    for (_, n, k), part in parts.items():
        for row in part.rows:
            instance = part.instance(row["instance"])
            assert (instance.n, instance.k) == (n, k)
    heads, rows = group_table(results)
    assert heads[:4] == ("family", "n", "k", "algorithm")
    assert len(rows) == 10
    assert all(len(row) == len(heads) for row in rows)
    assert list(results.groups("k")) == [(90,), (120,)]
    assert list(results.groups([])) == [()]


def test_names_that_no_instance_has_are_told(results):
    told = "by: no instance has colour; known are family, n, low, high, k"
    with pytest.raises(UnknownNameError, match=told):
        results.groups(["n", "colour"])
    with pytest.raises(InvalidInstanceError, match="by: expected a list, got k"):
        atleastk.Study(problem="bin-covering", instances=[], by="k")


def test_names_are_columns_of_tables(results):
    table = results.table
    assert set(zip(table["n"], table["k"], strict=True)) == {
        *product((5, 6), (90, 120)),
        (7, 90),
    }
    assert results.to_frame("polars")["k"].to_list() == table["k"]


def test_an_instance_counts_once_whatever_its_seeds(results):
    tally = results.ratios()["spread"]
    assert len(tally.ratios) == 2 * len(tally.by_instance) == 34
    low, high = tally.interval
    assert 1 <= low < fmean(tally.by_instance.values()) < high


def test_the_interval_of_a_textbook():
    """Of 1, .., 9 the mean is 5, s = sqrt(7.5), and t(0.975, 8) = 2.306."""
    low, high = interval_of(range(1, 10))
    assert (low, high) == pytest.approx((5 - 2.1051, 5 + 2.1051), abs=1e-3)
    assert interval_of([2.0]) is None


def signs_by_counting(better, worse):
    n, least = better + worse, min(better, worse)
    outcomes = product((0, 1), repeat=n)
    return sum(min(sum(one), n - sum(one)) <= least for one in outcomes) / 2**n


def ranks_by_counting(differences):
    """Go through all signs of distinct differences: the two-sided exact p-value."""
    ranks = sorted(range(len(differences)), key=lambda i: abs(differences[i]))
    rank = {i: place + 1 for place, i in enumerate(ranks)}
    up = sum(rank[i] for i, d in enumerate(differences) if d > 0)
    total = sum(rank.values())
    least = min(up, total - up)
    sums = [
        sum(r for r, sign in zip(rank.values(), signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(rank))
    ]
    return sum(min(one, total - one) <= least for one in sums) / len(sums)


@pytest.mark.parametrize("seed", range(6))
def test_p_values_are_those_of_all_signs(seed):
    rng = random.Random(seed)
    first = {str(i): 1 + rng.random() for i in range(9)}
    second = {name: ratio + rng.gauss(0.1, 0.2) for name, ratio in first.items()}
    found = compared("a", "b", first, second)
    assert found.sign == pytest.approx(signs_by_counting(found.better, found.worse))
    differences = [first[name] - second[name] for name in first]
    assert found.wilcoxon == pytest.approx(ranks_by_counting(differences))
    assert found.difference == pytest.approx(fmean(differences))


def test_equal_algorithms_do_not_differ():
    same = {"1": 1.5, "2": 1.0}
    found = compared("a", "b", same, same)
    assert (found.equal, found.sign, found.wilcoxon) == (2, 1.0, 1.0)
    assert compared("a", "b", same, {"3": 1.0}) is None
    assert with_the_best({"a": same, "b": {}}) == ()


def test_all_are_compared_with_the_best_and_adjusted():
    rng = random.Random(3)
    ratios = {
        name: {str(i): 1 + worse + rng.random() / 4 for i in range(30)}
        for name, worse in (("a", 0.3), ("b", 0), ("c", 0.05))
    }
    first, last = with_the_best(ratios)
    assert {first.second, last.second} == {"b"}
    alone = [compared(name, "b", ratios[name], ratios["b"]) for name in "ac"]
    assert first.sign == pytest.approx(2 * alone[0].sign)
    assert last.sign == pytest.approx(max(first.sign, alone[1].sign))


def test_pairs_are_compared_by_name(results):
    ratios = results.ratios()
    there, back = (
        ratios.compare("spread", "fold-last"),
        ratios.compare("fold-last", "spread"),
    )
    assert there.better == back.worse
    assert there.instances == 17
    assert str(there).startswith("spread against fold-last: better on ")


def test_markdown_and_pages_have_groups_and_tests(results, tmp_path, done, refused):
    lines = list(group_lines(results))
    assert "## By family, n, k" in lines
    assert {"## Means", "## Paired tests"} <= set(lines)
    spec = tmp_path / "s.toml"
    spec.write_text(
        'problem = "bin-covering"\nalgorithms = ["spread", "fold-last"]\nby = ["k"]\n'
        '[[instances]]\nfamily = "uniform"\nseeds = 3\nn = 5\nk = [80, 100]\n'
    )
    written = tmp_path / "s.md"
    for_latex = tmp_path / "s.tex"
    files = ["--markdown", str(written), "--latex", str(for_latex)]
    shown = done("study", spec, "--workers", "1", *files)
    assert "| 80 | spread | 3 |" in written.read_text()
    heads = [
        line.replace(" & ", " | ").removesuffix(r" \\")
        for line in for_latex.read_text().splitlines()
        if line.startswith(("k &", "algorithm & instances", "compared"))
    ]
    assert len(heads) == 3
    assert all(f"| {head} |" in written.read_text() for head in heads)
    assert for_latex.read_text().count(r"\end{tabular}") == 4
    assert re.search(r"^ k +algorithm +instances", shown, re.MULTILINE)
    for more, told in ((), "By k."), (("--by", "n,k"), "By n, k."):
        done("report", tmp_path / "s.db", *more)
        assert told in (tmp_path / "s.html").read_text()
    assert "no instance has colour" in refused(f"report {tmp_path}/s.db --by colour")


def test_a_name_that_no_instance_has_is_told_before_any_run(tmp_path, refused):
    spec = tmp_path / "s.toml"
    spec.write_text(
        'problem = "bin-covering"\nby = ["k", "lw"]\n'
        '[[instances]]\nfamily = "uniform"\nseeds = 3\nn = 5\n'
    )
    told = refused("study", spec)
    assert f'{spec}: by: no instance has lw; did you mean "low"? known' in told
    assert [*tmp_path.iterdir()] == [spec]
