"""Formulas in conjunctive normal form: the sources of hard clusterings.

Definition
----------
A *literal* is a variable 1, 2, ... or its complement -1, -2, ...; a clause is true if
one of its literals is. 3-SAT asks for an assignment that makes all clauses true; they
have three literals at most. It is NP-complete even if every literal is in three clauses
at most [GareyJohnson79, LO1 and LO2].

References
----------
[GareyJohnson79] M. R. Garey, D. S. Johnson, "Computers and Intractability".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar, Final

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shapes import Integer, ListOf
from atleastk.instances.instance import Instance, shaped

_MOST_VARIABLES: Final = 1_000_000
"""The most variables: formulas with more cannot be solved."""

_MOST_LITERALS: Final = 3
"""Literals of a clause, by the definition of 3-SAT."""

_MOST_CLAUSES: Final = 3
"""The most clauses that a literal may be in, for the reduction to hold."""


@dataclass(frozen=True)
class ThreeSat(Instance):
    """A formula whose literals are in three clauses at most."""

    problem: ClassVar[str] = "3-sat"

    clauses: Sequence[Sequence[int]] = field(
        metadata=shaped(ListOf(ListOf(Integer(minimum=-_MOST_VARIABLES))))
    )
    """One to three literals each, stored without a literal twice."""

    def __post_init__(self) -> None:
        super().__post_init__()
        clauses = tuple(tuple(dict.fromkeys(clause)) for clause in self.clauses)
        for j, clause in enumerate(clauses):
            if not 1 <= len(clause) <= _MOST_LITERALS or 0 in clause:
                raise InvalidInstanceError(
                    f"clauses[{j}]: expected one to three literals like 1 or -2, "
                    f"got {list(clause)}"
                )
            if max(clause) > _MOST_VARIABLES:
                raise InvalidInstanceError(
                    f"clauses[{j}]: expected variables 1..{_MOST_VARIABLES}, "
                    f"got {max(clause)}"
                )
        object.__setattr__(self, "clauses", clauses)
        often = Counter(literal for clause in clauses for literal in clause)
        for literal, count in often.items():
            if count > _MOST_CLAUSES:
                raise InvalidInstanceError(
                    f"clauses: literal {literal} is in {count} of them, expected at "
                    f"most {_MOST_CLAUSES}; give copies of variable {abs(literal)} to "
                    f"the others"
                )

    @property
    def variables(self) -> int:
        """The number of variables; they are 1, 2, ..."""
        return max((abs(x) for clause in self.clauses for x in clause), default=0)

    @property
    def separated(self) -> bool:
        """Whether no two clauses that share a literal have complementary ones."""
        clauses = list(map(frozenset, self.clauses))
        return not any(
            a & b and any(-x in b for x in a) for a, b in combinations(clauses, 2)
        )

    def satisfied(self, assignment: Sequence[bool]) -> bool:
        """Tell whether variables of these values, the first for 1, satisfy it."""
        return all(
            any(assignment[abs(literal) - 1] == (literal > 0) for literal in clause)
            for clause in self.clauses
        )
