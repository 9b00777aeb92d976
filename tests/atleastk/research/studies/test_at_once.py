import math
from dataclasses import replace
from pathlib import Path

import pytest

import atleastk
from atleastk import InvalidInstanceError, NoAnswerError, UnknownNameError
from atleastk.research.studies.source import Source
from atleastk.runs.pools import Here

ROW = [atleastk.BinCovering([10, 6, 6, 6], 10), atleastk.BinCovering([5, 5, 5, 5], 10)]


@atleastk.algorithm("bin-covering", guarantee=1.5)
def one_bin(instance):
    return [range(instance.n)]


def half(instance):
    return [range(instance.n // 2)]


def test_a_function_is_compared_with_the_optima_of_a_family():
    found = atleastk.ratio(one_bin, "uniform", seeds=6, n=[3, 5])
    tally = found["one-bin"]
    assert found.instances == 12
    assert tally.solved == 12 - found.infeasible
    assert tally.distribution == tuple(sorted(tally.ratios))
    assert tally.mean == pytest.approx(sum(tally.ratios) / tally.solved)


def test_broken_promises_and_wrong_answers_are_told_with_the_instance():
    found = atleastk.ratio([one_bin, half, "spread"], ROW)
    first, second, third = found
    assert [f.instance for f in first.broken] == ROW
    assert "costs 28, the optimum 16: breaks ratio <= 1.5" in str(first.broken[0])
    assert "sizes [10 6 6 6], k 10" in str(first.broken[0])
    assert [f.instance for f in second.wrong] == ROW
    assert "half returned a wrong solution" in second.wrong[0].what
    assert not third.wrong + third.broken
    assert len(found.faults) == 4
    assert "wrong answers and broken promises: 4" in str(found)


def test_the_worst_instance_and_its_ratio():
    found = atleastk.ratio(one_bin, ROW)
    assert found.worst == (2.0, ROW[1], 20, 10)
    assert found.mean == pytest.approx((28 / 16 + 2) / 2)
    assert found.distribution == {"one-bin": (1.75, 2.0)}


def test_a_ratio_of_r_gather_is_one_of_radii():
    instance = atleastk.RGather(points=[[0, 0], [3, 0], [7, 0]], r=3)

    @atleastk.algorithm("r-gather", guarantee=2)
    def at_an_end(_instance):
        return {"groups": [[0, 1, 2]], "centres": [0]}

    found = atleastk.ratio(at_an_end, instance)
    assert found.worst.ratio == pytest.approx(7 / 4)
    assert found["at-an-end"].nearest == pytest.approx(7 / 8)
    assert math.sqrt(found.worst.cost) == 7


def test_instances_without_a_solution_are_left_out():
    poor = atleastk.BinCovering([1, 1], 10)
    found = atleastk.ratio(half, [poor])
    assert (found.instances, found.infeasible, found["half"].top) == (1, 1, None)
    assert not found.faults
    assert "1 without a solution, left out" in found.told


def test_where_there_is_no_ratio_it_is_said_why():
    def fails(_instance):
        raise ZeroDivisionError

    found = atleastk.ratio(fails, "uniform", problem="bin-covering", seeds=2, n=9)
    told = r"fails has no ratio: 2 failed, the first: fails: ZeroDivisionError"
    for asked in (found, found["fails"]):
        for name in ("worst", "mean"):
            with pytest.raises(NoAnswerError, match=told):
                getattr(asked, name)
    assert found.table["worst"] == found.table["mean"] == [None]
    poor = atleastk.ratio(half, [atleastk.BinCovering([1, 1], 10)])
    with pytest.raises(NoAnswerError, match="1 without a solution, left out"):
        _ = poor.worst


def test_an_algorithm_that_fails_or_refuses_is_counted():
    def odd(instance):
        return [range(instance.n)] if instance.n == 4 else instance.weights

    three = atleastk.BinCovering([4, 4, 4], 4)
    found = atleastk.ratio(odd, [*ROW, three])
    assert found["odd"].solved == 2
    (failed,) = map(str, found["odd"].failed)
    assert failed.startswith("odd: AttributeError: 'BinCovering' object has no")
    assert "(test_at_once.py, line " in failed
    assert f"- {failed}" in str(found)


def test_a_program_that_fails_refuses_nothing():
    (tally,) = atleastk.ratio("cmd:sh -c 'echo no >&2; exit 3'", ROW)
    assert (len(tally.failed), tally.refused) == (2, 0)
    assert "ended with exit code 3: no" in str(tally.failed[0])


def test_of_many_faults_the_first_are_told():
    def never(instance):
        return [range(instance.n // 0)]

    found = atleastk.ratio(never, "uniform", problem="bin-covering", n=4, k=3, seeds=9)
    told = list(found.told_faults)
    assert len(found["never"].failed) == 9
    assert len(told) == 4
    assert told[-1] == "never fails 6 times more"


def test_what_several_seeds_do_wrong_is_told_once():
    study = atleastk.Study(
        problem="bin-covering", instances=ROW, algorithms=[half], seeds=[0, 1, 2]
    )
    ratios = atleastk.conduct(study, executor=Here()).ratios()
    assert len(ratios["half"].wrong) == 6
    assert len(list(ratios.told_faults)) == 2


def test_instances_of_optimum_zero_have_no_ratio():
    def all_together(instance):
        return [range(instance.n)]

    tables = [
        atleastk.KAnonymity([("a",), ("a",), ("b",), ("b",)], 2),
        atleastk.KAnonymity([("a",), ("a",)], 2),
    ]
    tally = atleastk.ratio(all_together, tables)["all_together"]
    assert (tally.zeros, tally.missed, tally.ratios) == (2, 1, [])


def test_instances_come_from_a_file(tmp_path):
    path = tmp_path / "row.jsonl"
    lines = [
        f'{{"problem": "bin-covering", "sizes": {list(i.sizes)}, "k": 10}}' for i in ROW
    ]
    path.write_text("\n".join(lines))
    assert atleastk.ratio("spread", path).instances == 2


def test_what_is_missing_is_told():
    with pytest.raises(InvalidInstanceError, match="problem: give the name of one"):
        atleastk.ratio(half, "uniform")
    with pytest.raises(UnknownNameError, match=r"algorithms\[1\]: no algorithm of bin"):
        atleastk.ratio(["spread", "sprad"], ROW)
    with pytest.raises(UnknownNameError, match=r"instances\[0\]: no family of bin-cov"):
        atleastk.ratio("spread", "unifrom", problem="bin-covering")
    with pytest.raises(InvalidInstanceError, match="half is there twice"):
        atleastk.ratio([half, half], ROW)
    with pytest.raises(InvalidInstanceError, match="an instance of bin-covering, not"):
        atleastk.ratio("r-gather", ROW, problem="r-gather")
    with pytest.raises(UnknownNameError, match='did you mean "one-bin"'):
        atleastk.ratio(one_bin, ROW)["one-bim"]


def test_tables_of_ratios(tmp_path):
    found = atleastk.ratio([one_bin, "spread"], ROW)
    text = found.to_markdown()
    assert text.startswith("| algorithm | promise | of promise | worst | reached by |")
    assert "| one-bin | ratio <= 1.5, its own promise | 1.3333 | 2.0000 |" in text
    table = found.to_latex()
    assert r"one-bin & 1.3333 & 2.0000 &" in table
    assert r"& ratio \textless{}= 1.5, its own promise \\" in table
    assert "missed 0" not in table
    assert "reached by" not in table
    assert found.to_frame("polars")["worst"].to_list()[0] == 2.0
    ax = found.plot(tmp_path / "ratios.svg")
    names = [line.get_text().strip() for line in ax.get_legend().get_texts()]
    assert names == ["spread", "one-bin"]
    assert (tmp_path / "ratios.svg").stat().st_size > 1000
    assert not atleastk.ratio(half, ROW).plot().lines


def test_a_function_in_a_file_knows_its_problem(here):
    (here / "mine.py").write_text(
        "import atleastk\n\n\n"
        '@atleastk.algorithm("bin-covering")\n'
        "def one_bin(instance):\n"
        "    if instance.k > 10:\n"
        '        raise atleastk.NotApplicableError("only small k")\n'
        "    return [range(instance.n)]\n"
    )
    small = {"n": 6, "low": 1, "high": 9, "seeds": 3}
    found = atleastk.ratio("mine.py:one_bin", "uniform", k=10, **small)
    assert found["mine.py:one_bin"].solved == 3
    declined = atleastk.ratio("mine.py:one_bin", "uniform", k=11, **small)
    assert declined["mine.py:one_bin"].solved == 0
    assert not declined.faults


def test_a_family_is_one_name():
    several = {"family": ["uniform", "tight-fold"]}
    with pytest.raises(InvalidInstanceError, match="family: expected one name"):
        Source.of(several, "bin-covering", Path())


@pytest.mark.parametrize(
    ("problem", "told"), [("r-gather", "radius"), ("k-anonymity", "cost")]
)
def test_pictures_say_what_ratios_are_of(problem, told):
    found = atleastk.ratio("all", "uniform", problem=problem, seeds=2, n=6)
    assert found.plot().get_xlabel() == f"{told} / optimum"
    assert replace(found, tallies=()).measured == "cost"
