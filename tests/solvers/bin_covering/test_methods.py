import random
from dataclasses import dataclass, replace
from functools import partial

import pytest
from searching import search_of

import atleastk
from atleastk import BinCovering, NotApplicableError, Solution, Status, WrongAnswerError
from atleastk.models.bin_covering import most_bins
from atleastk.models.encodings.bin_covering import assignment
from atleastk.runs import registry
from atleastk.solvers.backends.backend import Answer
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.bin_covering.decisions import by_assignment, by_patterns
from atleastk.solvers.bin_covering.methods import METHODS, begin, minimise_levels
from atleastk.solvers.engine.modelled import Methods
from atleastk.solvers.method import Method

NAMES = [method.name for method in METHODS]


def searching(instance, *start):
    search = search_of(instance)
    if start:
        search.offer(start, "start")
    return search


@pytest.mark.parametrize("name", ["completion", "cp-sat", "sat", "patterns"])
def test_large_numbers_are_solved_or_refused(name, sweep, fault):
    exact = name == "completion"
    rng = random.Random(2)
    for _ in range(100 if exact else 25):
        instance = sweep.random_bins(rng, 7, ("wide", "huge") if exact else ("wide",))
        run = {"method": name, "start": rng.choice([None, "random", "result"])}
        wrong = fault(instance, may_stay_open=not exact, **run)
        assert wrong is None, instance.to_dict()


WIDE = [
    (536870912, 1073741823, 1610612736, 536870912, 2147483648, 3221225472),
    (
        *(599256757818, 46412390813, 801624859033, 671407413237, 29671696130),
        *(365424710991, 785688856824, 734002611369),
    ),
    (333333333333, 999999999995, 499999999999, 166666666665),
]


@pytest.mark.parametrize(
    ("sizes", "k"),
    [*zip(WIDE, (2028179000, 785688856824, 999999999995), strict=True)],
    ids=["false optimum", "false infeasibility", "false bound"],
)
def test_cp_sat_is_right_beyond_32_bits(sizes, k, fault):
    """The textbook model in CP-SAT, where presolve was seen to lose the optimum."""
    instance = BinCovering(sizes, k, "excess")
    assert fault(instance, may_stay_open=True, method="cp-sat") is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("sizes", "k", "best"),
    [
        ((2, 1, 1, 1, 2**53, 2**53, 2**53), 2**53 - 1, 72057594037927950),
        (range(10**9, 10**9 + 5), 15 * 10**8, 5500000031000000058),
    ],
    ids=["squares", "sizes"],
)
def test_costs_beyond_doubles_are_exact_or_refused(name, sizes, k, best):
    """CP-SAT called optimal what is 2 too high: as doubles the costs are the same."""
    instance = BinCovering(sizes, k, "quadratic")
    try:
        result = atleastk.solve(instance, method=name, workers=1)
    except NotApplicableError:
        assert name != "auto"
    else:
        assert (result.status, result.cost) == (Status.OPTIMAL, best)


@dataclass(frozen=True)
class Liar:
    lie: str
    name: str = "liar"
    family: str = "MILP"

    def minimise(self, model, budget, *, hint=None, on_answer=None, on_bound=None):
        if self.lie == "infeasible":
            return Answer(Status.INFEASIBLE, None, None, None, self.name)
        if self.lie == "suboptimal":
            together = whole(INSTANCE).encode(Solution.of([range(INSTANCE.n)]))
            cost = model.cost(together)
            return Answer(Status.OPTIMAL, together, cost, cost, self.name)
        honest = CpSat().minimise(model, budget)
        if honest.values is None:
            return honest
        if self.lie == "wrong point":
            return replace(honest, values=0 * honest.values)
        cost = honest.cost + 1
        return Answer(Status.UNKNOWN, None, None, cost, self.name)


INSTANCE = BinCovering([10, 6, 6, 6], 10)
BEST = [[0, 1], [2, 3]]


def whole(instance):
    return assignment(instance, most_bins(instance))


def lying_about_models(lie):
    (method,) = Methods(begin).modelled("lies", whole, {"liar": Liar(lie)})
    return method


@pytest.mark.parametrize(
    ("lie", "message"),
    [
        ("suboptimal", "liar claims that nothing costs less than 28, but start"),
        ("infeasible", "liar calls infeasible what start solved"),
        ("wrong point", "liar returned a wrong solution: 4 items are in no group"),
        ("bound too high", "liar claims that nothing costs less than 17, but start"),
    ],
)
def test_lies_about_a_model_are_told_beside_a_solution(lie, message):
    with pytest.raises(WrongAnswerError, match=message):
        lying_about_models(lie).run(searching(INSTANCE, *BEST))


def test_a_point_that_is_no_partition_is_told_by_levels():
    for decider in (by_patterns, by_assignment):
        with pytest.raises(WrongAnswerError, match="liar returned a wrong solution"):
            minimise_levels(searching(INSTANCE), decider(Liar("wrong point")), "liar")


def test_wrong_refutations_of_levels_are_told_by_a_later_solution():
    """The bound that false refutations raise cannot hide a better solution."""
    search = searching(INSTANCE)
    minimise_levels(search, by_patterns(Liar("infeasible")), "liar")
    assert search.closed  # at 28: nobody knows better yet
    assert search.cost == 28
    with pytest.raises(WrongAnswerError, match="below the bound 28 claimed by liar"):
        search.offer(BEST, "honest")


def lying(monkeypatch, liar):
    honest = registry.PROBLEMS["bin-covering"]
    lying = replace(honest, methods=(*honest.methods, liar))
    monkeypatch.setattr(
        registry, "PROBLEMS", {**registry.PROBLEMS, "bin-covering": lying}
    )


@pytest.mark.parametrize("lie", ["suboptimal", "infeasible", "bound too high"])
def test_agreement_exposes_lies_about_models(lie, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where disagreements are kept
    lying(monkeypatch, lying_about_models(lie))
    alone = atleastk.solve(INSTANCE, method="liar")
    assert alone.status is not Status.OPTIMAL or alone.cost != 16
    if lie != "bound too high":
        with pytest.raises(
            WrongAnswerError, match=r"liar and .* contradict each other"
        ):
            atleastk.solve(INSTANCE, method="liar", agree=True)
    else:
        with pytest.raises(WrongAnswerError, match="less than 17, but start found"):
            atleastk.solve(INSTANCE, method="liar", start=BEST)


def test_agreement_exposes_lies_about_levels(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where disagreements are kept
    decide = by_patterns(Liar("infeasible"))
    run = partial(minimise_levels, decide=decide, source="liar")
    lying(monkeypatch, Method("liar", "lies", "MILP", run))
    assert atleastk.solve(INSTANCE, method="liar").cost == 28
    with pytest.raises(WrongAnswerError, match=r"liar and .* contradict each other"):
        atleastk.solve(INSTANCE, method="liar", agree=True)
