"""Risk in the population that a table is a sample of, by models: estimates, no facts.

Let the classes of a sample of n rows have f rows each, u classes in all, s of them of a
single row, and the population N persons, F of them in the class in the population.

*Individual risk* [Benedetti98]: given f, let F have the negative binomial distribution
of f successes with probability p = f over the estimated persons of the class. The
risk of a row is the mean of 1 / F, which is e(f) = p times the integral of v^(f - 1) /
(p + q v) over v from 0 to 1, with q = 1 - p. By division e(1) = (p / q) log(1 / p) and
e(f) = (p / q) (1 / (f - 1) - e(f - 1)), which is stable for p < q; else the series (p /
f) times the sum of j! q^j / ((f + 1) ... (f + j)), of which few terms are needed where
q is at most one half, or f is large.

*Pitman* [Hoshino01]: classes are drawn by Pitman's sampling formula with parameters a
and b: after i rows in j classes the next is of a new one with probability (b + a j) /
(b + i). Let S be the sum of log(1 + a / (b + i)) over 0 < i < n. Then u has the
expectation b (e^S - 1) / a + e^S, and s that of n (b + a) e^S / (b + n + a - 1). The
parameters are those at which these are what is seen. For a population of N the second
formula gives how many of its persons are like no other. S is summed term by term at
first, and by an integral with its corrections [Euler, Maclaurin] for the rest.

*Slide negative binomial* (SNB) [Chen98]: each of K classes of the population has 1 + Y
persons, Y negative binomial, with the generating function g(x) = x ((1 - d) / (1 - d
x))^c. If a person comes to the sample with probability r = n / N, then u, s and the
number t of classes of two rows have the expectations K (1 - g(1 - r)), K r g'(1 - r)
and K r^2 g''(1 - r) / 2. Where some K, c and d give what is seen, K (1 - d)^c persons
of the population are like no other.

References
----------
[Benedetti98] R. Benedetti, L. Franconi, "Statistical and technological solutions for
controlled data dissemination", New Techniques and Technologies for Statistics, 1998.
[Hoshino01] N. Hoshino, "Applying Pitman's sampling formula to microdata disclosure risk
assessment", Journal of Official Statistics 17 (2001) 499-520.
[Chen98] G. Chen, S. Keller-McNulty, "Estimation of identification disclosure risk in
microdata", Journal of Official Statistics 14 (1998) 79-95.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, expm1, log, log1p
from typing import Final

import numpy as np

from atleastk.arrays import FloatArray, IntArray

_HALVINGS: Final = 120
_NEAR: Final = 1e-13
"""Steps of a bisection at most, and how near, relatively, it comes."""

_LARGEST: Final = 1e15
"""Bound of parameters without one."""

_TERMS: Final = 60
"""Terms of the series: so many halves, or so many rows, leave nothing to doubles."""

_SUMMED: Final = 32
"""Terms that are summed one by one."""

_WIDEST: Final = 16.0
_GRID: Final = 200
"""The logarithm of d / (1 - d) at most, and the steps in which a solution is sought."""


@dataclass(frozen=True, slots=True)
class SampleRisk:
    """What models say of a table that is a sample."""

    highest: float
    mean: float
    """`highest`, `mean`: the individual risk of a row, at most and on average."""
    pitman: float | None
    snb: float | None
    """`pitman`, `snb`: how many persons of the population are like no other, by both
    models; None if no parameters give what is seen."""

    @classmethod
    def of(cls, class_of: IntArray, persons: FloatArray) -> SampleRisk:
        """Return the risk of rows of these classes that stand for so many persons."""
        if not len(class_of):
            return cls(0.0, 0.0, 0.0, 0.0)
        sizes = np.bincount(class_of)
        sums = np.bincount(class_of, persons)
        risks = np.array(
            [
                individual_risk(f, f / max(total, f))
                for f, total in zip(sizes.tolist(), sums.tolist(), strict=True)
            ]
        )
        rows, population = len(class_of), float(persons.sum())
        mean = float((risks * sizes).sum() / rows)
        single, double = (int((sizes == f).sum()) for f in (1, 2))
        pitman = pitman_uniques(rows, len(sizes), single, round(population))
        share = min(1.0, rows / population)
        snb = snb_uniques(len(sizes), single, double, share)
        return cls(float(risks.max()), mean, pitman, snb)


def individual_risk(rows: int, p: float) -> float:
    """Return the mean of 1 / F, F being negative binomial: e(rows) of the module."""
    q = 1 - p
    if q <= 0.5 or rows >= _TERMS:
        term = total = p / rows
        for j in range(1, _TERMS):
            term *= q * j / (rows + j)
            total += term
        return total
    found = -p / q * log(p)
    for f in range(2, rows + 1):
        found = p / q * (1 / (f - 1) - found)
    return found


def pitman_uniques(
    rows: int, classes: int, single: int, population: int
) -> float | None:
    """Return the expected persons like no other, by Pitman's formula."""
    if population <= rows:
        return float(single)
    if not single or not 1 < classes < rows:
        return None if single else 0.0

    def other(a: float) -> float:
        """Return the parameter at which as many classes are expected, with a."""
        found = _root(lambda b: _classes(a, b, rows) - classes, -a, _LARGEST)
        return _LARGEST if found is None else found

    a = _root(lambda a: _single(a, other(a), rows) - single, 0.0, 1.0)
    return None if a is None else _single(a, other(a), population)


