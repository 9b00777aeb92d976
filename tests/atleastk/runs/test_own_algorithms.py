import sys
from dataclasses import replace
from fractions import Fraction

import pytest

import atleastk
from atleastk.instances.fields.errors import (
    AtleastkError,
    InvalidResultError,
    NotApplicableError,
    UnknownNameError,
)
from atleastk.runs import own_algorithms
from atleastk.runs.own_algorithms import (
    algorithm_of,
    errors_on_a_line,
    name_of,
    origin_of,
)
from atleastk.runs.registry import problem_named

BINS = atleastk.BinCovering([10, 6, 6, 6], 10)
PROBLEM = problem_named("bin-covering")
GATHER = atleastk.RGather(points=[[0, 0], [3, 0], [6, 0]], r=3)


@atleastk.algorithm("bin-covering", guarantee=2)
def one_bin(instance):
    return [range(instance.n)]


def drawn(instance, seed):
    return [range(instance.n)] if seed % 2 == 0 else [[0], range(1, instance.n)]


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "all_of.py").write_text(
        "def every(instance):\n    return range(instance.n)\n"
    )
    (tmp_path / "mine.py").write_text(
        "import atleastk\n"
        "from all_of import every\n"
        "@atleastk.algorithm('bin-covering', guarantee=3, name='heap')\n"
        "def one(instance):\n"
        "    return [every(instance)]\n"
    )
    return tmp_path


def program(text):
    return f"cmd:{sys.executable} -c '{text}'"


def test_a_marked_function_is_still_one_and_keeps_its_promise_with_it():
    assert list(one_bin(BINS)[0]) == [0, 1, 2, 3]
    result = atleastk.approximate(BINS, one_bin)
    assert (result.cost, result.method) == (28, "one-bin")
    assert str(result.guarantee) == "ratio <= 2 (its own promise)"
    assert result.guarantee.ceiling(BINS, 16) == 32


@pytest.mark.parametrize(
    ("promise", "ceiling"),
    [
        (1.74, Fraction(174, 100) * 16),
        (Fraction(7, 4), 28),
        (lambda instance: instance.n, 64),
        (None, None),
    ],
)
def test_a_promise_is_a_number_or_depends_on_the_instance(promise, ceiling):
    @atleastk.algorithm("bin-covering", guarantee=promise, name="x")
    def function(instance):
        return [range(instance.n)]

    guarantee = atleastk.approximate(BINS, function).guarantee
    assert (guarantee and guarantee.ceiling(BINS, 16)) == ceiling
    assert "<lambda>" not in str(guarantee)


@pytest.mark.parametrize("promise", [0, -1, float("nan"), float("inf"), "two"])
def test_no_ratio_is_no_promise(promise):
    with pytest.raises(atleastk.InvalidInstanceError, match="guarantee: expected a nu"):
        atleastk.algorithm("bin-covering", guarantee=promise)(len)


def test_a_promise_of_r_gather_is_of_radii():
    @atleastk.algorithm("r-gather", guarantee=2)
    def at_an_end(_instance):
        return {"groups": [[0, 1, 2]], "centres": [0]}

    result = atleastk.approximate(GATHER, at_an_end)
    best = atleastk.solve(GATHER).cost
    assert (result.cost, best) == (36, 9)
    assert result.guarantee.ceiling(GATHER, best) == 36
    assert GATHER.ratio(36, 9) == 2.0


def test_a_function_may_take_a_seed():
    assert atleastk.approximate(BINS, drawn, seed=2).cost == 28
    assert atleastk.approximate(BINS, drawn, seed=3).cost == 18


def test_an_algorithm_of_another_problem_is_refused():
    with pytest.raises(UnknownNameError, match="one-bin is an algorithm of bin-cov"):
        atleastk.approximate(GATHER, one_bin)


def test_a_function_of_a_file(mine):
    found = algorithm_of(PROBLEM, "mine.py:one", mine)
    assert (found.name, found.promise) == ("heap", "ratio <= 3")
    assert found.run(BINS, 0).groups == ((0, 1, 2, 3),)


@pytest.mark.parametrize(
    ("which", "told"),
    [
        ("mine.py:two", "mine.py has no function two"),
        ("yours.py:one", "cannot be imported: no such file"),
        ("no.such.module:one", "cannot be imported: No module named"),
        ("cmd:", "expected a program after cmd:"),
        ("spraed", 'did you mean "spread"'),
    ],
)
def test_what_is_not_there_is_told_on_a_line(mine, which, told):
    with pytest.raises(UnknownNameError, match=told):
        algorithm_of(PROBLEM, which, mine)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("def one(:", r"SyntaxError: invalid syntax \(broken.py, line 1\)"),
        ("\nx = 1 / 0", r"ZeroDivisionError: .* zero \(broken.py, line 2\)"),
    ],
)
def test_a_file_that_is_no_module_is_told_on_a_line(tmp_path, text, told):
    (tmp_path / "broken.py").write_text(text)
    with pytest.raises(UnknownNameError, match=f"cannot be imported: {told}$"):
        algorithm_of(PROBLEM, "broken.py:one", tmp_path)


def test_what_a_function_does_wrong_is_told_on_a_line():
    with (
        pytest.raises(
            NotApplicableError, match=r"a.py:one: ZeroDivisionError: \(test_"
        ),
        errors_on_a_line("a.py:one"),
    ):
        raise ZeroDivisionError
    with pytest.raises(ZeroDivisionError), errors_on_a_line("spread"):
        raise ZeroDivisionError


