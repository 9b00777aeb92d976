"""Check refutations in the format VIPR 1.0, with fractions and nothing else.

    python scripts/vipr_checker.py PROOF.vipr ...

It prints what each file proves and exits with 0, or why not and exits with 1, or with 2
where checking would take too much work. It is
written from the format's description (https://github.com/scipopt/vipr,
cert_spec_v1_0.md) and imports the standard library alone, so that whoever reads
these lines need not trust those that wrote the proof. It knows what a refutation needs:
``RTP infeas`` without solutions, and the reasons asm, lin, rnd and uns.

A checked file says that its integer program has no solution. That the program is that
of an instance is in the names of its variables and the comments at its head.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import NamedTuple

MOST_PRODUCTS = 10_000_000
"""Terms of lines times their factors: half a minute."""

MOST_BITS = 20_000
"""The length of a number: sums of fractions may grow with every term."""

NUMBER = re.compile(r"[+-]?[0-9]+([.][0-9]+|/[0-9]+)?")
"""A number: no exponents, which stand for numbers too long to be worked with."""


class Refused(Exception):  # noqa: N818 - the proof is, and that is no error
    """Why a proof is not accepted."""


class Unchecked(Exception):  # noqa: N818 - nothing is wrong
    """Why it is not known whether a proof holds."""


class Constraint(NamedTuple):
    """Terms, a sense (1 for >=, 0 for =, -1 for <=) and a value; what it assumes."""

    terms: dict[int, Fraction]
    sense: int
    value: Fraction
    assumed: frozenset[int] = frozenset()

    @property
    def absurd(self) -> bool:
        """Whether it is 0 >= 1, or the like."""
        short = self.value * self.sense > 0 or (not self.sense and self.value != 0)
        return short and not self.terms

    def dominates(self, other: Constraint) -> bool:
        """Tell whether every point that satisfies this one satisfies the other."""
        if self.absurd:
            return True
        if self.terms != other.terms or self.sense not in (0, other.sense):
            return False
        more = (self.value - other.value) * other.sense
        return more >= 0 if other.sense else self.value == other.value


SENSES = {"G": 1, "E": 0, "L": -1}


def checked(lines: Iterable[str]) -> tuple[int, int, int]:
    """Return the numbers of variables, rows and derivations of a proof that holds.

    Raises
    ------
    Refused
        If it does not hold, or is no proof at all.
    Unchecked
        If it takes too much work.
    """
    try:
        return _Reader(_words(lines)).checked()
    except StopIteration:
        raise Refused("the file ends early") from None
    except (ValueError, ZeroDivisionError, IndexError) as error:
        raise Refused(f"no number where one is expected: {error}") from error


def _words(lines: Iterable[str]) -> Iterator[str]:
    """Yield the words of a file behind the comments at its head."""
    head = True
    for line in lines:
        head = head and line.startswith("%")
        if not head:
            yield from line.split()


class _Reader:
    def __init__(self, words: Iterator[str]) -> None:
        self.words = words
        self.integer: set[int] = set()
        self.variables = 0
        self.held: list[Constraint] = []
        self.products = 0

    def checked(self) -> tuple[int, int, int]:
        self.expect("VER", "1.0", "VAR")
        self.variables = self.count()
        for _ in range(self.variables):
            next(self.words)
        self.expect("INT")
        self.integer = {self.index(self.variables) for _ in range(self.count())}
        self.expect("OBJ")
        if next(self.words) not in ("min", "max"):
            raise Refused("expected the objective min or max")
        self.terms()
        self.expect("CON")
        rows = self.count()
        self.count()
        for _ in range(rows):
            self.held.append(self.constraint())
        self.expect("RTP", "infeas", "SOL", "0", "DER")
        derivations = self.count()
        for number in range(rows, rows + derivations):
            try:
                self.held.append(self.derived(number))
            except Refused as error:
                raise Refused(f"derivation {number - rows}: {error}") from error
        left = next(self.words, None)
        if left is not None:
            raise Refused(f"expected the end of the file, got {left}")
        if not derivations or not self.held[-1].absurd or self.held[-1].assumed:
            raise Refused("the last line is no contradiction without assumptions")
        return self.variables, rows, derivations

    def derived(self, number: int) -> Constraint:
        """Return a line that follows from earlier ones, with what it assumes."""
        stated = self.constraint()
        self.expect("{")
        match next(self.words):
            case "asm":
                assumed = frozenset([number])
            case "lin":
                assumed = self.combined(stated, number, rounding=False)
            case "rnd":
                assumed = self.combined(stated, number, rounding=True)
            case "uns":
                assumed = self.united(stated, number)
            case reason:
                raise Refused(f"the reason {reason} is not known")
        self.expect("}")
        int(next(self.words))
        return stated._replace(assumed=assumed)

    def combined(
        self, stated: Constraint, number: int, rounding: bool
    ) -> frozenset[int]:
        """Check a linear combination; return what it assumes."""
        terms: dict[int, Fraction] = {}
        value, senses, assumed, seen = Fraction(0), set[int](), frozenset[int](), set()
        for _ in range(self.count()):
            index, factor = self.index(number), self.number()
            if index in seen:
                raise Refused(f"line {index} is there twice")
            seen.add(index)
            line = self.held[index]
            self.spend(len(line.terms) + len(line.assumed) + 1)
            for variable, coefficient in line.terms.items():
                more = terms.get(variable, Fraction(0)) + factor * coefficient
                terms[variable] = _short(more)
            value = _short(value + factor * line.value)
            assumed |= line.assumed
            if factor * line.sense:
                senses.add(1 if factor * line.sense > 0 else -1)
        if len(senses) > 1:
            raise Refused("the factors do not go with the senses of their lines")
        sense = senses.pop() if senses else 0
        terms = {variable: c for variable, c in terms.items() if c}
        if rounding:
            if not sense or not self.whole(terms):
                raise Refused("only inequalities of integers can be rounded")
            value = Fraction(ceil(value) if sense > 0 else floor(value))
        if not Constraint(terms, sense, value).dominates(stated):
            raise Refused("it does not follow from the lines that it names")
        return assumed

    def united(self, stated: Constraint, number: int) -> frozenset[int]:
        """Check the union of two cases; return what it assumes."""
        first, one, second, other = (self.index(number) for _ in range(4))
        below, above = sorted((self.held[one], self.held[other]), key=lambda c: c.sense)
        if (
            (below.sense, above.sense) != (-1, 1)
            or below.terms != above.terms
            or not self.whole(below.terms)
            or below.value.denominator != 1
            or above.value != below.value + 1
        ):
            raise Refused(f"lines {one} and {other} are no two cases")
        for line in (first, second):
            self.spend(len(self.held[line].terms) + len(self.held[line].assumed))
            if not self.held[line].dominates(stated):
                raise Refused(f"it does not follow from line {line}")
        return (self.held[first].assumed - {one}) | (
            self.held[second].assumed - {other}
        )

    def whole(self, terms: dict[int, Fraction]) -> bool:
        """Tell whether a sum is of integers."""
        return all(v in self.integer and c.denominator == 1 for v, c in terms.items())

    def constraint(self) -> Constraint:
        next(self.words)
        sense = SENSES.get(next(self.words))
        if sense is None:
            raise Refused("expected a sense: E, G or L")
        value = self.number()
        return Constraint(self.terms(), sense, value)

    def terms(self) -> dict[int, Fraction]:
        found: dict[int, Fraction] = {}
        for _ in range(self.count()):
            variable = self.index(self.variables)
            if variable in found:
                raise Refused(f"variable {variable} is there twice")
            found[variable] = self.number()
        return {variable: c for variable, c in found.items() if c}

    def expect(self, *expected: str) -> None:
        for word in expected:
            got = next(self.words)
            if got != word:
                raise Refused(f"expected {word}, got {got}")

    def count(self) -> int:
        return self.index(sys.maxsize)

    def spend(self, products: int) -> None:
        self.products += products
        if self.products > MOST_PRODUCTS:
            raise Unchecked(
                f"too much work: more than {MOST_PRODUCTS:,} products of terms"
            )

    def number(self) -> Fraction:
        word = next(self.words)
        if not NUMBER.fullmatch(word):
            raise Refused(f"expected a number as 3 or -3/4, got {word[:40]}")
        return Fraction(word)

    def index(self, below: int) -> int:
        number = int(next(self.words))
        if not 0 <= number < below:
            raise Refused(f"{number} is out of range")
        return number


def _short(number: Fraction) -> Fraction:
    """Return a number that is not too long."""
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > MOST_BITS:
        raise Unchecked(f"too much work: numbers of more than {MOST_BITS:,} bits")
    return number


def main(paths: Iterable[str]) -> int:
    code = 0
    for path in paths:
        try:
            with Path(path).open(encoding="utf-8") as lines:
                variables, rows, derivations = checked(lines)
        except (OSError, UnicodeDecodeError, Refused) as error:
            print(f"{path}: refused: {error}")
            code = 1
        except Unchecked as error:
            print(f"{path}: not checked: {error}")
            code = code or 2
        else:
            print(
                f"{path}: holds: {variables} integer variables and {rows} rows have no "
                f"solution, by {derivations} derivations"
            )
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
