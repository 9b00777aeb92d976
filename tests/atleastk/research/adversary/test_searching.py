import json
import re
from collections import Counter
from dataclasses import replace
from itertools import count, product
from math import inf
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from every_problem import SETTLED

import atleastk
from atleastk import BinCovering, PairPartition, Status
from atleastk.cli import adversary
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.research.adversary import searching, walking
from atleastk.research.adversary.finds import Fault
from atleastk.research.adversary.judging import Judge
from atleastk.research.adversary.planted import Plant
from atleastk.research.adversary.searching import Adversary
from atleastk.runs import api
from atleastk.runs.own_algorithms import algorithm_of
from atleastk.runs.registry import (
    PROBLEMS,
    algorithm_named,
    instance_from_dict,
    problem_named,
)
from atleastk.solvers.brute_force.bin_covering import optimum

SECONDS = 0.3
BINS = problem_named("bin-covering")
GROUNDED = [p.name for p in PROBLEMS.values() if p.ground and p.algorithms]
"""The problems whose algorithms the adversary attacks."""


def worst(algorithm, problem=BINS, **asked):
    return Adversary(problem).worst_of(algorithm_of(problem, algorithm), **asked)


def test_every_problem_has_a_ground():
    assert {*SETTLED} <= {*GROUNDED}


@pytest.fixture
def counted(monkeypatch):
    """Let a second of the search be a hundred looks at the clock."""
    looks = count()
    clock = SimpleNamespace(monotonic=lambda: next(looks) / 100)
    for module in (searching, walking):
        monkeypatch.setattr(module, "time", clock)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("name", GROUNDED)
def test_finds_are_what_they_say(name):
    problem = problem_named(name)
    algorithm = problem.algorithms[0].name
    found = worst(algorithm, problem, seconds=0.05)
    made = api.approximate(found.instance, algorithm)
    solved = api.solve(found.instance, workers=1)
    assert (made.cost, solved.cost) == (found.cost, found.result.cost)
    assert solved.status is Status.OPTIMAL
    assert found.ratio == found.instance.ratio(made.cost, solved.cost) >= 1


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("name", SETTLED)
def test_it_begins_at_the_worst_of_the_library(name):
    problem = problem_named(name)
    algorithm = problem.algorithms[0]
    judge = Judge(problem, algorithm)
    adversary = Adversary(problem)
    plants = [plant for plant, cost in adversary._library if cost is not None]
    rated = [
        judge.rated(judge.instance(plant)) for plant in plants if len(plant.items) <= 8
    ]
    found = adversary.worst_of(algorithm, seconds=0)
    ratios = [of.ratio for of in rated if of]
    assert found.ratio >= found.known >= max(ratios, default=0)


@pytest.mark.usefixtures("counted")
def test_it_begins_at_what_is_known():
    bad, name = BinCovering([4, 4, 3, 3, 2], 8), "longest-processing-time"
    found = worst(name, seconds=0, start=[bad])
    assert found.ratio == found.begun == 2
    assert worst(name, seconds=0, known=[bad]).begun == 0


def test_a_walk_does_not_start_from_listed_pairs():
    problem = problem_named("pair-partition")
    listed = PairPartition(items=4, costs=[[0, 1, 3], [2, 3, 5]], k=2)
    assert Adversary(problem)._solved(listed) is None
    with pytest.raises(NotApplicableError, match="that a walk starts from"):
        worst(problem.algorithms[0].name, problem, seconds=0, start=[listed])


def test_of_what_is_known_and_as_bad_the_smallest_is_shown():
    large = BinCovering([400, 400, 300, 300, 200], 800)
    small = BinCovering([4, 4, 3, 3, 2], 8)
    for known in ([large, small], [small, large]):
        found = worst("longest-processing-time", seconds=0, known=known)
        assert (found.ratio, found.instance.n) == (2, 5)
        assert found.instance.k <= 8


def test_what_is_tiny_is_solved_once(monkeypatch):
    solved = Counter()

    def counting(instance):
        solved[instance.sizes, instance.k] += 1
        return optimum(instance)

    adversary = Adversary(replace(BINS, optimum=counting))
    for name in ("spread", "spread", "fold"):
        judge = Judge(BINS, algorithm_named(BINS, name))
        ends = count()
        clock = SimpleNamespace(monotonic=lambda ends=ends: next(ends))
        monkeypatch.setattr(searching, "time", clock)
        assert adversary._exhausted(judge, 200).instances > 100
    assert set(solved.values()) == {1}
    assert 100 < len(solved) <= 201


