"""Integer programs with a proof that they have no solution, as VIPR 1.0.

The format [Cheung17] knows four kinds of lines: an assumption (``asm``), a linear
combination of earlier lines (``lin``), one that is rounded since all its variables are
integers (``rnd``), and the union of two cases that cover all integers (``uns``).
Variables are at least 0, and may have an upper bound.

References
----------
[Cheung17] K. Cheung, A. Gleixner, D. Steffy: Verifying integer programming results.
IPCO 2017. The format: https://github.com/scipopt/vipr.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Final, NamedTuple

from atleastk.instances.fields.errors import CertificateError, NotApplicableError

Number = int | Fraction
Terms = Mapping[int, Number]
"""Variables, or lines, with their factors."""

_MOST_BYTES: Final = 100_000_000
"""The most bytes of a proof: about 20 seconds of viprchk."""


class Line(NamedTuple):
    """A constraint: one of the program, or a derived one with its derivation."""

    sense: str
    terms: Terms
    value: Number
    reason: str | None = None


class Cases(NamedTuple):
    """Two assumptions that cover all integer points, by the numbers of their lines."""

    below: int
    above: int


class Program:
    """An integer program, and the lines that follow from it.

    All variables and rows come first, then the lines of the proof.

    Attributes
    ----------
    about
        Comment lines of the head: what is listed, and what is not proved here.
    names
        The variables.
    """

    def __init__(self, about: Iterable[str]) -> None:
        self.about = tuple(about)
        self.names: list[str] = []
        self._named: list[str] = []
        self._lines: list[Line] = []
        self._lower: list[int] = []
        self._upper: list[int | None] = []
        self._bytes = 0

    @property
    def lines(self) -> int:
        """The number of lines: rows and derivations."""
        return len(self._lines)

    def variable(self, name: str, most: int | None = None) -> int:
        """Add an integer variable of 0 or more, and at most `most`."""
        number = len(self.names)
        self.names.append(name)
        self._lower.append(self.row(f"{name}>", "G", {number: 1}, 0))
        bounded = most is not None
        upper = self.row(f"{name}<", "L", {number: 1}, most or 0) if bounded else None
        self._upper.append(upper)
        return number

    def row(self, name: str, sense: str, terms: Terms, value: int) -> int:
        """Add a row of the program; its sense is ``"L"``, ``"G"`` or ``"E"``."""
        self._named.append(name)
        return self._added(Line(sense, terms, value))

    def cases(self, terms: Terms, value: int) -> Cases:
        """Assume that a sum of integers is at most a value, and that it is above."""
        return Cases(
            self._added(Line("L", terms, value, "asm")),
            self._added(Line("G", terms, value + 1, "asm")),
        )

    def joined(self, cases: Cases, below: int, above: int) -> int:
        """Return the line that both cases imply; one of them may be a contradiction."""
        first, second = self._lines[below], self._lines[above]
        stated = first if first.terms else second
        reason = f"uns {below} {cases.below} {above} {cases.above}"
        return self._added(stated._replace(reason=reason))

    def refuted(self, combined: Terms, bounds: Mapping[int, int] | None = None) -> int:
        """Return the contradiction that is a sum of lines and of bounds of variables.

        Raise `CertificateError` if that is no contradiction. Factors in `combined` are
        at least 0 for lines of sense L, at most 0 for those of G; lines in `bounds`
        take the place of the bounds of a variable.
        """
        made, value = self._combined("L", {}, combined, bounds or {})
        if value >= 0:
            raise CertificateError("the weights do not refute what they should")
        return self._added(Line("L", {}, value, _reason("lin", made)))

    def rounded(self, sense: str, terms: Terms, combined: Terms, share: int = 1) -> int:
        """Return a line that bounds a sum of integers, as a sum of lines and bounds.

        These sum up to `share` times as much, which is divided in a line of its own.
        """
        target = {v: share * factor for v, factor in terms.items()}
        made, value = self._combined(sense, target, combined, {})
        if share > 1 or all(self._lines[line].sense == "E" for line in made):
            # Only inequalities can be rounded.
            line = self._added(Line(sense, target, value, _reason("lin", made)))
            made, value = {line: Fraction(1, share)}, Fraction(value) / share
        whole = floor(value) if sense == "L" else ceil(value)
        return self._added(Line(sense, terms, whole, _reason("rnd", made)))

    def left(self, combined: Terms) -> dict[int, Number]:
        """Return the factors of the variables in a sum of lines."""
        left: dict[int, Number] = {}
        for number, factor in combined.items():
            for v, coefficient in self._lines[number].terms.items():
                left[v] = left.get(v, 0) + factor * coefficient
        return left

    def line(self, number: int) -> Line:
        """Return a line."""
        return self._lines[number]

    def text(self, head: Iterable[str] = ()) -> Iterator[str]:
        """Yield the lines of the file, after those of a head."""
        yield from (f"% {line}" for line in (*head, *self.about))
        n, rows = len(self.names), len(self._named)
        yield "VER 1.0"
        yield f"VAR {n}"
        yield " ".join(self.names)
        yield f"INT {n}"
        yield " ".join(map(str, range(n)))
        yield "OBJ min 0"
        yield f"CON {rows} 0"
        for name, line in zip(self._named, self._lines, strict=False):
            yield f"{name} {_constraint(line)}"
        yield "RTP infeas"
        yield "SOL 0"
        yield f"DER {self.lines - rows}"
        for number, line in enumerate(self._lines[rows:], rows):
            yield f"d{number} {_constraint(line)} {{ {line.reason} }} -1"

    def _added(self, line: Line) -> int:
        self._bytes += 8 * len(line.terms) + len(line.reason or "")
        if self._bytes > _MOST_BYTES:
            raise NotApplicableError(
                f"the proof would have more than {_MOST_BYTES:,} bytes"
            )
        self._lines.append(line)
        return len(self._lines) - 1

    def _combined(
        self, sense: str, target: Terms, combined: Terms, bounds: Mapping[int, int]
    ) -> tuple[Terms, Number]:
        """Return factors of lines that sum up to a target, and the resulting value.

        The remaining factor of a variable is removed by its bounds.
        """
        made = {line: factor for line, factor in combined.items() if factor}
        left = self.left(combined)
        for v, factor in target.items():
            left[v] = left.get(v, 0) - factor
        for v, factor in left.items():
            if factor:
                below = (factor > 0) == (sense == "L")
                line = self._lower[v] if below else self._upper[v]
                taken = bounds.get(v)
                if taken is not None and (self._lines[taken].sense == "G") == below:
                    line = taken
                if line is None:
                    raise CertificateError(
                        f"the weights leave {self.names[v]} without a bound"
                    )
                made[line] = made.get(line, 0) - factor
        value = sum(factor * self._lines[line].value for line, factor in made.items())
        return made, value


def add_lines(
    combined: dict[int, Number], factor: Number, lines: Mapping[int, Number]
) -> None:
    """Add lines, all of them times a factor, to a sum of lines."""
    for line, times in lines.items():
        combined[line] = combined.get(line, 0) + factor * times


def _constraint(line: Line) -> str:
    terms = " ".join(f"{v} {factor}" for v, factor in line.terms.items())
    return f"{line.sense} {line.value} {len(line.terms)} {terms}".rstrip()


def _reason(rule: str, combined: Terms) -> str:
    factors = " ".join(f"{line} {factor}" for line, factor in combined.items())
    return f"{rule} {len(combined)} {factors}"
