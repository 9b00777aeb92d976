import itertools
import subprocess
import sys
import threading

import numpy as np
import pulp
import pytest

from atleastk import BackendUnavailableError, NotApplicableError, UnknownNameError
from atleastk.models.linear import LinearModel, LinearModelBuilder
from atleastk.models.results.status import Status
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.backends.maxsat import MaxSat
from atleastk.solvers.backends.milp import Milp, milp_solvers
from atleastk.solvers.backends.sat import SAT_SOLVERS, Sat
from atleastk.solvers.budget import Budget

WITH_CBC = pytest.mark.skipif(
    "PULP_CBC_CMD" not in milp_solvers(), reason="PuLP has no CBC here"
)
CBC = pytest.param(Milp("PULP_CBC_CMD"), marks=WITH_CBC, id="cbc")
EVERY = [
    pytest.param(CpSat(), id="cp-sat"),
    pytest.param(Highs(), id="highs"),
    pytest.param(Milp(), id="pulp-highs"),
    CBC,
    pytest.param(Sat(), id="sat"),
    pytest.param(MaxSat(), id="rc2"),
]
STOPPABLE = [*EVERY[:3], EVERY[4]]


def random_model(rng: np.random.Generator) -> LinearModel:
    builder = LinearModelBuilder()
    columns = int(rng.integers(1, 6))
    has_cost = rng.random() < 0.8
    for _ in range(columns):
        lower = int(rng.choice([0, 0, 0, -3, 2]))
        builder.variable(
            lower,
            lower + int(rng.choice([0, 1, 1, 1, 3, 5])),
            int(rng.integers(-9, 10)) if has_cost else 0,
        )
    largest = int(rng.choice([1, 3, 50]))
    for _ in range(int(rng.integers(0, 5))):
        support = rng.choice(columns, size=int(rng.integers(0, columns + 1)))
        factors = rng.integers(-largest // 2, largest + 1, size=len(support)).tolist()
        start = int(rng.integers(-largest, 3 * largest + 1))
        width = int(rng.integers(0, 2 * largest + 1))
        sides = {"at_least": start, "at_most": start + width}
        sides.pop(rng.choice(["at_least", "at_most", "neither"]), None)
        builder.row(support.tolist(), factors, **sides)
    return builder.build()


def optimum(model: LinearModel) -> int | None:
    ranges = map(range, model.lower.tolist(), (model.upper + 1).tolist())
    points = (np.array(point, dtype=np.int64) for point in itertools.product(*ranges))
    costs = [model.cost(point) for point in points if model.admits(point)]
    return min(costs, default=None)


def random_backends(rng: np.random.Generator):
    yield CpSat(
        {
            "cp_model_presolve": bool(rng.integers(2)),
            "linearization_level": int(rng.integers(3)),
            "symmetry_level": int(rng.integers(3)),
        }
    )
    yield Highs(
        {
            "presolve": str(rng.choice(["on", "off"])),
            "mip_heuristic_effort": float(rng.choice([0.0, 0.2])),
        }
    )
    yield Sat(str(rng.choice(SAT_SOLVERS)))
    yield MaxSat()
    yield Milp(options={"presolve": str(rng.choice(["on", "off"]))})


def agrees(backend, model: LinearModel, seed: int) -> None:
    best = optimum(model)
    points, bounds = [], []
    answer = backend.minimise(
        model, Budget(seed=seed), on_answer=points.append, on_bound=bounds.append
    )
    context = (seed, backend, answer, best)
    assert answer.cost == best, context
    assert answer.status == (Status.INFEASIBLE if best is None else Status.OPTIMAL), (
        context
    )
    costs = [model.cost(point) for point in points]
    assert all(model.admits(point) for point in points), context
    assert costs == sorted(set(costs), reverse=True), context
    assert bounds == sorted(set(bounds)), context
    assert best is None or all(bound <= best for bound in bounds), context


def all_agree(seed: int) -> LinearModel:
    rng = np.random.default_rng(seed)
    model = random_model(rng)
    for backend in random_backends(rng):
        agrees(backend, model, seed)
    return model


@pytest.mark.parametrize("seed", range(60))
def test_every_backend_finds_the_optimum(seed: int) -> None:
    all_agree(seed)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(1000, 3000))
