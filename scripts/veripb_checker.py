"""Check refutations of pseudo-Boolean formulas, in a small part of the VeriPB format.

    python scripts/veripb_checker.py FORMULA.opb PROOF.pbp

It prints what is proved and exits with 0, or why not and exits with 1, or with 2 where
checking would take too much work. It knows of
version 3.0 what `atleastk prove` writes: ``f``, ``pol`` with lines, sums and multiples,
``rup`` with hints, and the conclusion UNSAT. It imports the standard library alone.

A constraint is a sum of integers times literals that is at least a value. Here literals
are those of variables only, so factors may be negative: x is 1 less what ~x is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

MOST_STEPS = 5_000_000
"""Terms that are multiplied, added or propagated: some seconds."""

MOST_BITS = 20_000
"""The length of a number: products may grow with every factor."""


class Refused(Exception):  # noqa: N818 - the proof is, and that is no error
    """Why a proof is not accepted."""


class Unchecked(Exception):  # noqa: N818 - nothing is wrong
    """Why it is not known whether a proof holds."""


class Work:
    """The steps that checking has taken."""

    def __init__(self) -> None:
        self.steps = 0

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise Unchecked(f"too much work: more than {MOST_STEPS:,} steps")


class Constraint(NamedTuple):
    """The sum of the factors of variables is at least a value."""

    factors: dict[str, int]
    value: int

    def times(self, factor: int) -> Constraint:
        if factor < 0:
            raise Refused(f"a constraint cannot be multiplied by {factor}")
        factors = {name: c * factor for name, c in self.factors.items()}
        return Constraint(factors, self.value * factor)

    def plus(self, other: Constraint) -> Constraint:
        factors = dict(self.factors)
        for name, c in other.factors.items():
            factors[name] = factors.get(name, 0) + c
        return Constraint(factors, self.value + other.value)

    @property
    def size(self) -> int:
        """The steps that a sum or a multiple takes: terms, by their lengths."""
        bits = max(x.bit_length() for x in (self.value, *self.factors.values()))
        if bits > MOST_BITS:
            raise Unchecked(f"too much work: numbers of more than {MOST_BITS:,} bits")
        return (len(self.factors) + 1) * (1 + bits // 64)

    @property
    def negated(self) -> Constraint:
        """What holds if this does not: the sum is at most the value less 1."""
        factors = {name: -c for name, c in self.factors.items()}
        return Constraint(factors, 1 - self.value)

    def implied(self, known: dict[str, int]) -> dict[str, int] | None:
        """Return the variables whose values follow; None if it cannot hold at all."""
        spare = -self.value
        for name, c in self.factors.items():
            spare += c * known[name] if name in known else max(0, c)
        if spare < 0:
            return None
        return {
            name: int(c > 0)
            for name, c in self.factors.items()
            if name not in known and abs(c) > spare
        }


def checked(formula: Iterable[str], proof: Iterable[str]) -> tuple[int, int]:
    """Return the numbers of rows and of lines of a proof that holds.

    Raises
    ------
    Refused
        If it does not hold, or is no proof at all.
    Unchecked
        If it takes too much work.
    """
    work = Work()
    try:
        held = [
            _constraint(line.rstrip().removesuffix(";").split())
            for line in formula
            if line.strip() and not line.startswith("*")
        ]
        rows = len(held)
        words = [line.split() for line in proof if not line.startswith("%")]
        if not words or words[0] != ["pseudo-Boolean", "proof", "version", "3.0"]:
            raise Refused("expected a proof of version 3.0")
        *steps, output, conclusion, end = (_ended(line) for line in words[1:])
        for number, (rule, *rest) in enumerate(steps):
            _step(rule, rest, held, rows, work, first=number == 0)
        if (output, end) != (["output", "NONE"], ["end", "pseudo-Boolean", "proof"]):
            raise Refused("expected the output NONE and the end of the proof")
        if conclusion[:3] != ["conclusion", "UNSAT", ":"]:
            raise Refused("expected the conclusion UNSAT")
        if _line(held, conclusion[3]).implied({}) is not None:
            raise Refused(f"line {conclusion[3]} is no contradiction")
    except (ValueError, IndexError) as error:
        raise Refused(f"not a proof of this form: {error}") from error
    return rows, len(held) - rows


def _ended(words: list[str]) -> list[str]:
    if not words or words[-1] != ";":
        raise Refused(f"expected a line that ends with ;, got {' '.join(words)}")
    return words[:-1]


def _step(
    rule: str,
    rest: Sequence[str],
    held: list[Constraint],
    rows: int,
    work: Work,
    *,
    first: bool,
) -> None:
    """Check a line, and add what it derives."""
    number = len(held) + 1
    if first != (rule == "f"):
        raise Refused("expected one line f, at the beginning")
    match rule:
        case "f":
            if list(rest) != [str(rows)]:
                raise Refused(f"the formula has {rows} rows, not {' '.join(rest)}")
        case "pol":
            held.append(_combined(rest, held, work))
        case "rup":
            colon = list(rest).index(":")
            goal = _constraint(rest[:colon])
            hints = [
                goal.negated if hint == "~" else _line(held, hint)
                for hint in rest[colon + 1 :]
            ]
            if not _contradiction(hints, work):
                raise Refused(f"line {number} does not follow by unit propagation")
            held.append(goal)
        case _:
            raise Refused(f"the rule {rule} is not known")


def _combined(
    words: Sequence[str], held: Sequence[Constraint], work: Work
) -> Constraint:
    """Return what operations in Polish notation make of lines."""
    stack: list[Constraint | int] = []
    for word in words:
        match word:
            case "+":
                second, first = _popped(stack, held), _popped(stack, held)
                work.spend(first.size + second.size)
                stack.append(first.plus(second))
            case "*":
                factor = stack.pop()
                if not isinstance(factor, int):
                    raise Refused("expected a number before *")
                top = _popped(stack, held)
                work.spend(top.size)
                stack.append(top.times(factor))
            case _:
                stack.append(int(word))
    last = _popped(stack, held)
    if stack:
        raise Refused("operations leave more than one constraint")
    return last


def _popped(stack: list[Constraint | int], held: Sequence[Constraint]) -> Constraint:
    top = stack.pop()
    return _line(held, str(top)) if isinstance(top, int) else top


def _line(held: Sequence[Constraint], number: str) -> Constraint:
    """Return a constraint by its number, from 1."""
    if not 1 <= int(number) <= len(held):
        raise Refused(f"there is no line {number}")
    return held[int(number) - 1]


def _contradiction(constraints: Sequence[Constraint], work: Work) -> bool:
    """Tell whether unit propagation refutes constraints."""
    known: dict[str, int] = {}
    while True:
        new: dict[str, int] = {}
        for constraint in constraints:
            work.spend(len(constraint.factors) + len(known) + len(new) + 1)
            implied = constraint.implied({**known, **new})
            if implied is None:
                return True
            new.update(implied)
        if not new:
            return False
        known.update(new)


def _constraint(words: Sequence[str]) -> Constraint:
    """Read a constraint: factors and literals, >=, and a value."""
    *pairs, sign, value = words
    if sign != ">=" or len(pairs) % 2:
        raise Refused(f"expected a constraint with >=, got {' '.join(words)}")
    factors: dict[str, int] = {}
    least = int(value)
    for factor, literal in zip(pairs[::2], pairs[1::2], strict=True):
        name, c = literal.removeprefix("~"), int(factor)
        if name != literal:
            least, c = least - c, -c
        factors[name] = factors.get(name, 0) + c
    return Constraint(factors, least)


def main(formula: str, proof: str) -> int:
    try:
        rows, lines = (
            Path(path).read_text(encoding="utf-8").splitlines()
            for path in (formula, proof)
        )
        count, steps = checked(rows, lines)
    except (OSError, UnicodeDecodeError, Refused) as error:
        print(f"{proof}: refused: {error}")
        return 1
    except Unchecked as error:
        print(f"{proof}: not checked: {error}")
        return 2
    print(f"{proof}: holds: {count} rows have no solution, by {steps} lines")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: veripb_checker.py FORMULA.opb PROOF.pbp")
    sys.exit(main(sys.argv[1], sys.argv[2]))
