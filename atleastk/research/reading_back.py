"""Solutions that other solvers found of an exported model, read back and checked.

Read are lines of a name and a value, as HiGHS, SCIP, CBC, Gurobi and CPLEX write them -
what is not named is 0 - and lines ``v`` of SAT, MaxSAT and pseudo-Boolean solvers. The
point has to be one of integers that satisfies every row exactly; the solution that it
stands for is checked against the instance, which gives the cost. What the solver says
of optimality is not taken over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import InvalidResultError
from atleastk.instances.instance import Instance
from atleastk.models.linear import INFINITE, LinearModel, terms_of
from atleastk.models.results.result import Result
from atleastk.research.collecting.exporting import literals_of
from atleastk.research.formulating import formulation_of
from atleastk.runs.registry import problem_of
from atleastk.runs.solving import approximated
from atleastk.solvers.backends.backend import EXACT
from atleastk.solvers.budget import Budget
from atleastk.solvers.method import Algorithm

_NEAR: Final = 1e-5
"""How far from an integer a value may be, as solvers say by default."""

_XML: Final = re.compile(r'<variable\s[^>]*?name="([^"]*)"[^>]*?value="([^"]*)"')
"""A variable in the files of CPLEX."""

_SHOWN: Final = 6
"""Most variables of a row that a message has."""


def read_back(instance: Instance, text: str, formulation: str | None = None) -> Result:
    """Return the checked result of a solution of an exported model.

    Raise `InvalidResultError` if the text is no solution of the formulation, by default
    the usual one; the error says why.
    """
    chosen = formulation_of(instance, formulation)
    encoding = chosen.encoded(instance)
    model = encoding.model
    words = _words(text)
    values = _of_literals(model, words) if words else _of_names(model, text)
    broken = _broken(model, values)
    if broken is not None:
        raise InvalidResultError(f"no solution of {chosen.name}: {broken}")
    solution, problem = encoding.decode(values), problem_of(instance)
    verdict = problem.check(instance, solution)
    if verdict.violations:
        raise InvalidResultError(f"no solution: {verdict.violations[0]}")
    own: Algorithm[Instance] = Algorithm(
        f"read back, {chosen.name}",
        "a solution of another solver",
        lambda _instance, _seed: solution,
    )
    return approximated(problem, own, instance, Budget.checked())


def _words(text: str) -> list[str]:
    """Return the words of the lines ``v``."""
    lines = [line.split() for line in text.splitlines()]
    return [
        word for first, *rest in filter(None, lines) if first == "v" for word in rest
    ]


def _of_literals(model: LinearModel, words: list[str]) -> IntArray:
    """Return the point where literals hold: numbers, names x1, or one word of bits."""
    literals = literals_of(model)
    count = sum(map(len, literals))
    if len(words) == 1 and count > 1 and re.fullmatch("[01]+", words[0]):
        true = {i for i, bit in enumerate(words[0], 1) if bit == "1"}
        said = len(words[0])
    else:
        found = [re.fullmatch(r"(-?)x?(\d+)", word) for word in words]
        for word, match in zip(words, found, strict=True):
            if match is None:
                raise InvalidResultError(f"v {word}: expected a literal, such as -3")
        numbers = [(match[1], int(match[2])) for match in found if match is not None]
        true = {number for sign, number in numbers if not sign}
        said = len({number for _, number in numbers if 0 < number <= count})
    if said < count:
        raise InvalidResultError(
            f"it has {said} of the {count} literals that the model has at least"
        )
    values = model.lower.copy()
    for j, own in enumerate(literals):
        values[j] += sum(weight for literal, weight in own if literal in true)
    return values


def _of_names(model: LinearModel, text: str) -> IntArray:
    """Return the point of lines with the name and the value of a variable."""
    place = {name: j for j, name in enumerate(model.names)}
    given: dict[str, str] = {}
    for name, value in _pairs(text, place):
        given.setdefault(name, value)  # duals come later
    if not given:
        some = ", ".join(list(place)[:_SHOWN])
        raise InvalidResultError(f"it names none of the variables {some}, ..")
    values = np.zeros(model.columns, dtype=np.int64)
    for name, written in given.items():
        whole, j = _integer(name, written), place[name]
        if not model.lower[j] <= whole <= model.upper[j]:
            bounds = f"{model.lower[j]}..{model.upper[j]}"
            raise InvalidResultError(f"{name} is {written}, not within {bounds}")
        values[j] = whole
    return values


def _pairs(text: str, place: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Yield names with values; CBC has the number of the variable before its name."""
    yield from ((name, value) for name, value in _XML.findall(text) if name in place)
    for line in text.splitlines():
        words = line.split()
        for at in (0, 1):
            if len(words) > at + 1 and words[at] in place:
                yield words[at], words[at + 1]
                break


def _integer(name: str, value: str) -> int:
    """Return the integer that a value is, up to what solvers allow."""
    with suppress(ValueError):
        if value.lstrip("-").isdecimal():
            return int(value)
        found = float(value)
        if abs(found) < EXACT and abs(found - round(found)) <= _NEAR:
            return round(found)
    raise InvalidResultError(f"{name} is {value}: expected an integer")


def _broken(model: LinearModel, values: IntArray) -> str | None:
    """Return a row that a point breaks, in words; None if the model admits it."""
    if model.admits(values):
        return None
    names, sides = model.names, zip(model.row_lower, model.row_upper, strict=True)
    for (low, high), pairs in zip(sides, terms_of(model.rows), strict=True):
        terms = [(factor, names[j], factor * int(values[j])) for j, factor in pairs]
        total = sum(amount for _, _, amount in terms)
        short = low > -INFINITE and total < low
        if short or (high < INFINITE and total > high):
            row = " ".join(f"{factor:+} {name}" for factor, name, _ in terms[:_SHOWN])
            more = " .." if len(terms) > _SHOWN else ""
            sign, side = (">=", low) if short else ("<=", high)
            return f"{row}{more} is {total}, not {'=' if low == high else sign} {side}"
    return "a variable that is not named has to be above 0"
