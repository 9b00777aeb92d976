"""Formulations by name, and the way there and back through the files of solvers."""

import re
from contextlib import suppress
from dataclasses import replace
from functools import cache

import highspy
import pytest
from every_problem import EMPTY, INSTANCES
from pysat.formula import CNF
from pysat.solvers import Cadical153

import atleastk
from atleastk.instances.fields.errors import (
    InvalidResultError,
    NotApplicableError,
    UnknownNameError,
)
from atleastk.models.completed import completed
from atleastk.research.collecting.exporting import exported
from atleastk.research.formulating import formulation_of, formulations_of
from atleastk.research.reading_back import read_back
from atleastk.research.relaxing import relax
from atleastk.runs.registry import PROBLEMS
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget

EXAMPLES = {
    name: [
        *examples,
        *(
            replace(each, suppress_rows=1)
            for each in examples
            if getattr(each, "on", "") == "attributes"
        ),
    ]
    for name, examples in INSTANCES.items()
}

NAMED = [
    (name, formulation.name)
    for name in INSTANCES
    for formulation in formulations_of(PROBLEMS[name])
]


@cache
def solved(name):
    return [(instance, atleastk.solve(instance)) for instance in EXAMPLES[name]]


def taken(name, formulation, instances):
    """Yield instances that a formulation takes, with their results and encodings."""
    for instance, result in instances:
        with suppress(NotApplicableError):
            encoded = formulation_of(instance, formulation).encoded(instance)
            yield instance, result, encoded


@pytest.mark.parametrize(("name", "formulation"), NAMED)
def test_a_formulation_has_the_optimum_of_its_instances(name, formulation):
    """Its relaxation costs no more, and its mathematics name its variables."""
    (named,) = (f for f in formulations_of(PROBLEMS[name]) if f.name == formulation)
    found = list(taken(name, formulation, solved(name)))
    assert found, "some example shows it"
    assert named.summary
    assert "Variables" in named.mathematics
    for instance, result, encoding in found:
        model, names = encoding.model, encoding.model.names
        assert len(names) == len({*names}) == model.columns
        assert len({*model.row_names}) == len(model.row_lower)
        assert all(re.fullmatch("[A-DF-Za-df-z]+[a-z]*(_[a-z0-9]+)*", n) for n in names)
        letters = {variable.split("_")[0] for variable in names}
        assert all(re.search(rf"\b{x}(\b|_)", named.mathematics) for x in letters)
        answer = CpSat().minimise(model, Budget.checked(60, 1))
        if result.status is atleastk.Status.INFEASIBLE:
            assert answer.status == "INFEASIBLE"
            continue
        assert (answer.status, answer.cost) == ("OPTIMAL", result.cost)
        verdict = atleastk.check(instance, encoding.decode(answer.values))
        assert (verdict.violations, verdict.cost) == ((), result.cost)
        if 0 < instance.n <= 8:
            assert relax(instance, formulation).least_cost <= result.cost
        solution = completed(instance, result.solution)
        point = encoding.encode(solution)
        if point is not None:
            assert model.admits(point)
            assert model.cost(point) == result.cost


@pytest.mark.parametrize(("name", "formulation"), NAMED)
def test_instances_without_items_have_a_right_model_or_are_refused(name, formulation):
    empty = [(instance, atleastk.solve(instance)) for instance in EMPTY[name]]
    for _, result, encoding in taken(name, formulation, empty):
        answer = CpSat().minimise(encoding.model, Budget.checked(60, 1))
        if result.status is atleastk.Status.INFEASIBLE:
            assert answer.status == "INFEASIBLE"
        else:
            assert answer.cost == result.cost


BINS = atleastk.BinCovering([10, 6, 6, 6, 4], 10)
ROWS = atleastk.KAnonymity([["a", "x"], ["a", "y"], ["b", "x"], ["b", "x"]], 2)


def solved_by_highs(instance, form, formulation, tmp_path):
    path = tmp_path / f"model.{form}"
    path.write_text(exported(instance, form, None, formulation), encoding="utf-8")
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.readModel(str(path))
    solver.run()
    solver.writeSolution(str(tmp_path / "model.sol"), 0)
    return (tmp_path / "model.sol").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["mps", "lp"])
