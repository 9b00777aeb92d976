import re

import highspy
import pytest
from ortools.sat.python import cp_model
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Cadical153

import atleastk
from atleastk.instances.fields.errors import BackendUnavailableError, NotApplicableError
from atleastk.models.linear import LinearModelBuilder
from atleastk.research.collecting.exporting import FORMATS, _opb, exported, solve_by

NAMES = [
    "bin-covering-excess-n10-s1",
    "bin-covering-worst-k8-n7",
    "cellular-clustering-figure-1-s1",
    "connected-partition-tight-4-connected-k8-s1",
    "diversity-diagnoses-n8-on-attributes-s1",
    "diversity-diagnoses-n8-on-entries-s1",
    "generalization-people-on-attributes-loss-precision-k2-s1",
    "generalization-people-on-entries-loss-height-k2-s1",
    "interval-covering-quadratic-n10-s1",
    "interval-covering-uniform-n10-s1",
    "k-ambiguity-people-k2-s1",
    "k-anonymity-employees-4-k2-s1",
    "r-gather-figure-1-s1",
    "rectangle-tiling-grid-pinwheel-arm2-guillotine0-s1",
    "rectangle-tiling-ring-centre1-guillotine0-s1",
    "suppression-tight-forest-cost-columns-s1",
]
"""Instances that every solver solves quickly."""


@pytest.fixture(params=NAMES)
def record(request):
    found = atleastk.library[request.param]
    assert found.status != "open"
    return found


@pytest.mark.parametrize("form", ["mps", "lp"])
def test_programs_have_the_known_optimum(record, form, tmp_path):
    path = tmp_path / f"model.{form}"
    path.write_text(exported(record.instance, form), encoding="utf-8")
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("mip_rel_gap", 0.0)
    assert solver.readModel(str(path)) == highspy.HighsStatus.kOk
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    assert round(solver.getInfo().objective_function_value) == record.known.cost


def test_rows_have_the_names_of_their_variables():
    text = exported(atleastk.RGather(points=[[0], [1], [2], [3]], r=2), "lp")
    told = re.sub(r"\s+", " ", text)
    assert "eq_x_0_all: x_0_0 + x_0_1 + x_0_2 + x_0_3 = 1" in told
    assert "ge_y_1_x_0_1: - x_0_1 + y_1 >= 0" in told
    assert "_C1" not in text


def test_formulas_tell_the_known_optimum_from_less(record):
    cost = record.known.cost
    for at_most, satisfiable in ((cost, True), (cost - 1, False)):
        clauses = CNF(from_string=exported(record.instance, "cnf", at_most)).clauses
        with Cadical153(bootstrap_with=clauses) as solver:
            assert solver.solve() is satisfiable


@pytest.mark.parametrize(
    "name", ["bin-covering-worst-k8-n7", "k-anonymity-employees-4-k2-s1"]
)
def test_soft_clauses_have_the_known_optimum(name):
    record = atleastk.library[name]
    text = exported(record.instance, "wcnf")
    constant = int(re.search(r"broken \+ (-?\d+)", text)[1])
    with RC2(WCNF(from_string=text)) as solver:
        solver.compute()
        assert solver.cost + constant == record.known.cost


def test_a_model_of_cp_sat_has_the_known_optimum(record):
    model = cp_model.CpModel()
    model.proto.parse_text_format(exported(record.instance, "cp-sat"))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    assert round(solver.objective_value) == record.known.cost


def optimum_of_opb(text):
    count = int(re.search(r"#variable= (\d+)", text)[1])
    constant = int(re.search(r"objective \+ (-?\d+)", text)[1])
    model = cp_model.CpModel()
    x = [model.new_bool_var(f"x{i + 1}") for i in range(count)]

    def sum_of(terms):
        pairs = re.findall(r"([+-]\d+) x(\d+)", terms)
        return sum(int(factor) * x[int(i) - 1] for factor, i in pairs)

    constraints = 0
    for line in text.splitlines():
        if line.startswith("min:"):
            model.minimize(sum_of(line))
        elif not line.startswith("*"):
            terms, sign, side = re.fullmatch(r"(.*) (>=|=) (-?\d+) ;", line).groups()
            constraints += 1
            if sign == "=":
                model.add(sum_of(terms) == int(side))
            else:
                model.add(sum_of(terms) >= int(side))
    assert constraints == int(re.search(r"#constraint= (\d+)", text)[1])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value) + constant


def test_pseudo_boolean_programs_have_the_known_optimum(record):
    assert optimum_of_opb(exported(record.instance, "opb")) == record.known.cost


def test_json_is_the_instance(record, tmp_path):
    path = tmp_path / "instance.json"
    path.write_text(exported(record.instance, "json"), encoding="utf-8")
    assert atleastk.load(path) == record.instance


@pytest.mark.parametrize("form", sorted({*FORMATS} - {"json"}))
@pytest.mark.parametrize(
    ("instance", "reason"),
    [
        (atleastk.RectangleTilingGrid([[1, 2]], 1, guillotine=True), "straight cuts"),
        (atleastk.BinCovering([1] * 500, 2), "500 items are too many for a model"),
        (
            atleastk.Suppression([["a"], ["b"]], 1, minimise="k"),
            "it cannot maximise|cannot maximise",
        ),
    ],
)
def test_what_has_no_model_is_refused_in_a_line(instance, reason, form):
    with pytest.raises(NotApplicableError, match=reason) as told:
        exported(instance, form, 1)
    assert str(told.value).startswith(f"{form}: ")
    assert str(told.value).endswith("as json every instance can be exported")


def test_numbers_that_would_be_rounded_are_refused():
    large = atleastk.BinCovering([10**13 + i for i in range(5)], 10**13)
    with pytest.raises(NotApplicableError, match="files have twelve digits"):
        exported(large, "mps")
    assert "10000000000000" in exported(large, "opb")


def test_a_formula_needs_a_cost(record):
    with pytest.raises(NotApplicableError, match="say what a solution costs at_most"):
        exported(record.instance, "cnf")


def test_other_solvers_take_the_model(record):
    answer = solve_by(record.instance, "HiGHS", 60, 1)
    assert (answer.status, answer.cost) == ("OPTIMAL", record.known.cost)


def test_a_solver_that_is_not_there_is_an_error_that_says_so(record):
    with pytest.raises(BackendUnavailableError, match="NONE_SUCH: not installed here"):
        solve_by(record.instance, "NONE_SUCH", 60)


def test_rows_of_fixed_variables_are_not_dropped_if_they_exclude_all():
    for least, fits in ((1, True), (2, False)):
        builder = LinearModelBuilder()
        builder.row([builder.variable(1, 1)], [1], at_least=least)
        builder.row([builder.variable(0, 1)], [1], at_least=0)
        if fits:
            assert "#constraint= 1" in _opb(builder.build(), "", None)
        else:
            with pytest.raises(NotApplicableError, match="exclude all solutions"):
                _opb(builder.build(), "", None)