@pytest.mark.parametrize("has_library", [True, False])
def test_a_search_begins_at_the_families_of_its_problem(monkeypatch, has_library):
    problem = problem_named("interval-covering")
    if not has_library:
        nothing = SimpleNamespace(filter=lambda problem: [])
        monkeypatch.setattr(searching, "library", nothing)
    starts = [plant for plant, _ in Adversary(problem)._library]
    sizes = [[size for (size,) in plant.items] for plant in starts]
    drawn = [family.make(0) for family in problem.families]
    small = [list(one.sizes) for one in drawn if one.n <= 2 * walking.MOST_ITEMS]
    assert small
    assert all(sizes.count(each) == 1 for each in small)
    assert has_library is (len(starts) > len(small))


def test_what_is_known_is_solved_once(monkeypatch):
    solved, solve = [], api.solve

    def noting(instance, *rest, **named):
        solved.append(instance)
        return solve(instance, *rest, **named)

    monkeypatch.setattr(searching.api, "solve", noting)
    adversary, bad = Adversary(BINS), BinCovering([4, 4, 3, 3, 2], 8)
    for name in ("longest-processing-time", "fold"):
        adversary._known(Judge(BINS, algorithm_named(BINS, name)), [bad], inf)
    assert solved.count(bad) == 1
    assert len(solved) == len({each.sha256 for each in solved})


@pytest.mark.usefixtures("counted")
def test_a_wrong_answer_is_found_and_shrunk():
    def pairs(instance):
        return [range(instance.n)] if instance.n < 3 else [[0], range(1, instance.n)]

    found = worst(pairs, seconds=60)
    assert isinstance(found, Fault)
    assert found.instance == BinCovering([1, 1, 1], 2)
    assert found.message == (
        "returned a wrong solution: group 0 has level 1, below k = 2"
    )


@pytest.mark.usefixtures("counted")
def test_shrinking_ends_with_the_time_and_not_before():
    def one_part(instance):
        return [range(instance.n)]

    found = worst(one_part, problem_named("connected-partition"), seconds=60)
    assert found.instance == atleastk.ConnectedPartition([1, 1], [], 1)


@pytest.mark.usefixtures("counted")
def test_what_breaks_a_promise_stays_a_metric():
    @atleastk.algorithm("r-gather", guarantee=2)
    def together(instance):
        return [range(instance.n)]

    found = worst(together, problem_named("r-gather"), seconds=0.1)
    assert isinstance(found, Fault) or found.broken
    assert found.instance.not_metric is None


def _less_at_seven(instance):
    return 1.2 if instance.k == 7 else 3


@pytest.mark.usefixtures("counted")
def test_a_promise_is_found_broken_where_the_ratio_is_not_the_worst():
    @atleastk.algorithm("interval-covering", guarantee=_less_at_seven)
    def merges(instance):
        return api.approximate(instance, "greedy-merge-last").groups

    problem = problem_named("interval-covering")
    found = worst(merges, problem, seconds=9)
    assert isinstance(found, Fault)
    cost = api.approximate(found.instance, "greedy-merge-last").cost
    least = api.solve(found.instance).cost
    promise = algorithm_of(problem, merges).guarantee
    assert not promise.holds(found.instance, cost, least)
    told = f"breaks its promise: its cost is {cost}, the optimum {least}"
    assert found.message == told


@pytest.mark.parametrize("name", GROUNDED)
def test_what_is_made_of_an_instance_is_the_same_again(name):
    problem, ground = problem_named(name), problem_named(name).ground
    rng = Random(1)
    for k, fields in product(ground.ks, ground.fields):
        items, homes = ground.start(rng, k, fields)
        plant = Plant(tuple(items), tuple(homes), k, fields)
        instance = ground.instance(problem.instance, plant)
        again = ground.instance(problem.instance, ground.plant(instance, homes))
        assert again.to_dict() == instance.to_dict()


