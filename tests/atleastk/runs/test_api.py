import errno
import os
import signal
import sys
import threading
import time
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from patience import PATIENCE

import atleastk
from atleastk import BinCovering, Result, Solution, Status, Trust
from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    InvalidResultError,
    NotApplicableError,
    OutOfMemoryError,
    UnknownNameError,
    WrongAnswerError,
)
from atleastk.models.in_time import look_up
from atleastk.models.linear import LinearModelBuilder
from atleastk.models.results.status import Stop
from atleastk.runs import solving
from atleastk.runs.ask import Ask
from atleastk.runs.solving import solve_within
from atleastk.solvers.budget import Budget
from atleastk.solvers.clock import CLOCK
from atleastk.solvers.method import Method
from atleastk.solvers.search import Proof

SMALL = BinCovering(sizes=[10, 6, 6, 6], k=10)
POOR = BinCovering(sizes=[1, 2], k=10)


@pytest.fixture(autouse=True)
def _registered(stand_in):
    stand_in()


@pytest.fixture
def _in_a_moment(fakes, monkeypatch):
    """Let all the time of methods that wait or hang pass in a moment."""
    monkeypatch.setattr(time, "monotonic", fakes.CLOCK)


def test_solve_proves_the_optimum():
    """The heavy item does not stand alone: 16, not 18."""
    result = atleastk.solve(SMALL)
    assert (result.status, result.cost, result.bound) == (Status.OPTIMAL, 16, 16)
    assert result.trust is Trust.PROVED
    assert (result.method, result.instance_sha256) == ("auto", SMALL.sha256)
    assert result.versions["atleastk"] == atleastk.__version__
    assert atleastk.check(SMALL, result).feasible


def test_infeasible_is_a_status():
    result = atleastk.solve(POOR)
    assert (result.status, result.trust) == (Status.INFEASIBLE, Trust.PROVED)
    assert (result.cost, result.bound, result.groups) == (None, None, None)


@pytest.mark.usefixtures("_in_a_moment")
@pytest.mark.parametrize("method", ["waits", "hangs"])
def test_interrupted_work_is_feasible_and_heuristic(method):
    result = atleastk.solve(SMALL, time_limit=1000, method=method)
    assert (result.status, result.trust) == (Status.FEASIBLE, Trust.HEURISTIC)
    assert (result.cost, result.bound) == (28, 1)
    assert result.seconds > 1000


@pytest.mark.usefixtures("_in_a_moment")
def test_a_stage_that_is_left_behind_is_told(fakes):
    def solve(search):
        with search.stage("hanging"):
            fakes.hangs(search)

    told = []
    ask = Ask(Budget.checked(1000), on_stage=told.append)
    solve_within(SMALL, ask, replace(fakes.PROBLEM, solve=solve))
    moved = [(ran.by, ran.costs, ran.bounds, ran.said) for ran in told]
    assert moved == [("hanging", 1, 1, ("left behind",))]


def test_nobody_waits_for_a_method_whose_search_is_closed():
    result = atleastk.solve(SMALL, method="lingers")
    assert (result.status, result.trust) == (Status.OPTIMAL, Trust.PROVED)


def test_a_closed_search_tells_its_method_to_stop_and_nobody_else():
    result = atleastk.solve(SMALL, method="dawdles", agree=True, time_limit=1000)
    assert result.trust is Trust.CERTIFIED
    assert result.method == "dawdles; agreed with exact"


def test_a_certificate_that_is_too_large_to_check_costs_no_trust():
    """Nobody can say whether it holds, so it does not travel with the result."""
    result = atleastk.solve(SMALL, method="boasts")
    assert (result.trust, result.certificate) == (Trust.PROVED, None)
    assert atleastk.check(SMALL, result).feasible


@pytest.mark.parametrize(
    ("method", "error", "told"),
    [
        ("offers-half", WrongAnswerError, "offers-half returned a wrong solution"),
        ("overbids", WrongAnswerError, "nothing costs less than 1000000000"),
        ("bluffs", WrongAnswerError, "certificate of bluffs is refused"),
        ("crashes", RuntimeError, "the solver crashed"),
        ("picky", NotApplicableError, "picky cannot take this instance: to"),
        ("secnd", UnknownNameError, 'did you mean "second"'),
    ],
)
def test_lies_crashes_and_refusals_come_through(method, error, told):
    with pytest.raises(error, match=told):
        atleastk.solve(SMALL, method=method)


