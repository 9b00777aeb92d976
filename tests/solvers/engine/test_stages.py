"""Stages: their order, their shares of the time, and who is named for what they do."""

import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest
from every_problem import INSTANCES
from patience import PATIENCE
from searching import search_of

import atleastk
from atleastk.instances.bin_covering import BinCovering
from atleastk.models.bin_covering import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.engine.race import first_answer
from atleastk.solvers.engine.stages import SideBySide, Stage, always, run_stages
from atleastk.solvers.search import Ran, Search
from atleastk.solvers.tables.stages import STAGES

SOLVERS = Path(atleastk.__file__).parent / "solvers"
STAGED = [p.parent.name for p in SOLVERS.glob("*/auto.py") if "STAGES" in p.read_text()]
"""The problems with a list of stages, of their own or that of tables."""
OF_TABLES = {"k_anonymity", "generalization", "suppression"}
"""Those that declare themselves to the stages of tables."""
LISTS = {"suppression": "BEGINNING WITHOUT_LIMIT FULLEST_COLUMN WITHIN_TIME"}
"""The lists of stages, where it is not one."""
BEFORE = {"first answers", "first bounds", "subset-dp"}
"""What comes before all lists."""
UNSTAGED = {
    "generalization": {"descent", "tagging"},
    "diversity": {"descent", "tagging"},
    "suppression": {"deletion", "largest-k"},
}
"""What they do in place of their stages."""


def begun(seconds=None):
    return search_of(BinCovering([10, 6, 6, 6], 10), seconds=seconds)


@pytest.fixture
def search():
    return begun()


def test_an_ended_stage_tells_what_it_moved_and_said(clock):
    """Its own reports and those of stages in it; a stage in vain is told, too."""
    ran = []
    search = Search(
        BinCovering([10, 6, 6, 6], 10), check, Budget(), on_stage=ran.append
    )
    with search.stage("outer"):
        with search.stage("inner"):
            assert [each.by for each in search.left_behind] == ["outer: inner", "outer"]
            assert all(each.said == ("left behind",) for each in search.left_behind)
            search.offer([[0, 1, 2, 3]], "inner")
            search.refuted("lists")
            search.say("all listed")
            clock.put_forward(2.0)
        search.raise_bound(10, "counting")
        clock.put_forward(1.0)
    with search.stage("inner"):
        assert not search.raise_bound(9, "inner")
    assert ran == [
        Ran(2.0, "outer: inner", 2.0, costs=1, levels=1, said=("all listed",)),
        Ran(3.0, "outer", 3.0, costs=1, bounds=1, levels=1),
        Ran(3.0, "inner", 0.0),
    ]


def test_stages_run_in_order_within_their_shares(clock):
    """A share is of what is left; without one it is all that; some do not apply."""
    search, ran = begun(100.0), []

    def take(seconds):
        def run(work, budget):
            ran.append((work, budget.remaining))
            clock.put_forward(seconds)

        return run

    stages = (
        Stage("first", always, 0.5, take(20.0)),
        Stage("left out", lambda _: False, 0.5, take(1.0)),
        Stage("second", always, 0.25, take(10.0)),
        Stage("last", always, None, take(0.0)),
    )
    run_stages(search, stages, "work")
    assert ran == [("work", 50.0), ("work", 20.0), ("work", 70.0)]


def test_a_list_ends_when_the_time_is_up_or_it_is_over(clock):
    """The first stage always runs: a run without any time has an answer, too."""
    search, ran = begun(1.0), []
    stages = [Stage(name, always, None, lambda w, _: w.append(1)) for name in "abc"]
    run_stages(search, stages, ran, lambda: len(ran) == 2)
    assert ran == [1, 1]
    clock.put_forward(2.0)
    run_stages(search, stages, ran)
    assert ran == [1, 1, 1]


def test_a_closed_search_ends_the_list(search):
    def close(work, _budget):
        work.offer([[0, 1], [2, 3]], "source")
        work.raise_bound(16, "proof")

    def fail(_work, _budget):
        raise AssertionError

    list_ = (Stage("close", always, None, close), Stage("fail", always, None, fail))
    run_stages(search, list_, search)
    assert search.closed


def test_who_moved_an_end_is_named_by_its_stages(search):
    """From the outermost in; a source of the name of its stage is not repeated."""
    inner = (
        Stage("search", always, None, lambda s, _: s.offer([range(4)], "greedy")),
        Stage("weights", always, None, lambda s, _: s.raise_bound(10, "weights")),
        Stage("levels", always, None, lambda s, _: s.refuted("completion")),
    )
    rounds = Stage("rounds", always, None, lambda s, _: run_stages(s, inner, s))
    run_stages(search, [rounds], search)
    search.raise_bound(11, "late")
    moved = [event.by for event in search.events]
    assert moved == ["rounds: search: greedy", "rounds: weights", "late"]
    assert (search.found_by, search.proved_by) == ("rounds: search: greedy", "late")
    assert search.credits["level", "rounds: levels: completion"] == 1


def test_a_stage_that_raises_ends_the_run_and_is_left(search):
    def fail(_work, _budget):
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        run_stages(search, [Stage("fails", always, None, fail)], search)
    search.offer([range(4)], "later")
    assert search.found_by == "later"


def test_a_search_within_a_stage_begins_with_its_own_names(search):
    with search.stage("outer"):
        inner = begun()
        with inner.stage("inner"):
            inner.offer([range(4)], "source")
    assert inner.found_by == "inner: source"


def test_threads_of_a_stage_report_for_it(search):
    """Those of a race, and those of foreign solvers, which are in no stage."""
    offers = [lambda _: search.offer([range(4)], "race")] * 2
    with search.stage("races"):
        first_answer(offers, Budget(workers=2), bool)
        assert search.found_by == "races: race"
        with ThreadPoolExecutor(1) as pool:
            pool.submit(search.raise_bound, 5, "foreign").result()
    assert search.proved_by == "races: foreign"


def test_stages_side_by_side_have_names_and_shares_of_their_own(clock):
    """Both are at work at the same time, and what comes later waits for them."""
    search, met, ran = begun(100.0), threading.Barrier(2), []

    def work(cost, source):
        def run(searched, budget):
            met.wait(PATIENCE)
            ran.append(budget.remaining)
            searched.raise_bound(cost, source)
            met.wait(PATIENCE)

        return run

    one = Stage("one", always, 0.5, work(5, "low"))
    both = SideBySide(always, (one, Stage("other", always, None, work(6, "high"))))
    run_stages(search, [both], search)
    assert sorted(ran) == [50.0, 100.0]
    assert search.proved_by == "other: high"
    search.raise_bound(7, "late")
    assert search.proved_by == "late"


@pytest.mark.parametrize("problem", STAGED)
def test_results_name_stages_of_the_list(problem):
    """Whoever found or proved an answer is on the list, or comes before it."""
    auto = import_module(f"atleastk.solvers.{problem}.auto")
    names = BEFORE | UNSTAGED.get(problem, set())
    lists = [getattr(auto, name, ()) for name in LISTS.get(problem, "STAGES").split()]
    for step in (*chain(*lists), *(STAGES if problem in OF_TABLES else ())):
        names |= {each.name for each in getattr(step, "stages", (step,))}
    for instance in INSTANCES[problem.replace("_", "-")]:
        result = atleastk.solve(instance, 600, workers=1)
        movers = {*(event.by for event in result.events), result.proved_by}
        assert {mover.split(": ")[0] for mover in movers} <= names
