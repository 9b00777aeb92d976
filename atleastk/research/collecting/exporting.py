"""Instances for other solvers: models in the formats that they read.

==========  =========================================================================
``json``    the instance itself
``mps``     an integer linear program, for all MILP solvers
``lp``      the same, to be read by people as well
``opb``     a pseudo-Boolean program
``cp-sat``  a model file of CP-SAT, as text
``wcnf``    partial weighted MaxSAT
``cnf``     a formula that is satisfiable iff some solution costs at most what is asked
==========  =========================================================================

The model is one of the formulations of the problem (`atleastk models`). The optimum of
the file is the least cost, up to a constant that is given as a remark in formats that
have no place for it. It is infeasible iff the instance is. Variables have the names of
the formulation, which are remarks where variables are numbers; rows of ``mps`` and
``lp`` are named after their variables.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from atleastk.instances.fields.errors import BackendUnavailableError, NotApplicableError
from atleastk.instances.instance import Instance
from atleastk.models.linear import INFINITE, LinearModel, terms_of
from atleastk.packages import formulas
from atleastk.research.formulating import formulation_of
from atleastk.solvers.backends import cp_sat, milp
from atleastk.solvers.backends.backend import Answer, clean_rows
from atleastk.solvers.backends.cnf import Formula, spread
from atleastk.solvers.backends.maxsat import soften
from atleastk.solvers.budget import Budget

_PRINTED: Final = 10**12
"""Numbers of MPS and LP files are printed with twelve digits."""

_IMPOSSIBLE: Final = "the bounds of its model exclude all solutions"


def exported(
    instance: Instance,
    form: str,
    at_most: int | None = None,
    formulation: str | None = None,
) -> str:
    """Return the text of a file of an instance.

    Raise `NotApplicableError` if there is no such file of this instance; the error says
    which there are. `form` is one of `FORMATS`; `at_most`, the greatest cost of a
    formula, is needed for ``cnf`` alone; without a `formulation` it is the usual one.
    """
    if form == "json":
        return f"{json.dumps(instance.to_dict())}\n"
    if form == "cnf" and at_most is None:
        raise NotApplicableError(
            "cnf: a formula decides; say what a solution costs at_most (--at-most)"
        )
    origin = f"{instance.problem}, sha256 {instance.sha256}"
    try:
        model = formulation_of(instance, formulation).encoded(instance).model
        if model.impossible:
            raise NotApplicableError(_IMPOSSIBLE)
        return _WRITERS[form](model, origin, at_most)
    except NotApplicableError as error:
        raise NotApplicableError(
            f"{form}: {error}; as json every instance can be exported"
        ) from error


def solve_by(
    instance: Instance, solver: str, seconds: float | None, workers: int | None = None
) -> Answer:
    """Solve the model of an instance by a MILP solver, and check its answer.

    Raise `BackendUnavailableError` if PuLP does not find the solver, such as SCIP_PY,
    GUROBI or CPLEX_CMD.
    """
    model = formulation_of(instance).encoded(instance).model
    backend = milp.Milp(solver)
    if backend.missing() is not None:
        installed = ", ".join(milp.milp_solvers())
        raise BackendUnavailableError(
            f"{solver}: not installed here; PuLP finds {installed}"
        )
    return backend.minimise(model, Budget.checked(seconds, workers))


def _by_pulp(model: LinearModel, name: str) -> str:
    if model.magnitude >= _PRINTED:
        raise NotApplicableError(
            f"its numbers reach {model.magnitude:.3g}, files have twelve digits"
        )
    problem = milp.posted(model, named=True)
    write = problem.writeMPS if name.endswith(".mps") else problem.writeLP
    return _written(write, name)


def _written(write: Callable[[str], object], name: str) -> str:
    """Return the text that is written to a file of this name."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        write(str(path))
        return path.read_text(encoding="utf-8")


def _cp_sat(model: LinearModel, origin: str, _at_most: int | None) -> str:
    text = _written(cp_sat.posted(model).export_to_file, "model.txt")
    return f"# {origin}\n{text}"