@pytest.mark.parametrize("instance", [SMALL, POOR], ids=["feasible", "infeasible"])
def test_agreement_needs_another_family(stand_in, fakes, instance):
    stand_in(fakes.with_methods("exact", "exact-cousin"))
    assert atleastk.solve(instance, agree=True).trust is Trust.PROVED
    stand_in(fakes.with_methods("exact", "exact-cousin", "second"))
    for method in ("auto", "exact"):
        result = atleastk.solve(instance, agree=True, method=method)
        assert result.trust is Trust.AGREED
        assert result.method == f"{method}; agreed with second"


def test_agreement_passes_over_a_stranger_that_proves_nothing(stand_in, fakes):
    stand_in(fakes.with_methods("exact", "sulks", "second"))
    assert atleastk.solve(SMALL, agree=True).method == "auto; agreed with second"


def test_an_unknown_prover_needs_two_families_to_agree(stand_in, fakes):
    anonymous = fakes.honest("somebody")
    stand_in(fakes.with_methods("exact", solve=anonymous))
    assert atleastk.solve(SMALL, agree=True).trust is Trust.PROVED
    stand_in(fakes.with_methods("exact", "second", solve=anonymous))
    result = atleastk.solve(SMALL, agree=True)
    assert result.method == "auto; agreed with exact and second"


@pytest.mark.parametrize("methods", [("exact", "exaggerates"), ("second", "overbids")])
def test_disagreement_is_an_error(stand_in, fakes, methods, here):
    stand_in(fakes.with_methods(*methods))
    with pytest.raises(WrongAnswerError, match=methods[1]):
        atleastk.solve(SMALL, agree=True, method=methods[0])


@pytest.mark.parametrize("instance", [SMALL, POOR], ids=["feasible", "infeasible"])
def test_a_certificate_that_holds_certifies(instance):
    result = atleastk.solve(instance, method="certifies")
    assert result.trust is Trust.CERTIFIED
    assert result.certificate == {"proves": True}
    verdict = atleastk.check(instance, result)
    assert verdict.feasible
    assert verdict.cost == result.cost


def test_certify_looks_for_a_certificate(stand_in, fakes):
    def certify(instance, bound, budget):
        return {"proves": (instance, bound) == (SMALL, 16)}

    stand_in(fakes.with_methods("exact", certify=certify))
    assert atleastk.solve(SMALL).trust is Trust.PROVED
    assert atleastk.solve(SMALL, certify=True).trust is Trust.CERTIFIED
    stand_in()
    assert atleastk.solve(SMALL, certify=True).trust is Trust.PROVED


@pytest.mark.parametrize(
    "start", [[[0, 1], [2, 3]], Solution.of([[0, 1], [2, 3]]), ((0, 1), (2, 3))]
)
def test_a_start_is_as_good_as_found(start):
    result = atleastk.solve(SMALL, method="sulks", start=start)
    assert (result.status, result.cost) == (Status.FEASIBLE, 16)
    assert atleastk.solve(SMALL, method="sulks", start=result).cost == 16


@pytest.mark.parametrize(
    ("start", "told"),
    [
        ([[0]], "start: not a solution of this instance: 3 items are in no group"),
        ([[0, 1.5]], r"start: groups\[0\]\[1\]: expected an integer, got 1.5"),
        ("abc", "start: groups: expected a list"),
    ],
)
def test_a_wrong_start_is_refused(start, told):
    with pytest.raises(InvalidResultError, match=told):
        atleastk.solve(SMALL, start=start)


WRONG = {
    "time_limit": [0, -1, float("nan"), float("inf"), True, "60", 10**400, [1]],
    "memory_limit": [np.array([1, 2]), 10**400],
    "workers": [0, 1.5],
    "seed": [-1, "a"],
    "gap": [-0.01, 5, float("nan"), 10**400, "1%", True],
    "target": [1.5, "16", False],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]]
)
def test_wrong_arguments(name, value):
    with pytest.raises(ValueError, match=name) as caught:
        atleastk.solve(SMALL, **{name: value})
    assert "\n" not in str(caught.value)