def test_every_backend_finds_the_optimum_sweep(seed: int) -> None:
    model = all_agree(seed)
    if optimum(model) is not None:  # CBC may crash otherwise
        agrees(Milp("PULP_CBC_CMD"), model, seed)


@WITH_CBC
@pytest.mark.parametrize("seed", range(8))
def test_cbc_finds_the_optimum(seed: int) -> None:
    agrees(Milp("PULP_CBC_CMD"), random_model(np.random.default_rng(seed)), seed)


@WITH_CBC
def test_cbc_without_its_preprocessing() -> None:
    """CBC 2.10.3 preprocesses this model into one of optimum 6; it is 3."""
    builder = LinearModelBuilder()
    for lower, upper, cost in ((0, 5, 8), (2, 7, 5), (-3, 2, -6)):
        builder.variable(lower, upper, cost)
    builder.row([0, 1], [73, 47], at_least=117, at_most=167)
    model = builder.build()
    assert optimum(model) == 3
    agrees(Milp("PULP_CBC_CMD"), model, 0)


@WITH_CBC
def test_a_crash_is_no_answer() -> None:
    """CBC 2.10.3 crashes on this infeasible model; nothing is claimed of it then."""
    builder = LinearModelBuilder()
    for upper, cost in ((1, 7), (0, 7), (5, -2), (0, 3)):
        builder.variable(0, upper, cost)
    builder.row([0, 3], [4, -3], at_most=3)
    builder.row([0], [2], at_least=1)
    model = builder.build()
    assert optimum(model) is None
    answer = Milp("PULP_CBC_CMD").minimise(model, Budget())
    assert answer.status in (Status.UNKNOWN, Status.INFEASIBLE)
    assert answer.values is None