def test_the_record_keeps_what_is_worse(tmp_path, done):
    path = tmp_path / "finds.jsonl"
    words = ("spread-decreasing", "--time-limit", SECONDS, "-o", path)
    assert "spread-decreasing" in done("adversary", *words)
    (record,) = map(json.loads, path.read_text().splitlines())
    assert instance_from_dict(record["instance"]).problem == "bin-covering"
    best = {**record, "ratio": 1000}
    path.write_text(json.dumps(best) + "\n")
    done("adversary", *words)
    assert [json.loads(line) for line in path.read_text().splitlines()] == [best]


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ({"ratio": "x"}, "ratio: expected a finite number"),
        ({"instance": []}, "instance: expected an object"),
        ({"instance": {}}, "instance: problem: missing"),
        ({"algorithm": None}, "algorithm: expected a text"),
    ],
)
def test_a_record_that_is_none_is_refused(tmp_path, field, told, refused):
    path = tmp_path / "finds.jsonl"
    find = {"algorithm": "fold", "ratio": 2, "instance": {"problem": "bin-covering"}}
    path.write_text(json.dumps(find | field) + "\n")
    assert f"finds.jsonl:1: {told}" in refused(
        "adversary", "fold", "--problem", "bin-covering", "-o", path
    )


def test_a_name_of_two_problems_wants_one(refused):
    assert "--problem" in refused("adversary", "guillotine")


def test_a_proposal_goes_into_a_library(tmp_path, done):
    path, record = tmp_path / "worst.jsonl", tmp_path / "finds.jsonl"
    own = tmp_path / "mine.py"
    own.write_text(
        "import atleastk\n"
        "@atleastk.algorithm('interval-covering')\n"
        "def all_in_one(instance):\n"
        "    return [range(instance.n)]\n"
    )
    words = (f"{own}:all_in_one", "--time-limit", SECONDS, "--propose", path)
    assert "all-in-one" in done("adversary", *words, "-o", record)
    (instance,) = api.load_all(path)
    assert instance.name.startswith("interval-covering worst all-in-one")
    folder = tmp_path / "library"
    assert "1 instances are new" in done("library", "add", path, "--folder", folder)


def test_nothing_is_proposed_that_is_known(tmp_path, done):
    path = tmp_path / "worst.jsonl"
    words = ("r-gather", "--problem", "r-gather", "--time-limit", 0)
    assert "nothing is worse than what is known" in done(
        "adversary", *words, "--propose", path
    )
    assert not path.exists()