def test_what_is_not_an_instance():
    with pytest.raises(TypeError, match="expected an instance, got dict"):
        atleastk.solve({"problem": "bin-covering"})


def test_events_arrive_in_the_callers_thread():
    seen = []

    def note(event):
        seen.append((threading.current_thread(), event.cost, event.bound))

    result = atleastk.solve(SMALL, on_event=note)
    here = threading.current_thread()
    assert seen == [(here, 16, None), (here, 16, 16)]
    assert [(e.cost, e.bound) for e in result.events] == [(16, None), (16, 16)]


def test_an_exception_in_on_event_stops_the_run(stand_in, fakes):
    mine = KeyError("mine")
    stopped = threading.Event()

    def obeys(search):
        fakes.one_bin(search, "obeys")
        if search.budget.stop.wait(PATIENCE):
            stopped.set()

    stand_in(replace(fakes.PROBLEM, solve=obeys))

    def complain(_event):
        raise mine

    with pytest.raises(KeyError, match="mine"):
        atleastk.solve(SMALL, on_event=complain)
    assert stopped.wait(PATIENCE)


def raising(*numbers):
    left = list(numbers)

    def press(_event):
        while left:
            signal.raise_signal(left.pop(0))

    return press


@pytest.mark.parametrize("method", ["waits", "hangs"])
def test_an_interrupt_ends_the_run_with_the_best(method):
    before = signal.getsignal(signal.SIGINT)
    result = atleastk.solve(SMALL, method=method, on_event=raising(signal.SIGINT))
    assert (result.status, result.cost) == (Status.FEASIBLE, 28)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_interrupt_insists():
    press = raising(signal.SIGINT, signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        atleastk.solve(SMALL, method="hangs", on_event=press)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_is_terminated_as_it_says():
    def leave(number, _frame):
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        with pytest.raises(SystemExit, match="143"):
            atleastk.solve(SMALL, method="waits", on_event=raising(signal.SIGTERM))
        assert signal.getsignal(signal.SIGTERM) is leave
    finally:
        signal.signal(signal.SIGTERM, before)


def test_the_look_behind_a_refusal_leaves_signals_alone(stand_in, fakes):
    """Whether there is any solution is asked within an algorithm, which hears none."""

    def interrupted(search):
        os.kill(os.getpid(), signal.SIGINT)
        search.budget.stop.wait(PATIENCE)

    stand_in(fakes.with_methods("exact", solve=interrupted))
    with pytest.raises(KeyboardInterrupt):
        atleastk.approximate(POOR, "one-bin")


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"method": "exact"}, "closed"),
        ({"method": "lingers"}, "closed"),
        ({"method": "waits", "time_limit": 0.05}, "time limit"),
        ({"method": "hangs", "time_limit": 0.05}, "time limit"),
        ({"method": "sulks"}, "gave up"),
        ({"method": "waits", "gap": 0.97}, "gap"),
        ({"method": "waits", "target": 28}, "target"),
        ({"method": "hangs", "target": 30}, "target"),
        ({"method": "exact", "gap": 0, "target": 15}, "closed"),
        ({"method": "waits", "on_event": lambda _: "stop"}, "callback"),
        ({"method": "hangs", "on_event": lambda _: "stop"}, "callback"),
        ({"method": "waits", "on_event": raising(signal.SIGINT)}, "interrupted"),
    ],
)
def test_results_say_what_ended_the_run(wish, why):
    result = atleastk.solve(SMALL, **wish)
    assert (result.stopped_because, result.interrupted) == (why, why == "interrupted")
    assert (result.note is not None) == (why == "gave up")
    assert ("ended" in str(result)) == (why != "closed")
    assert Result.from_dict(result.to_dict()).stopped_because is result.stopped_because


def test_what_is_good_enough_from_the_start_needs_no_run():
    start = [[0, 1], [2, 3]]
    result = atleastk.solve(SMALL, method="crashes", start=start, target=16)
    assert (result.cost, result.stopped_because) == (16, "target")