def test_what_a_program_prints_is_told_with_its_name():
    for text, told in (
        ("[[0], 7]", r"groups\[1\]: expected"),
        ("[" * 2000, "neither JSON nor lines"),
        ("\\377", "no UTF-8"),
    ):
        which = f"cmd:printf '{text}'"
        with pytest.raises(InvalidResultError, match=told) as error:
            algorithm_of(PROBLEM, which).run(BINS, 0)
        assert str(error.value).startswith(which)


@pytest.mark.parametrize(
    "text",
    [
        "print([[0, 1, 2, 3]])",
        'print("{\\"groups\\": [[0, 1, 2, 3]]}")',
        'import json, sys; n = len(json.load(sys.stdin)["sizes"]); print(*range(n))',
        'print("0 3\\n\\n2 1")',
    ],
)
def test_a_program_reads_an_instance_and_prints_groups(text):
    result = atleastk.approximate(BINS, program(text))
    assert sorted(sum(result.groups, ())) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("print(0.5)", InvalidResultError, "neither JSON nor lines of item numbers"),
        ("", atleastk.WrongAnswerError, "returned a wrong solution"),
        ("raise SystemExit(3)", NotApplicableError, "exit code 3: no message"),
        ('raise SystemExit("dear me")', NotApplicableError, "exit code 1: dear me"),
    ],
)
def test_a_program_that_gives_no_answer(text, error, told):
    with pytest.raises(error, match=told):
        atleastk.approximate(BINS, program(text))


def test_a_program_that_does_not_end_or_is_not_there(tmp_path):
    hangs = algorithm_of(PROBLEM, program("import time; time.sleep(99)"), seconds=0.1)
    with pytest.raises(NotApplicableError, match=r"has not ended after 0\.1 s"):
        hangs.run(BINS, 0)
    with pytest.raises(UnknownNameError, match="cannot be run: No such file"):
        atleastk.approximate(BINS, f"cmd:{tmp_path}/none")


class Entry:
    value = "package:function"

    def __init__(self, found):
        self.load = lambda: found


@pytest.fixture
def installed(monkeypatch):
    def install(**functions):
        entries = {name: Entry(found) for name, found in functions.items()}
        monkeypatch.setattr(own_algorithms, "_entries", lambda: entries)
        own_algorithms._installed.cache_clear()

    yield install
    own_algorithms._installed.cache_clear()


def test_installed_packages_offer_algorithms(installed):
    installed(heap=one_bin)
    assert atleastk.approximate(BINS, "heap").cost == 28
    assert atleastk.algorithms("bin-covering")[-1].name == "heap"
    assert "heap" not in {a.name for a in atleastk.algorithms("r-gather")}


def test_an_entry_point_that_is_not_marked_is_told(installed):
    installed(heap=drawn)
    with pytest.raises(AtleastkError, match="heap: package:function is not marked"):
        atleastk.approximate(BINS, "heap")


def test_algorithms_of_ones_own_are_known_by_their_files(mine):
    source = origin_of("mine.py:one", mine)
    assert len(source) == len(origin_of("cmd:python3 mine.py", mine)) == 64
    assert origin_of("spread") is None
    shipped = {origin_of(each.name, mine, PROBLEM) for each in PROBLEM.algorithms}
    assert len(shipped) == len(PROBLEM.algorithms) > 10
    assert origin_of("cmd:true", mine) is None
    assert len({origin_of(drawn), origin_of(one_bin), source}) == 3
    assert (name_of(drawn), name_of("mine.py:one")) == ("drawn", "mine.py:one")


def test_what_the_lists_of_algorithms_hold_is_taken_as_it_is():
    fold, *_ = atleastk.algorithms("bin-covering")
    named = atleastk.approximate(BINS, fold.name)
    assert atleastk.approximate(BINS, fold).groups == named.groups
    assert algorithm_of(PROBLEM, fold) is fold
    found = atleastk.ratio(atleastk.algorithms("bin-covering"), "uniform", seeds=2, n=5)
    assert [tally.name for tally in found] == [a.name for a in PROBLEM.algorithms]
    assert atleastk.ratio(fold, BINS)[fold.name].solved == 1


def test_a_study_of_algorithms_is_that_of_their_names(tmp_path):
    told = [
        atleastk.Study(
            problem="bin-covering", instances=[BINS], algorithms=asked
        ).description
        for asked in (["fold"], [atleastk.algorithms("bin-covering")[0]], ["all"])
    ]
    assert (told[0], told[2]["algorithms"][0]) == (told[1], told[0]["algorithms"][0])


def test_an_algorithm_of_another_problem_is_no_algorithm_of_this_one():
    grid = next(
        a
        for a in atleastk.algorithms("rectangle-tiling-grid")
        if a.name == "kd-balanced"
    )
    with pytest.raises(
        UnknownNameError, match="algorithm of rectangle-tiling-grid, not"
    ):
        algorithm_of(problem_named("rectangle-tiling"), grid)


def test_an_algorithm_that_somebody_made_is_one():
    made = replace(PROBLEM.algorithms[0], name="mine")
    assert atleastk.approximate(BINS, made).method == "mine"
    assert atleastk.ratio(made, BINS, problem="bin-covering")["mine"].solved == 1
