"""Polynomials with rational coefficients, fitted to values and written as formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.polynomial.polynomial import polyadd, polydiv, polymul, polyval


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial: coefficient i is of the i-th power, and the last is not 0."""

    coefficients: tuple[Fraction, ...]

    @classmethod
    def fitted(
        cls, values: Mapping[int, int | Fraction], spare: int = 5
    ) -> Self | None:
        """Return the polynomial of least degree through all values by argument.

        Its degree leaves `spare` values at least that it did not need; None if no such
        polynomial has all values. (Newton's divided differences.)
        """
        points = np.array(sorted(values), dtype=object)
        column: Any = np.array([Fraction(values[x]) for x in points])
        differences = [column[0]]
        for order in range(1, len(points)):
            column = np.diff(column) / (points[order:] - points[:-order])
            if not any(column):
                return cls._of_newton([*points], differences)
            if order >= len(points) - spare:
                return None
            differences.append(column[0])
        return None

    @classmethod
    def _of_newton(cls, points: list[int], differences: list[Fraction]) -> Self:
        """Expand a Newton form by Horner's rule, from the highest difference down."""
        found: Any = [Fraction(0)]
        for x, difference in reversed(list(zip(points, differences, strict=False))):
            found = polyadd(polymul(found, [-x, 1]), [difference])
        return cls(tuple(found))

    @property
    def degree(self) -> int:
        """The highest power."""
        return len(self.coefficients) - 1

    def __call__(self, x: int) -> Fraction:
        """Return the value at x."""
        value: Any = polyval(x, self.coefficients)
        return Fraction(value)

    def over(self, other: Polynomial) -> Polynomial | None:
        """Return the quotient by another polynomial; None if there is a remainder."""
        if self.degree < other.degree:
            return None
        quotient, rest = polydiv(self.coefficients, other.coefficients)
        return None if any(rest) else Polynomial(tuple(quotient))

    def limit_over(self, other: Polynomial) -> Fraction | None:
        """Return the limit of the quotient by another one; None if it has none."""
        if self.degree > other.degree:
            return None
        if self.degree < other.degree:
            return Fraction(0)
        return self.coefficients[-1] / other.coefficients[-1]

    def shown(self, name: str) -> str:
        """Return the polynomial as a formula in a variable, such as "3 k - 3"."""
        text = ""
        for power in range(self.degree, -1, -1):
            coefficient = self.coefficients[power]
            if not coefficient and self.degree:
                continue
            variable = name if power == 1 else f"{name}^{power}" if power else ""
            size = abs(coefficient)
            factor = "" if size == 1 and variable else str(size)
            term = " ".join(filter(None, (factor, variable)))
            if text:
                text += f" {'-' if coefficient < 0 else '+'} {term}"
            else:
                text = f"-{term}" if coefficient < 0 else term
        return text
