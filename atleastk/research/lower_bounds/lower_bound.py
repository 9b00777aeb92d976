"""A lower bound on the ratio of an algorithm: a family of instances, and its limit.

A single instance shows one ratio. A family shows how the ratio grows: costs and optima
are measured at ten values of its parameter, and are polynomials of it if one of low
degree has all ten. Its limit is a lower bound that no instance need attain. The fit is
evidence; that it goes on is what the reason of each family proves.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from importlib.resources import files
from math import inf
from typing import Any, Final

from atleastk.instances.fields.errors import NoAnswerError
from atleastk.instances.instance import Instance
from atleastk.models.results.result import Result
from atleastk.models.results.status import Status
from atleastk.research.adversary.judging import Judge
from atleastk.research.lower_bounds.polynomial import Polynomial
from atleastk.runs import api
from atleastk.runs.registry import algorithm_named, problem_named

Solve = Callable[[Any], Result]


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A family of instances that is bad for algorithms of a problem."""

    problem: str
    """The name of the problem."""
    algorithms: tuple[str, ...]
    """Those that it is bad for, within their promises; they begin with seed 0."""
    family: str
    """The family of instances, as `atleastk.generate` knows it; its seed is 0."""
    parameter: str
    """The parameter that grows."""
    values: tuple[int, ...]
    """The values at which costs and optima are measured."""
    reason: str
    """Why the algorithm pays so much, and why the optimum does not, for all values."""
    fixed: Mapping[str, int | str] = field(default_factory=dict)
    """The other parameters of the family that are not the default."""
    seconds: float = 10.0
    """Of a processor, for an optimum: prices have a share, which prove most at once."""

    def instance(self, value: int) -> Instance:
        """Return the instance of a value of the parameter."""
        parameters: dict[str, Any] = {**self.fixed, self.parameter: value}
        return api.generate(self.problem, self.family, **parameters)

    @property
    def command(self) -> str:
        """The command that draws an instance, at the first value."""
        given = {**self.fixed, self.parameter: self.values[0]}
        options = " ".join(f"--{key} {value}" for key, value in given.items())
        return f"atleastk generate {self.problem} {self.family} {options}"


_FIELDS: Final = frozenset(each.name for each in fields(LowerBound))


def _listed(catalogue: Mapping[str, Any]) -> Iterator[LowerBound]:
    """Yield the families of a file: the field that is left names what grows."""
    for problem, entries in catalogue.items():
        for entry in entries:
            entry["algorithms"] = tuple(entry["algorithms"])
            entry["reason"] = " ".join(entry["reason"].split())
            (parameter,) = entry.keys() - _FIELDS
            values = tuple(range(*entry.pop(parameter)))
            yield LowerBound(problem, parameter=parameter, values=values, **entry)


LOWER_BOUNDS: Final[Sequence[LowerBound]] = tuple(
    _listed(tomllib.loads((files(__package__) / "catalogue.toml").read_text("utf-8")))
)
"""All families, problem by problem; what grows has a first value, an end and a step."""


@dataclass(frozen=True, slots=True)
class Growth:
    """Costs, optima and ceilings along a family, for one of its algorithms."""

    bound: LowerBound
    """The family."""
    costs: Mapping[int, int]
    """The cost of the algorithm at each value of the parameter."""
    ceilings: Mapping[int, Fraction]
    """The cost that is promised at most; empty without a promise."""
    trusts: frozenset[str]
    """How far the optima are to be believed (`Result.trust`)."""
    cost: Polynomial
    """The cost as a polynomial of the parameter."""
    optimum: Polynomial
    """The optimum at each value, which is proved, as a polynomial."""
    ceiling: Polynomial | None
    """What is promised as a polynomial; None if none has all values."""

    @property
    def ratio(self) -> str:
        """The ratio as a formula of the parameter."""
        name, whole = self.bound.parameter, self.cost.over(self.optimum)
        if whole is not None:
            return whole.shown(name)
        return " / ".join(
            f"({one})" if " + " in one or " - " in one else one
            for one in (self.cost.shown(name), self.optimum.shown(name))
        )

    @property
    def limit(self) -> float:
        """The limit of the ratio, maybe infinite."""
        found = self.cost.limit_over(self.optimum)
        return inf if found is None else float(found)

    @property
    def gap(self) -> Fraction | None:
        """The limit of the promise over the cost; None without one."""
        return None if self.ceiling is None else self.ceiling.limit_over(self.cost)

    @property
    def is_tight(self) -> bool:
        """Whether the promise is attained, at least in the limit of the family."""
        return self.gap == 1


def measured(bound: LowerBound, name: str, solve: Solve) -> Growth:
    """Return the costs of an algorithm along a family, and the optima.

    Raise `NoAnswerError` if the algorithm refuses an instance, an optimum is not
    proved, or no polynomial has all costs or all optima.
    """
    problem = problem_named(bound.problem)
    algorithm = algorithm_named(problem, name)
    judge, promise = Judge(problem, algorithm), algorithm.guarantee
    costs, optima, trusts = dict[int, int](), dict[int, int](), set[str]()
    ceilings = dict[int, Fraction]()
    for value in bound.values:
        instance = bound.instance(value)
        cost, result = judge.cost(instance), solve(instance)
        if cost is None or result.cost is None or result.status is not Status.OPTIMAL:
            raise NoAnswerError(
                f"{bound.family}, {bound.parameter} = {value}: {name} costs {cost}, "
                f"the optimum is {result.status}"
            )
        costs[value], optima[value] = cost, result.cost
        trusts.add(str(result.trust))
        if promise is not None:
            ceilings[value] = Fraction(promise.ceiling(instance, result.cost))
    cost_of, optimum = Polynomial.fitted(costs), Polynomial.fitted(optima)
    if cost_of is None or optimum is None:
        raise NoAnswerError(f"{bound.family}: no formula has all that {name} costs")
    ceiling = Polynomial.fitted(ceilings) if ceilings else None
    return Growth(bound, costs, ceilings, frozenset(trusts), cost_of, optimum, ceiling)