def test_only_one_word_of_a_callback_ends_the_run():
    """Many functions return something that is not meant for the run."""
    answers = iter([True, "Stop"])
    result = atleastk.solve(SMALL, on_event=lambda _: next(answers))
    assert (result.stopped_because, list(answers)) == ("closed", [])


def test_an_interrupt_counts_though_the_optimum_is_known(stand_in, fakes):
    """While a certificate is sought: a loop over instances is to end all the same."""

    def certify(_instance, _bound, budget):
        os.kill(os.getpid(), signal.SIGINT)
        assert budget.stop.wait(PATIENCE)

    stand_in(fakes.with_methods("exact", certify=certify))
    result = atleastk.solve(SMALL, certify=True)
    assert (result.status, result.trust) == (Status.OPTIMAL, Trust.PROVED)
    assert result.interrupted


@pytest.mark.parametrize("place", ["Search", "_result_of"])
def test_an_interrupt_before_or_after_the_search_is_heard(monkeypatch, place):
    whole = getattr(solving, place)

    def interrupted(*arguments, **named):
        signal.raise_signal(signal.SIGINT)
        return whole(*arguments, **named)

    monkeypatch.setattr(solving, place, interrupted)
    assert atleastk.solve(SMALL).interrupted
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


NO_MEMORY = [
    MemoryError(),
    np._core._exceptions._ArrayMemoryError((10**9,), np.dtype(np.int64)),
    RuntimeError("can't start new thread"),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    ImportError("libhighs.so: failed to map segment from shared object"),
]


@pytest.mark.parametrize("error", NO_MEMORY, ids=lambda error: type(error).__name__)
def test_a_run_out_of_memory_ends_with_the_best(stand_in, fakes, error):
    def run(search, offers):
        if offers:
            fakes.one_bin(search, "greedy")
        raise error

    stand_in(replace(fakes.PROBLEM, solve=partial(run, offers=True)))
    result = atleastk.solve(SMALL)
    assert (result.status, result.cost) == (Status.FEASIBLE, 28)
    assert (result.stopped_because, result.note) == ("gave up", "memory ran out")
    stand_in(replace(fakes.PROBLEM, solve=partial(run, offers=False)))
    with pytest.raises(OutOfMemoryError, match="bin-covering: memory ran out; it"):
        atleastk.solve(SMALL)
    with pytest.raises(MemoryError):
        atleastk.solve(SMALL)


def test_compiling_that_takes_longer_than_the_limit_is_told(stand_in, fakes, clock):
    release, ended = threading.Event(), threading.Event()

    def compiles(_search):
        with CLOCK.standing():
            clock.put_forward(17.0)
            release.wait(PATIENCE)
        ended.set()

    first = [("one bin", Solution.of([range(4)]))]
    stand_in(replace(fakes.PROBLEM, first=lambda _: first, solve=compiles))
    result = atleastk.solve(SMALL, 4.0)
    release.set()
    assert ended.wait(PATIENCE)
    assert (result.cost, result.stopped_because) == (28, "time limit")
    assert "took 17 s beside the limit, longer than the run waits" in result.note


def test_solve_works_outside_the_main_thread():
    results = []
    thread = threading.Thread(target=lambda: results.append(atleastk.solve(SMALL)))
    thread.start()
    thread.join()
    assert results[0].cost == 16


def test_approximate_carries_the_promise():
    result = atleastk.approximate(SMALL, "one-bin")
    assert (result.status, result.cost) == (Status.FEASIBLE, 28)
    assert (result.trust, result.stopped_because) == (Trust.HEURISTIC, "algorithm")
    assert result.guarantee is not None
    assert result.guarantee.holds(SMALL, result.cost, 16)
    assert result.guarantee.theorem == "[Nobody] Theorem 1"


def test_approximate_says_infeasible_or_refuses():
    result = atleastk.approximate(POOR, "one-bin")
    assert (result.status, result.method) == (Status.INFEASIBLE, "one-bin")
    with pytest.raises(NotApplicableError, match="picky cannot take this instance: to"):
        atleastk.approximate(SMALL, "picky")