@pytest.mark.parametrize(
    ("instance", "formulation"),
    [
        (BINS, None),
        (BINS, "configuration"),
        (atleastk.BinCovering(BINS.sizes, 10, "excess"), "arc-flow"),
        (ROWS, "patterns"),
        (INSTANCES["r-gather"][0], "distances"),
        (INSTANCES["connected-partition"][0], "flows"),
        (INSTANCES["rectangle-tiling"][0], "boxes"),
    ],
)
def test_what_highs_writes_is_read_back(instance, formulation, form, tmp_path):
    text = solved_by_highs(instance, form, formulation, tmp_path)
    result, best = read_back(instance, text, formulation), atleastk.solve(instance)
    assert (result.status, result.trust) == ("FEASIBLE", "heuristic")
    assert result.cost == best.cost
    assert atleastk.check(instance, result).feasible
    assert atleastk.solve(instance, start=result).cost == best.cost


def point_of(instance):
    encoding = formulation_of(instance).encoded(instance)
    values = encoding.encode(atleastk.solve(instance).solution).tolist()
    return dict(zip(encoding.model.names, values, strict=True))


@pytest.mark.parametrize(
    "write",
    [
        lambda p: "".join(f"{n} {v}\n" for n, v in p.items()),
        lambda p: (
            "# Objective value = 3\n"
            + "".join(f"{n} {v}.0000001\n" for n, v in p.items())
        ),
        lambda p: (
            "solution status: optimal\nobjective value: 12\n"
            + "".join(f"{n}    {v} \t(obj:0)\n" for n, v in p.items() if v)
        ),
        lambda p: (
            "Optimal - objective value 12.00\n"
            + "".join(f"  {i} {n}  {v}  0\n" for i, (n, v) in enumerate(p.items()) if v)
        ),
        lambda p: (
            "<variables>"
            + "".join(
                f'<variable name="{n}" index="{i}" value="{v}"/>'
                for i, (n, v) in enumerate(p.items())
            )
            + "</variables>"
        ),
    ],
    ids=["plain", "gurobi", "scip", "cbc", "cplex"],
)
def test_what_solvers_write_is_read_back(write):
    assert read_back(BINS, write(point_of(BINS))).cost == 12


@pytest.mark.parametrize("style", ["dimacs", "pb", "bits"])
def test_what_sat_solvers_write_is_read_back(style):
    cost = atleastk.solve(ROWS).cost
    clauses = CNF(from_string=exported(ROWS, "cnf", cost)).clauses
    with Cadical153(bootstrap_with=clauses) as solver:
        assert solver.solve()
        literals = solver.get_model()
    count = int(re.search(r"#variable= (\d+)", exported(ROWS, "opb"))[1])
    text = {
        "dimacs": "s SATISFIABLE\nv " + " ".join(map(str, literals[:9])) + "\nv "
        + " ".join(map(str, literals[9:])) + " 0\n",
        "pb": "s OPTIMUM FOUND\nv "
        + " ".join(f"{'-' * (x < 0)}x{abs(x)}" for x in literals[:count]),
        "bits": "o 3\nv " + "".join(str(int(x > 0)) for x in literals),
    }[style]  # fmt: skip
    assert read_back(ROWS, text).cost == cost


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (r"x_0_0 1", "x_0_0 0.5", "x_0_0 is 0.5: expected an integer"),
        (r"x_0_0 1", "x_0_0 nan", "x_0_0 is nan: expected an integer"),
        (r"x_0_0 1", "x_0_0 1e30", "x_0_0 is 1e30: expected an integer"),
        (r"x_0_0 1", "x_0_0 3", r"x_0_0 is 3, not within 0..1"),
        (r"x_0_0 1", "x_0_0 0", r"\+1 x_0_0 \+1 x_0_1 .*is 0, not = 1"),
        (r"K \d+", "K 11", r"is \d+, not <= 0"),
        (r"\w+ \d+\n", "", "it names none of the variables y_0, "),
        (r"(?s).+", "v 1 -2 0", "it has 2 of the 23 literals"),
        (r"(?s).+", "v one 0", "v one: expected a literal"),
    ],
)
def test_what_is_no_solution_is_refused_in_a_line(old, new, told):
    text = "".join(f"{name} {value}\n" for name, value in point_of(BINS).items())
    with pytest.raises(InvalidResultError, match=told) as refused:
        read_back(BINS, re.sub(old, new, text))
    assert "\n" not in str(refused.value)


def test_unknown_formulations_are_told():
    with pytest.raises(UnknownNameError, match='"cuts"; known: leaders, patterns, con'):
        formulation_of(ROWS, "cuts")


def test_too_many_items_are_told():
    many = atleastk.BinCovering([3] * 17, 3)
    with pytest.raises(NotApplicableError, match="17 items are too many for a model"):
        exported(many, "mps", None, "configuration")