def hard_model(items: int = 50, groups: int = 7) -> LinearModel:
    """Items into groups, the heaviest as light as can be: no solver closes it soon."""
    sizes = np.random.default_rng(1).integers(10**4, 10**5, size=items).tolist()
    builder = LinearModelBuilder()
    place = [builder.binaries(groups) for _ in range(items)]
    heaviest = builder.variable(0, sum(sizes), 1)
    for row in place:
        builder.equation(row, 1, 1)
    for g in range(groups):
        members = [row[g] for row in place]
        builder.row([*members, heaviest], [*sizes, -1], at_most=0)
        builder.row(members, sizes, at_least=sum(sizes) // groups - 2000)
    return builder.build()


def two_of_three() -> LinearModel:
    builder = LinearModelBuilder()
    builder.equation([builder.variable(0, 1, cost) for cost in (3, 5, 7)], 1, 2)
    return builder.build()


@pytest.mark.parametrize("backend", EVERY)
def test_hints_are_the_first_point(backend) -> None:
    model = two_of_three()
    hint = np.array([0, 1, 1], dtype=np.int64)
    at_once = backend.minimise(model, Budget.of(0.0), hint=hint)
    assert (at_once.status, at_once.cost) == (Status.FEASIBLE, 12)
    for start in (hint, np.array([1, 1, 1]), np.array([0, 0, 9])):
        answer = backend.minimise(model, Budget(), hint=start)
        assert (answer.status, answer.cost, answer.bound) == (Status.OPTIMAL, 8, 8)


@pytest.mark.parametrize("backend", EVERY)
def test_no_budget_no_claim(backend) -> None:
    answer = backend.minimise(two_of_three(), Budget.of(0.0))
    assert answer.status is Status.UNKNOWN
    assert answer.values is None


@pytest.mark.parametrize("backend", EVERY)
def test_a_time_limit_is_kept_and_honest(backend, patiently) -> None:
    answer = patiently(lambda: backend.minimise(hard_model(), Budget.of(0.8)))
    assert answer.status in (Status.FEASIBLE, Status.UNKNOWN)


@pytest.mark.parametrize("backend", STOPPABLE)
def test_stopping_from_another_thread(backend, patiently) -> None:
    budget = Budget()
    threading.Timer(0.4, budget.stop.set).start()
    answer = patiently(lambda: backend.minimise(hard_model(), budget))
    assert answer.status in (Status.FEASIBLE, Status.UNKNOWN)


@pytest.mark.parametrize("backend", STOPPABLE)
def test_a_listener_that_raises_ends_the_run(backend) -> None:
    def refuse(_values) -> None:
        raise RuntimeError("not wanted")

    with pytest.raises(RuntimeError, match="not wanted"):
        backend.minimise(two_of_three(), Budget(), on_answer=refuse)


@pytest.mark.parametrize("backend", EVERY)
def test_rows_without_variables(backend) -> None:
    for at_least, status in ((0, Status.OPTIMAL), (1, Status.INFEASIBLE)):
        for variables in (0, 1):
            builder = LinearModelBuilder()
            for _ in range(variables):
                builder.variable(0, 4, 1)
            builder.row([], [], at_least=at_least)
            answer = backend.minimise(builder.build(), Budget())
            assert answer.status is status, variables


@pytest.mark.parametrize("backend", EVERY)
def test_crossed_bounds_are_infeasible(backend) -> None:
    row, variable = LinearModelBuilder(), LinearModelBuilder()
    row.row([row.variable(0, 9, 1)], 1, at_least=5, at_most=4)
    variable.variable(3, 2, 1)
    for builder in (row, variable):
        assert backend.minimise(builder.build(), Budget()).status is Status.INFEASIBLE


@pytest.mark.parametrize("backend", [Highs(), Milp()], ids=["highs", "pulp-highs"])
def test_doubles_refuse_what_they_cannot_decide(backend) -> None:
    builder = LinearModelBuilder()
    builder.variable(0, 1, 2 * 10**9)
    with pytest.raises(NotApplicableError, match="doubles"):
        backend.minimise(builder.build(), Budget.of(1.0))


@pytest.mark.parametrize(
    "backend", [CpSat(), Sat(), MaxSat()], ids=["cp-sat", "sat", "rc2"]
)
def test_exact_solvers_take_large_numbers(backend) -> None:
    builder = LinearModelBuilder()
    chosen = [builder.variable(0, 1, 10**12 + offset) for offset in (5, 1, 3)]
    builder.row(chosen, 1, at_least=2)
    answer = backend.minimise(builder.build(), Budget())
    assert (answer.status, answer.cost) == (Status.OPTIMAL, 2 * 10**12 + 4)


@pytest.mark.parametrize("backend", EVERY)
def test_sums_beyond_64_bits_are_refused(backend) -> None:
    builder = LinearModelBuilder()
    builder.row([builder.variable(0, 2**40) for _ in range(3)], 2**30, at_most=10)
    with pytest.raises(NotApplicableError, match="cannot"):
        backend.minimise(builder.build(), Budget.of(1.0))


def test_installed_backends_say_who_they_are() -> None:
    backends = [CpSat(), Highs(), Sat(), MaxSat(), *map(Milp, milp_solvers())]
    assert len({backend.name for backend in backends}) == len(backends)
    assert {backend.family for backend in backends} == {"CP-SAT", "MILP", "SAT"}
    for backend in backends:
        assert backend.missing() is None
        assert backend.version()[0].isdigit()


def test_missing_solvers_are_named() -> None:
    absent = next(s for s in pulp.listSolvers() if s not in milp_solvers())
    assert absent in Milp(absent).missing()
    with pytest.raises(BackendUnavailableError, match=absent):
        Milp(absent).minimise(two_of_three(), Budget.of(1.0))
    with pytest.raises(UnknownNameError, match="cadical"):
        Sat("cadical195")


@pytest.mark.parametrize("order", ["highspy ortools", "ortools highspy"])
def test_highspy_and_ortools_share_a_process(order: str) -> None:
    first, second = order.split()
    modules = {
        "highspy": "from atleastk.solvers.backends.highs import Highs",
        "ortools": "from atleastk.solvers.backends.cp_sat import CpSat",
    }
    script = "\n".join(
        [
            modules[first],
            modules[second],
            "from atleastk.models.linear import LinearModelBuilder",
            "from atleastk.solvers.budget import Budget",
            "builder = LinearModelBuilder()",
            "builder.variable(3, 5, 2)",
            "model = builder.build()",
            "for backend in (Highs(), CpSat()):",
            "    print(backend.minimise(model, Budget()).cost)",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("6\n6\n", "")