def test_algorithms_need_not_know_what_is_infeasible(stand_in, fakes):
    stand_in(fakes.with_methods("exact", algorithms=(fakes.LYING,)))
    assert atleastk.approximate(POOR, "lying").status is Status.INFEASIBLE
    with pytest.raises(WrongAnswerError, match="lying returned a wrong solution"):
        atleastk.approximate(SMALL, "lying")


def everything_together(instance):
    return [range(instance.n)]


@pytest.mark.parametrize(
    "function",
    [
        everything_together,
        lambda instance: (set(range(i, instance.n)) for i in range(1)),
        lambda _: np.array([[0, 1, 2, 3]]),
        lambda _: Solution.of([range(4)]),
        lambda _: {"groups": [[0, 1, 2, 3]]},
    ],
)
def test_a_function_of_the_callers_own_is_an_algorithm(function):
    result = atleastk.approximate(SMALL, function)
    assert (result.status, result.cost) == (Status.FEASIBLE, 28)
    assert (result.method, result.guarantee) == (function.__name__, None)
    assert atleastk.check(SMALL, result).feasible


def half(_instance):
    return [[0]]


@pytest.mark.parametrize(
    ("function", "error", "told"),
    [
        (half, WrongAnswerError, "half returned a wrong solution: 3 it"),
        (lambda _: None, InvalidResultError, "returned no groups"),
        (lambda _: 7, InvalidResultError, "groups: expected a list, got 7"),
        ("half", UnknownNameError, "no algorithm of bin-covering"),
    ],
)
def test_what_a_function_returns_has_to_be_a_solution(function, error, told):
    with pytest.raises(error, match=told):
        atleastk.approximate(SMALL, function)


def test_nobody_asks_a_function_for_what_there_is_not():
    result = atleastk.approximate(POOR, half)
    assert (result.status, result.method) == (Status.INFEASIBLE, "half")


def test_generate_is_as_on_the_command_line():
    assert atleastk.generate("bin-covering", "flat") == BinCovering([1, 2, 3, 1], 5)
    other = atleastk.generate("bin-covering", "flat", seed=1, n=3, shape="round")
    told = "flat n=3 shape=round seed=1"
    assert (other, other.name) == (BinCovering([2, 3, 1], 5), told)


@pytest.mark.parametrize(
    ("names", "parameters", "told"),
    [
        (("knapsack", "flat"), {}, 'no problem is called "knapsack"'),
        (("bin-covering", "round"), {}, 'no family of bin-covering is called "round"'),
        (("bin-covering", "flat"), {"m": 3}, 'no parameter "m"; known are n=4, k=5'),
        (("bin-covering", "flat"), {"n": "x"}, "flat: n: expected an integer, got 'x'"),
        (("bin-covering", "flat"), {"k": 0}, "flat: k: expected an integer of at lea"),
        (("bin-covering", "flat"), {"seed": -1}, "seed: expected an integer from 0"),
        (("bin-covering", "flat"), {"n": 2**31}, "n: expected at most 10000000"),
        (("bin-covering", "flat"), {"n": -2}, "n: expected at least 0, got -2"),
        (("bin-covering", "flat"), {"n": {}}, "flat: n: expected an integer, got {}"),
    ],
)
def test_generate_tells_mistakes(names, parameters, told):
    with pytest.raises((UnknownNameError, ValueError), match=told) as caught:
        atleastk.generate(*names, **parameters)
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("_in_a_moment")
def test_a_method_that_gives_up_says_why():
    result = atleastk.solve(SMALL, method="shrugs")
    assert result.status is Status.UNKNOWN
    assert result.note == "shrugs has no list so long"
    assert str(result).endswith("\n  note    shrugs has no list so long")
    assert Result.from_dict(result.to_dict()).note == result.note
    silent = atleastk.solve(SMALL, method="sulks")
    assert (silent.status, silent.trust) == (Status.UNKNOWN, None)
    assert silent.note == "sulks ended before its time and gave no reason"
    assert atleastk.solve(SMALL, 1000, method="waits").note is None


def test_an_answer_has_no_note():
    for method in ("exact", "certifies"):
        result = atleastk.solve(SMALL, method=method)
        assert result.note is None
        assert "note" not in result.to_dict()


