"""The base of all instances: immutable, valid by construction, with a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, ClassVar, Self

from atleastk.instances.errors import InvalidInstanceError
from atleastk.instances.shapes import JsonSchema, Shape, Text
from atleastk.instances.spelling import renamed

__all__ = ["Instance", "shaped"]


def shaped(shape: Shape[Any]) -> dict[str, Shape[Any]]:
    """Return the metadata that gives a data-class field its shape."""
    return {"shape": shape}


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """An instance of one of the problems.

    A subclass declares its fields with ``field(metadata=shaped(...))``. Construction
    parses every field by its shape, so an instance that exists is valid. Fields that
    are declared with ``compare=False`` are remarks: they define nothing.
    """

    problem: ClassVar[str]

    name: str | None = field(default=None, metadata=shaped(Text()), compare=False)
    source: str | None = field(default=None, metadata=shaped(Text()), compare=False)
    comment: str | None = field(default=None, metadata=shaped(Text()), compare=False)

    def __post_init__(self) -> None:
        for declared in fields(self):
            value = getattr(self, declared.name)
            if value is None and declared.default is None:
                continue
            parsed = _shape(declared).parse(value, declared.name)
            object.__setattr__(self, declared.name, parsed)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build an instance from the fields of its JSON object."""
        known = {declared.name: declared for declared in fields(cls)}
        given = renamed({k: v for k, v in data.items() if k != "problem"}, known)
        for key in given:
            if key not in known:
                expected = ", ".join(_defining_first(known))
                message = f"{key}: unknown field of {cls.problem}; known are {expected}"
                raise InvalidInstanceError(message)
        for name, declared in known.items():
            if name not in given and _required(declared):
                message = f"{name}: missing; {cls.problem} needs it"
                raise InvalidInstanceError(message)
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of this instance, without its defaults."""
        document: dict[str, Any] = {"problem": self.problem}
        for declared in _defining_first({f.name: f for f in fields(self)}).values():
            value = getattr(self, declared.name)
            if _required(declared) or value != declared.default:
                document[declared.name] = value
        return document

    @property
    def sha256(self) -> str:
        """The fingerprint of what defines the instance (not its name or comment)."""
        remarks = {declared.name for declared in fields(self) if not declared.compare}
        defining = {k: v for k, v in self.to_dict().items() if k not in remarks}
        canonical = json.dumps(defining, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    @classmethod
    def json_schema(cls) -> JsonSchema:
        """Return the JSON Schema of this problem's instances."""
        declared = _defining_first({f.name: f for f in fields(cls)})
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": cls.problem,
            "description": (cls.__doc__ or "").strip().partition("\n")[0],
            "type": "object",
            "properties": {
                "problem": {"const": cls.problem},
                **{name: _schema(f) for name, f in declared.items()},
            },
            "required": ["problem", *(n for n, f in declared.items() if _required(f))],
            "additionalProperties": False,
        }

    @property
    def least_cost(self) -> int:
        """A cost that no solution is below, whatever the instance is."""
        return 0

    def meaning(self, cost: int, equals: str = "=") -> str:
        """Return what a cost stands for; nothing where it speaks for itself.

        Of a bound `equals` is the sign of what it bounds in other terms.
        """
        del cost, equals
        return ""

    def __str__(self) -> str:
        return " ".join(self._describe())

    def _describe(self) -> Iterator[str]:
        yield self.problem
        if self.name:
            yield f'"{self.name}"'


def _shape(declared: Field[Any]) -> Shape[Any]:
    shape: Shape[Any] = declared.metadata["shape"]
    return shape


def _schema(declared: Field[Any]) -> JsonSchema:
    schema = _shape(declared).json_schema()
    if declared.default is None:
        return {"anyOf": [schema, {"type": "null"}]}
    return schema


def _required(declared: Field[Any]) -> bool:
    return declared.default is MISSING


def _defining_first(known: dict[str, Field[Any]]) -> dict[str, Field[Any]]:
    return dict(sorted(known.items(), key=lambda entry: not entry[1].compare))
