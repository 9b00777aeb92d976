import random
import threading
from contextlib import suppress

import numpy as np
import pytest
from every_problem import NEW
from patience import PATIENCE
from searching import searched

import atleastk
from atleastk import (
    BinCovering,
    Diversity,
    Generalization,
    Instance,
    Solution,
    Status,
    Suppression,
)
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.hierarchies.hierarchy import suppression_of
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.runs.registry import PROBLEMS, problem_of
from atleastk.solvers.bin_covering import auto as of_bins
from atleastk.solvers.budget import Budget
from atleastk.solvers.compiled import compile as compiling
from atleastk.solvers.engine.first_answers import offer_first, offer_shipped
from atleastk.solvers.method import Algorithm
from atleastk.solvers.rectangle_tiling import auto as of_planes
from atleastk.solvers.rectangle_tiling_grid import auto as of_grids
from atleastk.solvers.search import Search
from scripts.benchmarks.never_worse import textbook_cost
from scripts.benchmarks.textbook import HEURISTICS

N = 1_000


def table(values, columns=6, n=N):
    rng = random.Random(1)
    return [[rng.randrange(values) for _ in range(columns)] for _ in range(n)]


def drawn(problem, family, **fields):
    return atleastk.generate(problem, family, 1, **fields)


LARGE = {
    "bins": drawn("bin-covering", "uniform", n=3 * N, high=10**6, k=10**6),
    "intervals": drawn("interval-covering", "uniform", n=N),
    "few values": drawn("k-anonymity", "uniform", n=N, m=6, values=2, k=5),
    "many values": drawn("k-anonymity", "uniform", n=N, m=8, values=4),
    "many columns": drawn("k-anonymity", "uniform", n=N, m=64, values=3, k=2),
    "suppressed cells": Suppression(table(4), 3),
    "ambiguity": drawn("k-ambiguity", "uniform", n=N, m=6, values=4),
    "generalized cells": Generalization(table(4), 3, [suppression_of(range(4))] * 6),
    "points": drawn("r-gather", "uniform", n=N, r=5),
    "outliers": drawn("r-gather", "uniform", n=N, r=3, max_outliers=N // 10),
    "sums of points": drawn("cellular-clustering", "uniform", n=N, r=3),
    "small parts": drawn("connected-partition", "delaunay", n=N, parts=N // 10),
    "large parts": drawn("connected-partition", "delaunay", n=N, parts=7),
    "rectangles": drawn("rectangle-tiling", "uniform", n=N, parts=N // 10),
    "grid": drawn("rectangle-tiling-grid", "uniform", rows=32, columns=32, p=57),
    "pairs": drawn("pair-partition", "points", n=N),
}
"""What the heuristics of textbooks take, of every problem that has one."""

MORE = {
    "limits": Suppression(table(3), 3, minimise="rows", limits={"per_column": 999}),
    "levels": Generalization(table(4), 3, [suppression_of(range(4))] * 6, "attributes"),
    "sensitive values": Diversity(
        table(4),
        3,
        [suppression_of(range(4))] * 6,
        sensitive=[[i % 5] for i in range(N)],
        l=2,
    ),
    **{name: PROBLEMS[name].families[0].make(1) for name in NEW},
}
"""What they do not take."""


class Compiled(BaseException):
    """A compiled loop was entered."""


def enters(_loop, *_arguments, **_named):
    raise Compiled


@pytest.fixture
def without_compiler(monkeypatch):
    """Let every compiled loop end in `Compiled`."""
    monkeypatch.setattr(compiling._Compiled, "__call__", enters)


def first_of(instance: Instance) -> Search[Instance]:
    problem = problem_of(instance)
    search = Search(instance, problem.check, Budget())
    offer_first(search, problem.first(instance))
    return search


def test_every_problem_is_looked_at():
    dearer = {"diversity"}  # 2,552 where the textbook has 2,322: annealing comes after
    assert {one.problem for one in LARGE.values()} | dearer == set(HEURISTICS)
    assert {one.problem for one in (LARGE | MORE).values()} == set(PROBLEMS)


@pytest.mark.usefixtures("without_compiler")
@pytest.mark.parametrize("name", LARGE)
def test_first_answers_are_as_good_as_a_textbook(name):
    instance = LARGE[name]
    rival = textbook_cost(instance, HEURISTICS[instance.problem](instance))
    assert first_of(instance).cost <= rival


@pytest.mark.usefixtures("without_compiler")
@pytest.mark.parametrize("name", MORE)
def test_other_first_answers_need_no_compiler_either(name):
    assert first_of(MORE[name]).solution is not None


@pytest.mark.parametrize("name", LARGE | MORE)
def test_a_run_without_time_ends_with_them(name, monkeypatch):
    instance = (LARGE | MORE)[name]
    first = first_of(instance)
    monkeypatch.setattr("atleastk.runs.watch._GRACE", -1e6)  # the time is up at once
    monkeypatch.setattr("atleastk.solvers.engine.first_answers._LATE", 1e6)
    result = atleastk.solve(instance, 1e-9)
    assert (result.status, result.cost) == (Status.FEASIBLE, first.cost)
    assert result.stopped_because == "time limit"


@pytest.mark.usefixtures("without_compiler")
@pytest.mark.parametrize("name", LARGE | MORE)
def test_a_run_with_time_begins_with_them(name):
    instance = (LARGE | MORE)[name]
    first, costs = first_of(instance).cost, []

    def enough(event):
        costs.append(event.cost)
        return "stop" if event.cost == first else None

    with suppress(Compiled):
        atleastk.solve(instance, 600.0, on_event=enough)
    assert first in costs


def drawn_bins(rng):
    high = rng.choice([5, 100, 10**6, 2**60])
    sizes = [rng.randint(1, high) for _ in range(rng.choice([3, 10, 40, 300]))]
    k = rng.choice([sum(sizes) // len(sizes), sum(sizes) // 3, high])
    objective = rng.choice(["max", "excess", "quadratic"])
    return BinCovering(sizes, min(max(1, k), sum(sizes)), objective)


def drawn_places(rng):
    n, side = rng.choice([(6, 3), (20, 9), (60, 500)])
    points = [
        (rng.randrange(side), rng.randrange(side), rng.randint(1, 9)) for _ in range(n)
    ]
    k = max(1, sum(weight for _, _, weight in points) // rng.randint(1, 9))
    wishes = rng.choice([("plane", False), ("plane", True), ("points", False)])
    return RectangleTiling(points, k, *wishes)


def drawn_grid(rng):
    rows, columns = rng.randint(1, 16), rng.randint(1, 16)
    cells = [[rng.randint(0, 9) for _ in range(columns)] for _ in range(rows)]
    return RectangleTilingGrid(
        cells, rng.randint(1, rows * columns), rng.random() < 0.5
    )


@pytest.mark.parametrize(
    ("auto", "stages", "draw"),
    [
        (of_bins, 3, drawn_bins),
        (of_planes, -2, drawn_places),
        (of_grids, 7, drawn_grid),
    ],
    ids=["bins", "planes", "grids"],
)
def test_the_first_stages_are_no_worse_than_what_is_cheap(
    auto, stages, draw, monkeypatch
):
    monkeypatch.setattr(auto, "STAGES", auto.STAGES[:stages])
    rng = random.Random(7)
    for _ in range(80):
        instance = draw(rng)
        problem = problem_of(instance)
        cost = searched(auto.solve, instance).cost
        rival = HEURISTICS[problem.name](instance)
        assert cost <= textbook_cost(instance, rival), instance.to_dict()
        for algorithm in problem.algorithms:
            if algorithm.refuses(instance) is None:
                other = problem.check(instance, algorithm.run(instance, 0)).cost
                assert cost <= other, (algorithm.name, instance.to_dict())


@pytest.mark.parametrize("problem", PROBLEMS)
def test_they_are_solutions_wherever_there_is_one(problem, solved):
    for instance, result in solved(problem):
        verdicts = [
            PROBLEMS[problem].check(instance, solution)
            for _, solution in PROBLEMS[problem].first(instance)
        ]
        costs = [verdict.cost for verdict in verdicts if verdict.feasible]
        if result.status is Status.INFEASIBLE:
            assert not costs
        else:
            assert all(cost >= result.cost for cost in costs)
            wishes = problem == "suppression" and instance.limits
            wishes = wishes or (problem == "pair-partition" and instance.is_windowed)
            assert costs or wishes


def test_a_table_of_classes_and_few_others_keeps_the_classes():
    rows = [["a", 1]] * 4 + [["b", 2]] * 3 + [["c", 2]]
    assert first_of(atleastk.KAnonymity(rows, 3)).cost == 4


def test_answers_end_when_the_run_is_stopped():
    instance = BinCovering([1] * 9, 3)
    search = Search(instance, problem_of(instance).check, Budget())

    def answers():
        search.budget.stop.set()
        yield "one bin", Solution.of([range(9)])
        raise AssertionError

    offer_first(search, answers())
    assert search.cost == 9


def test_a_late_run_with_an_answer_begins_no_other(clock):
    instance = BinCovering([1] * 9, 3)
    search = Search(instance, problem_of(instance).check, Budget.of(1))

    def answers():
        for bins in (1, 2):
            clock.put_forward(0.8)
            yield "even", Solution.labelled(np.arange(9) % bins)
        raise AssertionError

    offer_first(search, answers())
    assert search.cost == 5


@pytest.mark.parametrize("cover", ["plane", "points"])
def test_strips_keep_great_weights(cover):
    points = [(x % 7, x // 7, 2**55 + x) for x in range(49)]
    instance = RectangleTiling(points, 2**56, cover)
    problem = problem_of(instance)
    for _, solution in problem.first(instance):
        assert problem.check(instance, solution).feasible


def test_parts_cut_off_join_heavy_ones():
    star = ConnectedPartition([1] * 8, [(0, i) for i in range(1, 8)], 3)
    assert first_of(star).cost == 8


@pytest.fixture
def search():
    instance = BinCovering([3, 3, 2, 2], 3)
    return Search(instance, problem_of(instance).check, Budget())


def returning(name, groups, **more):
    return Algorithm(name, "", lambda _instance, _seed: Solution.of(groups), **more)


def test_the_best_of_all_is_kept(search):
    algorithms = [
        returning("all", [[0, 1, 2, 3]]),
        returning("halves", [[0, 2], [1, 3]]),
        returning("refused", [[0], [1], [2, 3]], refuses=lambda _instance: "no"),
        returning("worse", [[0], [1, 2, 3]]),
    ]
    offer_shipped(search, algorithms, search.budget.share(0.5))
    assert search.cost == 5
    assert search.found_by == "halves"


def test_a_closed_search_starts_none(search):
    search.offer([[0], [1], [2, 3]], "test")
    search.raise_bound(4, "test")

    def fail(_instance, _seed):
        raise AssertionError

    offer_shipped(search, [Algorithm("fails", "", fail)], search.budget)


def test_one_that_does_not_end_is_left_behind(search, clock):
    over, search.budget = threading.Event(), Budget.of(10)

    def wait(_instance, _seed):
        clock.put_forward(10)
        over.wait(PATIENCE)
        return Solution.of([[0, 1, 2, 3]])

    algorithms = [Algorithm("waits", "", wait), returning("all", [[0, 1, 2, 3]])]
    offer_shipped(search, algorithms, search.budget.share(0.5))
    over.set()
    assert search.cost is None