@pytest.mark.parametrize(
    ("partner", "why"),
    [
        ("recoils", "recoils: recoils cannot hold its numbers"),
        ("crashes", "crashes: the solver crashed"),
        ("sulks", "sulks: ended before its time"),
        ("shrugs", "shrugs: shrugs has no list so long"),
    ],
)
@pytest.mark.parametrize("instance", [SMALL, POOR], ids=["feasible", "infeasible"])
def test_an_answer_outlives_who_was_to_agree(stand_in, fakes, instance, partner, why):
    """It was thrown away when the second method refused; now the note tells it."""
    stand_in(fakes.with_methods("exact", partner))
    result = atleastk.solve(instance, agree=True)
    assert (result.status, result.trust) == (
        atleastk.solve(instance).status,
        Trust.PROVED,
    )
    assert result.note == f"no second method agreed ({why})"
    stand_in(fakes.with_methods("exact", partner, "second"))
    result = atleastk.solve(instance, agree=True)
    assert (result.trust, result.note) == (Trust.AGREED, None)


@pytest.mark.usefixtures("_in_a_moment")
def test_nobody_to_agree_is_told(stand_in, fakes):
    stand_in(fakes.with_methods("exact", "exact-cousin"))
    assert atleastk.solve(SMALL, agree=True).note == "no second method agreed"
    stand_in(fakes.with_methods("exact", "waits"))
    result = atleastk.solve(SMALL, 1000, agree=True)
    assert result.note == "no second method agreed within the time"
    assert result.status is Status.OPTIMAL


def refuse(*_):
    raise NotApplicableError("the numbers are too large")


@pytest.mark.parametrize(
    ("certify", "why"),
    [
        (None, ""),
        (lambda *_: None, ""),
        (refuse, " (the numbers are too large)"),
        (
            lambda *_: {"proves": "too much"},
            " (the certificate is too large to re-check)",
        ),
    ],
)
def test_a_certificate_that_is_not_found_is_told(stand_in, fakes, certify, why):
    stand_in(fakes.with_methods("exact", certify=certify))
    result = atleastk.solve(SMALL, certify=True)
    assert result.status is Status.OPTIMAL
    assert result.note == f"no certificate was found{why}"


def test_the_bound_of_an_open_run_is_certified(stand_in, fakes):
    sought = []

    def certify(_instance, bound, _budget):
        sought.append(bound)
        return {"proves": True} if len(sought) == 1 else None

    stand_in(fakes.with_methods("stalls", certify=certify))
    assert atleastk.solve(SMALL, method="stalls").certificate is None
    result = atleastk.solve(SMALL, method="stalls", certify=True)
    assert (result.status, result.trust) == (Status.FEASIBLE, Trust.HEURISTIC)
    assert (result.bound, result.certificate) == (1, {"proves": True})
    missing = atleastk.solve(SMALL, method="stalls", certify=True)
    assert missing.certificate is None
    assert "no certificate was found" in missing.note
    assert sought == [1, 1]


@pytest.fixture
def slow(stand_in, fakes, clock):
    """Install a method that takes all of its time, with a higher bound each turn.

    Return the list of the times that it has had.
    """

    def install(spared=0.0, **parts):
        turns = []

        def run(search):
            turns.append(round(search.budget.remaining, 2))
            fakes.one_bin(search, "slow")
            search.raise_bound(len(turns), "slow")
            clock.put_forward(search.budget.remaining - spared)

        method = Method("slow", "takes all of its time", "combinatorial", run)
        stand_in(replace(fakes.PROBLEM, methods=(method,), **parts))
        return turns

    return install


def certified(seconds=100, **more):
    return atleastk.solve(SMALL, seconds, method="slow", certify=True, **more)


def test_a_run_that_stays_open_goes_on_after_its_certificates(slow, clock):
    """It ended at four fifths of its limit, whatever its certificate took."""
    took = iter((5.0, 1.0, 0.1, 0.01))

    def certify(_instance, _bound, _budget):
        clock.put_forward(next(took))
        return {"proves": True}

    turns = slow(certify=certify)
    result = certified()
    assert turns == [80.0, 12.0, 1.6, 0.24]
    assert (result.bound, result.certificate) == (4, {"proves": True})
    assert (result.certified_bound, result.note) == (None, None)
    assert result.seconds == pytest.approx(100, abs=0.1)