def _opb(model: LinearModel, origin: str, _at_most: int | None) -> str:
    literals = literals_of(model)
    objective, constant = _over(literals, model, enumerate(model.objective.tolist()))
    lines = [] if model.is_decision else [f"min: {objective} ;"]
    for r, pairs in enumerate(terms_of(clean_rows(model))):
        terms, shift = _over(literals, model, pairs)
        lower, upper = int(model.row_lower[r]), int(model.row_upper[r])
        if not terms:  # all of its variables are fixed
            if not lower <= shift <= upper:
                raise NotApplicableError(_IMPOSSIBLE)
            continue
        if lower == upper:
            lines.append(f"{terms} = {lower - shift} ;")
            continue
        if lower > -INFINITE:
            lines.append(f"{terms} >= {lower - shift} ;")
        if upper < INFINITE:
            opposite = terms.translate(_SIGNS)
            lines.append(f"{opposite} >= {shift - upper} ;")
    count = sum(map(len, literals))
    head = f"* #variable= {count} #constraint= {len(lines) - (not model.is_decision)}"
    remark = f"* {origin}; the cost is the objective + {constant}"
    names = [f"* {line}" for line in _named(model, literals, "x")]
    return "\n".join([head, remark, *names, *lines, ""])


_SIGNS: Final = str.maketrans("+-", "-+")


def literals_of(model: LinearModel) -> list[list[tuple[int, int]]]:
    """Return the literals of every variable above its lower bound, with weights."""
    top, literals = 0, []
    for width in (model.upper - model.lower).tolist():
        weights = spread(width)
        literals.append([(top + i, weight) for i, weight in enumerate(weights, 1)])
        top += len(weights)
    return literals


def _named(
    model: LinearModel, literals: Sequence[Sequence[tuple[int, int]]], sign: str = ""
) -> Iterator[str]:
    """Yield what every variable is in literals, such as ``K = 4 + 9 + 2 * 10``."""
    for name, least, own in zip(
        model.names, model.lower.tolist(), literals, strict=True
    ):
        terms = [str(least)] if least or not own else []
        terms += [f"{w} * {sign}{x}" if w > 1 else f"{sign}{x}" for x, w in own]
        yield f"{name} = {' + '.join(terms)}"


def _over(
    literals: Sequence[Sequence[tuple[int, int]]],
    model: LinearModel,
    pairs: Iterable[tuple[int, int]],
) -> tuple[str, int]:
    """Return a linear form as terms over literals, and a constant."""
    terms, constant = [], 0
    for j, factor in pairs:
        constant += factor * int(model.lower[j])
        if factor:
            terms += [f"{factor * weight:+} x{x}" for x, weight in literals[j]]
    return " ".join(terms), constant


def _cnf(model: LinearModel, origin: str, at_most: int | None) -> str:
    clauses = formulas.CNF()
    formula = _clauses(model, clauses)
    if at_most is not None:
        clauses.append([formula.ask(at_most)])
    remark = f"{origin}; satisfiable iff some solution costs {at_most} at most"
    return _dimacs(model, remark, clauses)


def _wcnf(model: LinearModel, origin: str, _at_most: int | None) -> str:
    clauses = formulas.WCNF()
    least = soften(clauses, _clauses(model, clauses))
    remark = f"{origin}; the cost is the weight of what is broken + {least}"
    return _dimacs(model, remark, clauses)


def _dimacs(model: LinearModel, remark: str, clauses: Any) -> str:
    remarks = [remark, *_named(model, literals_of(model))]
    return "".join(f"c {line}\n" for line in remarks) + f"{clauses.to_dimacs()}\n"


def _clauses(model: LinearModel, clauses: Any) -> Formula:
    formula = Formula(model, clauses.extend, "the encoding")
    formula.encode_rows()
    return formula


_WRITERS: Final[Mapping[str, Callable[[LinearModel, str, int | None], str]]] = {
    "mps": lambda model, origin, _: f"* {origin}\n{_by_pulp(model, 'model.mps')}",
    "lp": lambda model, origin, _: f"\\ {origin}\n{_by_pulp(model, 'model.lp')}",
    "opb": _opb,
    "cp-sat": _cp_sat,
    "wcnf": _wcnf,
    "cnf": _cnf,
}

FORMATS: Final = ("json", *_WRITERS)
"""The names of the formats."""