def _logs(a: float, b: float, n: int) -> float:
    """Return S of the module."""
    first = np.arange(1, min(n, _SUMMED))
    found = float(np.log1p(a / (b + first)).sum())
    if n <= _SUMMED:
        return found
    low, high = b + _SUMMED, b + n
    found += a * log1p((high - low) / (low + a))
    found += high * log1p(a / high) - low * log1p(a / low)
    found -= (log1p(a / high) - log1p(a / low)) / 2
    slope, other = (-a / (x * (x + a)) for x in (high, low))
    third, last = (2 / (x + a) ** 3 - 2 / x**3 for x in (high, low))
    return found + (slope - other) / 12 - (third - last) / 720


def _classes(a: float, b: float, n: int) -> float:
    logs = _logs(a, b, n)
    return b * expm1(logs) / a + exp(logs)


def _single(a: float, b: float, n: int) -> float:
    return n * (b + a) * exp(_logs(a, b, n)) / (b + n + a - 1)


def snb_uniques(classes: int, single: int, double: int, share: float) -> float | None:
    """Return the expected persons like no other, by the slide negative binomial."""
    if share >= 1:
        return float(single)
    if not (0 < single < classes and double):
        return None if single else 0.0
    x = 1 - share

    def like_none(c: float, d: float) -> float:
        return c * (log1p(-d) - log1p(-d * x))

    def expected(c: float, d: float) -> tuple[float, float, float]:
        """Return 1 - g, and r g' and r^2 g'' / 2, at 1 - r."""
        h, slope = exp(like_none(c, d)), d / (1 - d * x)
        first = c * slope * h
        second = (c + 1) * slope * first
        more = share * share * (2 * first + x * second) / 2
        return 1 - x * h, share * (h + x * first), more

    def other(d: float) -> float:
        """Return the parameter at which the share of single rows is as seen."""

        def off(c: float) -> float:
            known, one, _ = expected(c, d)
            return single / classes - one / known

        found = _root(off, 0.0, _LARGEST)
        return _LARGEST if found is None else found

    def off(z: float) -> float:
        d = 1 / (1 + exp(-z))
        known, _, two = expected(other(d), d)
        return two / known - double / classes

    steps = np.linspace(-_WIDEST, _WIDEST, _GRID).tolist()
    signs = [off(z) > 0 for z in steps]
    for low, high, one, next_one in zip(
        steps, steps[1:], signs, signs[1:], strict=False
    ):
        if one != next_one:
            z = _root((lambda z: -off(z)) if one else off, low, high)
            if z is None:
                return None
            d = 1 / (1 + exp(-z))
            c = other(d)
            return classes / expected(c, d)[0] * exp(c * log1p(-d))
    return None


def _root(rises: Callable[[float], float], low: float, high: float) -> float | None:
    """Return where a function turns positive between two numbers; None if nowhere.

    At these themselves it is not asked.
    """
    first, last = low, high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if high - low <= _NEAR * abs(middle):
            break
        if rises(middle) > 0:
            high = middle
        else:
            low = middle
    return None if first == low or last == high else (low + high) / 2