def test_what_was_certified_before_stays(slow, clock):
    def certify(_instance, bound, _budget):
        clock.put_forward(1.0 if bound == 1 else 19.0)
        return {"proves": True} if bound == 1 else None

    turns = slow(certify=certify)
    result = certified()
    assert (len(turns), result.bound, result.certified_bound) == (2, 2, 1)
    assert result.note == "no certificate of the whole bound was found within the time"


def test_a_run_without_a_certificate_has_the_rest_of_its_time(slow):
    turns = slow(certify=lambda *_: None)
    certified()
    assert turns == [80.0, 20.0]


def test_a_run_stopped_while_it_is_certified_does_not_go_on(slow):
    """Its method began once more, on a budget that nobody had stopped."""
    more = Proof(2, {"proves": True})
    turns = slow(certify=lambda *_: None, certify_less=lambda *_: more)
    result = certified(on_event=lambda event: "stop" if event.bound == 2 else None)
    assert (turns, result.stopped_because) == ([80.0], Stop.CALLBACK)
    assert (result.bound, result.certificate) == (2, {"proves": True})


def test_reasons_without_a_certificate_are_told_once(slow):
    def certify(*_):
        raise ValueError("no memory")

    slow(spared=0.1, certify=certify)
    told = "no certificate was found within the time (no memory)"
    assert certified().note == told


@pytest.mark.parametrize(
    ("method", "status", "trust"),
    [
        ("slow", Status.FEASIBLE, Trust.HEURISTIC),
        ("certifies", Status.OPTIMAL, Trust.PROVED),
    ],
)
def test_a_certificate_that_is_not_read_in_time_is_told(
    stand_in, fakes, slow, clock, method, status, trust
):
    def check(*_):
        while True:
            clock.put_forward(0.1)
            look_up()

    found = {"proves": True}
    if method == "slow":
        slow(check_certificate=check, certify=lambda *_: found)
    else:
        stand_in(replace(fakes.PROBLEM, check_certificate=check))
    result = atleastk.solve(SMALL, 2, method=method, certify=True)
    assert (result.status, result.trust) == (status, trust)
    assert result.certificate == found
    assert result.note == "its certificate was not re-checked within the time"


def test_what_looks_up_ends_with_the_time(stand_in, fakes, clock):
    """Models of thousands of rows were built to their end."""
    rows = []

    def run(search):
        fakes.one_bin(search, "builds")
        builder = LinearModelBuilder()
        while len(rows) < 10**5:
            clock.put_forward(0.001)
            rows.append(builder.row([]))

    builds = Method("builds", "builds a model", "combinatorial", run)
    stand_in(replace(fakes.PROBLEM, methods=(builds,)))
    result = atleastk.solve(SMALL, 2, method="builds")
    assert (result.status, result.cost) == (Status.FEASIBLE, 28)
    assert result.stopped_because is Stop.TIME_LIMIT
    assert 2000 <= len(rows) <= 3100


def claim(**changes):
    return {**atleastk.solve(SMALL, method="certifies").to_dict(), **changes}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"cost": 17, "bound": 17}, "the claimed cost is 17, the recomputed cost 16"),
        ({"groups": [[0, 1], [2]]}, "1 items are in no group"),
        ({"groups": [[0], [1, 2, 3]]}, "recomputed cost 18"),
        ({"groups": [[0, 1, 2], [3]]}, "below k = 10"),
        ({"instance_sha256": "0" * 64}, "the result is of another instance"),
        ({"problem": "interval-covering"}, "the result is of interval-covering"),
        ({"certificate": {"proves": False}}, "the certificate does not hold"),
        ({"certificate": None}, "claims to be certified but carries no certificate"),
        (
            {"certificate": {"proves": "too much"}},
            "claims to be certified, but its certificate cannot be re-checked",
        ),
        (
            {"certificate": {"proves": True}, "status": "FEASIBLE", "bound": None},
            "no bound that it proves",
        ),
    ],
)
def test_check_finds_every_broken_claim(changes, told):
    verdict = atleastk.check(SMALL, Result.from_dict(claim(**changes)))
    assert not verdict.feasible
    assert any(told in violation for violation in verdict.violations)


