"""The base of all instances: immutable, valid by construction, with a fingerprint."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final, Self

from atleastk.instances.fields.coded_table import CodedTable
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.fields.shaped import TEXT, Shaped, required, schema_of, shaped
from atleastk.instances.fields.shapes import JsonSchema
from atleastk.instances.files import files
from atleastk.instances.files.paths import AnyPath

__all__ = ["Amount", "Instance", "shaped"]

Amount = Fraction | int
"""A cost, or an upper bound of one."""

_AT_ONCE: Final = 1 << 16
"""Items of a list that are written at a time."""

_FACT: Final = re.compile(r"(\w+)=(\S+)|(\w[^=]*)(?= \w+=|$)")
"""A name and its value in a description, or words between two of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance(Shaped):
    """An instance of one of the problems.

    Fields that are declared with ``compare=False`` are remarks: they define nothing.

    Attributes
    ----------
    problem
        The name of the problem.
    name, source, comment
        Remarks; None without one.
    """

    problem: ClassVar[str]
    measured: ClassVar[str] = "cost"
    """What a cost means, and ratios are of: ``"cost"``, ``"radius"`` or ``"total"``."""
    always_nested: ClassVar[bool] = False
    """Whether all are `nested`, as :mod:`atleastk.runs.neighbours` proves."""

    name: str | None = field(default=None, metadata=TEXT, compare=False)
    source: str | None = field(default=None, metadata=TEXT, compare=False)
    comment: str | None = field(default=None, metadata=TEXT, compare=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build an instance from the fields of its JSON object."""
        return cls.of_fields(
            {k: v for k, v in data.items() if k != "problem"}, cls.problem
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this instance, without its defaults."""
        return {
            name: value.lists() if isinstance(value, CodedTable) else value
            for name, value in self.document().items()
        }

    def document(self) -> dict[str, Any]:
        """Return the JSON object, but for tables of numbers, which stay arrays."""
        return {"problem": self.problem, **self.given_fields()}

    def expect_for_each(self, count: int, each: str, *names: str) -> None:
        """Refuse fields that have not one entry for each of so many rows, nodes, ..."""
        for name in names:
            given = getattr(self, name)
            if given is not None and len(given) != count:
                raise InvalidInstanceError(
                    f"{name}: {len(given)} of them for {count} {each}"
                )

    def save(self, path: AnyPath) -> None:
        """Write the JSON object to a file, packed if its name says so.

        The file is written whole or not at all; `atleastk.load` reads it.
        """
        files.write(path, self.to_dict())

    @cached_property
    def sha256(self) -> str:
        """The fingerprint of what defines the instance (not its name or comment).

        It is that of the JSON object with sorted names and no blanks, of which a part
        is in memory at a time.
        """
        remarks = {declared.name for declared in fields(self) if not declared.compare}
        found, mark = hashlib.sha256(), "{"
        for name, value in sorted(self.document().items()):
            if name not in remarks:
                found.update(f"{mark}{_canonical(name)}:".encode())
                for part in _parts(value):
                    found.update(part.encode())
                mark = ","
        found.update(b"}")
        return found.hexdigest()

    @classmethod
    def json_schema(cls) -> JsonSchema:
        """Return the JSON Schema of this problem's instances."""
        declared = cls.declared()
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": cls.problem,
            "description": (cls.__doc__ or "").strip().partition("\n")[0],
            "type": "object",
            "properties": {
                "problem": {"const": cls.problem},
                **{name: schema_of(f) for name, f in declared.items()},
            },
            "required": ["problem", *(n for n, f in declared.items() if required(f))],
            "additionalProperties": False,
        }

    @property
    def least_cost(self) -> int:
        """A trivial lower bound of the cost of any solution."""
        return 0

    @property
    def nested(self) -> bool:
        """Whether what is feasible for k + 1 is so for k, at the same cost."""
        return self.always_nested

    def stretched(self, cost: int, factor: Amount) -> Amount:
        """Return `factor` times the cost, in the unit of guarantees."""
        return cost * factor

    def ratio(self, cost: Amount, other: Amount) -> float:
        """Return the ratio of two costs, in the unit of guarantees."""
        return float(cost / other)

    def meaning(self, cost: int, equals: str = "=") -> str:
        """Return the meaning of a cost in words; empty where it needs none.

        For a bound `equals` is ``"<="`` or ``">="``, as its meaning needs.
        """
        del cost, equals
        return ""

    def __str__(self) -> str:
        return " ".join(self._describe())

    def _repr_html_(self) -> str:
        head = " ".join(Instance._describe(self))
        facts = _FACT.findall(str(self).removeprefix(head))
        rows = [(name, value or words) for name, value, words in facts]
        return notebook(head, ("", ""), rows)

    def _describe(self) -> Iterator[str]:
        yield self.problem
        if self.name:
            yield f'"{self.name}"'


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _parts(value: Any) -> Iterator[str]:
    """Yield the JSON text of a value, part by part if it is a long list."""
    if not isinstance(value, list | tuple | CodedTable) or not value:
        yield _canonical([] if isinstance(value, CodedTable) else value)
        return
    mark = "["
    for start in range(0, len(value), _AT_ONCE):
        some = value[start : start + _AT_ONCE]
        coded = some.json() if isinstance(some, CodedTable) else None
        yield mark + (coded or _canonical(some)[1:-1])
        mark = ","
    yield "]"