BAD = """\
import atleastk

@atleastk.algorithm("bin-covering", guarantee=2)
def crashes(instance):
    return [range(instance.n)] if instance.n < 4 else 1 / 0

@atleastk.algorithm("bin-covering", guarantee=1.5)
def promises(instance):
    return [range(instance.n)]

@atleastk.algorithm("bin-covering", guarantee=atleastk.Guarantee(
    "cost <= OPT", "nobody", lambda instance, optimum: optimum,
    hypotheses="k is below 1", applies=lambda instance: instance.k < 1,
))
def nowhere(instance):
    return [range(instance.n)]

@atleastk.algorithm("bin-covering")
def refuses(instance):
    raise atleastk.NotApplicableError("not today")
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("crashes", "crashes: ZeroDivisionError: division by zero (bad.py, line 5): {"),
        ("promises", "promises breaks its promise: its cost is "),
    ],
)
def test_what_an_algorithm_of_ones_own_does_wrong_is_told(here, name, told, denied):
    (here / "bad.py").write_text(BAD)
    words = (f"bad.py:{name}", "--time-limit", SECONDS, "-o", "finds.jsonl")
    for _ in range(2):
        assert told in denied("adversary", *words)
    lines = Path("finds.jsonl").read_text().splitlines()
    (record,) = map(json.loads, lines)
    assert instance_from_dict(record["instance"]).problem == "bin-covering"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere", "takes: outside of what is promised: only if k is below 1\n"),
        ("refuses", "refuses: no instance was found that it takes: not today\n"),
    ],
)
def test_who_takes_nothing_is_told(here, run, name, told):
    (here / "bad.py").write_text(BAD)
    code, _, err = run(f"adversary bad.py:{name} --time-limit {SECONDS}")
    assert (code, told in err) == (1, True)


def test_what_is_outside_of_a_promise_is_told(here, done):
    (here / "bad.py").write_text(BAD)
    instance = {"problem": "bin-covering", "sizes": [2, 2], "k": 2}
    Path("i.json").write_text(json.dumps(instance))
    told = done("approximate i.json --algorithm bad.py:nowhere")
    assert "\n          outside of what is promised" in told


def test_it_begins_at_a_file_or_at_the_worst_of_a_study(
    here, monkeypatch, done, refused
):
    large = {"problem": "bin-covering", "sizes": [2] * 99 + [3], "k": 2}
    Path("i.json").write_text(json.dumps(large))
    Path("s.toml").write_text(
        'problem = "bin-covering"\nalgorithms = ["fold-last"]\n'
        '[[instances]]\nfamily = "tight-fold"\nk = 7\n'
    )
    done("study", "s.toml", "--workers", "1")
    starts = list[list[Plant]]()
    begins = searching.worst_plant

    def noted(judge, rng, plants, until):
        starts.append(plants)
        return begins(judge, rng, plants, until)

    monkeypatch.setattr(searching, "worst_plant", noted)
    for start in ("i.json", "s.db"):
        words = ("fold-last", "--time-limit", SECONDS, "--start", start, "--json")
        done("adversary", *words)
    sizes = [[size for (size,) in plants[0].items] for plants in starts]
    worst = atleastk.generate("bin-covering", "tight-fold", k=7)
    assert sizes == [large["sizes"], list(worst.sizes)]
    shown = done(f"adversary fold-last --time-limit {SECONDS} --start s.db")
    promised = atleastk.approximate(worst, "fold-last").cost
    ratio = promised / atleastk.solve(worst).cost
    began = f"fold-last began at 1 instance of s.db, worst {ratio:.4f}"
    assert shown.splitlines()[-1] == began
    told = refused("adversary r-gather --problem r-gather --start i.json")
    assert "i.json: bin-covering" in told
    Path("i.json").write_text(json.dumps({**large, "k": 500}))
    told = refused("adversary fold-last --start i.json")
    assert "no solution of bin-covering" in told
    told = refused("adversary fold-last --start none.db")
    assert told == "atleastk: error: none.db: no such file\n"


@pytest.mark.usefixtures("counted", "unproved")
def test_a_find_is_kept_though_its_optimum_is_not_proved():
    found = worst("spread-decreasing", seconds=0.1)
    record = found.to_dict()
    assert not found.is_exact
    assert (record["optimum"], record["best_known"]) == (None, found.best)
    assert found.least == f"a solution costs {found.best}"
    assert found.least in found.proposal.source
    assert found.ratio == found.instance.ratio(found.cost, found.best) > 1
    assert found.best <= found.result.cost


@atleastk.algorithm("bin-covering", guarantee=1.5)
def one_bin(instance):
    return [range(instance.n)]


@pytest.mark.usefixtures("counted", "unproved")
def test_a_broken_promise_is_kept_though_the_optimum_is_not_proved():
    found = worst(one_bin, seconds=SECONDS)
    assert isinstance(found, Fault) or found.broken


@pytest.mark.usefixtures("unproved")
def test_the_least_instance_of_a_broken_promise_is_told_with_what_is_proved():
    judge = Judge(BINS, algorithm_of(BINS, one_bin))
    judge.over(BinCovering([2] * 7, 2), 2)
    fault = searching._smallest_broken(judge, inf, 0)
    assert fault.message == "breaks its promise: its cost is 2, that of a solution 1"


def test_why_nothing_was_found_is_not_that_it_takes_nothing(run, monkeypatch):
    monkeypatch.setattr(Judge, "rated", lambda *_: None)
    code, _, told = run(f"adversary spread --time-limit {SECONDS}")
    assert code == 1
    assert re.search(r"spread: no ratio was found on the \d+ instances that it", told)


def test_a_find_is_recorded_for_the_others_of_the_file_that_are_worse_off(
    tmp_path, done
):
    path = tmp_path / "finds.jsonl"
    instance = BinCovering([2, 2], 2)
    weak = {"algorithm": "fold-increasing", "ratio": 1.0, "cost": 2, "optimum": 2}
    path.write_text(json.dumps({**weak, "instance": instance.to_dict()}) + "\n")
    done("adversary", "spread-increasing", "--time-limit", SECONDS, "-o", path)
    first, own, other = map(json.loads, path.read_text().splitlines())
    assert first["ratio"] == 1.0
    assert own["algorithm"] == "spread-increasing"
    assert other["algorithm"] == "fold-increasing"
    assert other["instance"] == own["instance"]
    made = atleastk.from_dict(other["instance"])
    cost = api.approximate(made, "fold-increasing").cost
    assert other["cost"] == cost
    assert other["ratio"] == cost / other["best_known"] > 1.0


def test_a_problem_without_algorithms_has_nothing_to_search(monkeypatch, refused):
    """One line says so, as that of approximate --all does."""
    monkeypatch.setattr(adversary, "algorithms_of", lambda _: ())
    told = "atleastk: error: k-ambiguity has no approximation algorithm\n"
    assert refused("adversary all --problem k-ambiguity") == told