NOTHING = {"groups": None, "cost": None, "bound": None}


@pytest.mark.parametrize(
    ("changes", "verified", "claimed"),
    [
        ({}, ["cost 16:", "bound 16, so optimal: proved by its certificate"], []),
        (
            {"certificate": None, "trust": None},
            ["cost 16:"],
            ["bound 16, so optimal: claimed, not proved here"],
        ),
        (
            {"certificate": None, "trust": "agreed"},
            ["cost 16:"],
            ["bound 16, so optimal: claimed", "trust agreed: claimed, that two"],
        ),
        (
            {"certificate": None, "trust": "heuristic", "status": "FEASIBLE"},
            ["cost 16:"],
            ["bound 16, so nothing costs less: claimed, not proved here"],
        ),
        (
            {"certificate": {"proves": "too much"}, "trust": "agreed"},
            ["cost 16:"],
            [
                "so optimal: claimed, not proved here (its certificate cannot be",
                "trust agreed: claimed, that",
            ],
        ),
        (
            {**NOTHING, "certificate": None, "trust": "proved", "status": "INFEASIBLE"},
            [],
            ["infeasible: claimed, not proved here", "trust proved: claimed"],
        ),
        ({**NOTHING, "certificate": None, "trust": None, "status": "UNKNOWN"}, [], []),
    ],
)
def test_check_says_what_is_verified_and_what_is_claimed(changes, verified, claimed):
    verdict = atleastk.check(SMALL, Result.from_dict(claim(**changes)))
    assert verdict.feasible
    for lines, told in ((verdict.verified, verified), (verdict.claimed, claimed)):
        assert len(lines) == len(told)
        assert all(said in line for line, said in zip(lines, told, strict=True))
    assert verdict.proved == (not changes)


def test_a_solution_alone_claims_nothing():
    verdict = atleastk.check(SMALL, [[0, 1], [2, 3]])
    assert verdict.feasible
    assert not verdict.proved
    assert (verdict.verified, verdict.claimed) == ((), ())


def test_lists_of_what_there_is():
    assert [p.name for p in atleastk.problems()] == ["bin-covering"]
    assert [a.name for a in atleastk.algorithms("bin-covering")] == ["one-bin", "picky"]
    first = atleastk.algorithms("bin-covering")[0]
    assert (first.theorem, first.hypotheses) == ("[Nobody] Theorem 1", "n >= 1")
    assert "second" in [m.name for m in atleastk.methods("bin-covering")]
    with pytest.raises(UnknownNameError, match='did you mean "bin-covering"'):
        atleastk.methods("bin-cover")


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"sizes": [1], "k": 1}, "problem: missing; known are bin-covering"),
        ({"problem": "bin-coverin"}, 'did you mean "bin-covering"'),
        ({"problem": 5}, "problem: expected a name, got int"),
        ([], "expected an object with fields, got list"),
        ({"problem": "bin-covering", "sizes": [0], "k": 1}, r"sizes\[0\]: expected"),
    ],
)
def test_from_dict_says_what_is_wrong(document, told):
    with pytest.raises(InvalidInstanceError, match=told):
        atleastk.from_dict(document)


def test_load_and_load_all(tmp_path, instance_file):
    assert atleastk.load(instance_file) == SMALL
    assert atleastk.load_all(instance_file) == [SMALL]
    line = instance_file.read_text() + "\n"
    many = tmp_path / "many.jsonl"
    many.write_text(line + "\n" + line)
    assert atleastk.load_all(many) == [SMALL, SMALL]
    with pytest.raises(InvalidInstanceError, match="holds 2 instances; use load_all"):
        atleastk.load(many)
    many.write_text(line + line.replace("10,", "0,"))
    with pytest.raises(InvalidInstanceError, match=r"many.jsonl:2: sizes\[0\]: exp"):
        atleastk.load_all(many)
    many.write_text(line)
    assert atleastk.load(many) == SMALL


def test_everything_public_is_there():
    for name in atleastk.__all__:
        assert getattr(atleastk, name).__doc__, name
