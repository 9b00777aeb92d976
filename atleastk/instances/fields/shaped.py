"""Data classes whose fields have shapes: their objects are valid by construction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from fractions import Fraction
from typing import Any, Final, Generic, Self, TypeVar

from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.fields.shapes import (
    Flag,
    Integer,
    JsonSchema,
    ListOf,
    OneOf,
    Shape,
    Text,
    shown,
)
from atleastk.instances.fields.spelling import renamed


def shaped(shape: Shape[Any]) -> dict[str, Shape[Any]]:
    """Return the metadata that gives a data-class field its shape."""
    return {"shape": shape}


FLAG: Final = shaped(Flag())
TEXT: Final = shaped(Text())
TEXTS: Final = shaped(ListOf(Text()))
WHOLE: Final = shaped(Integer(minimum=0))
WHOLES: Final = shaped(ListOf(Integer(minimum=0)))
COUNT: Final = shaped(Integer(minimum=1))
COUNTS: Final = shaped(ListOf(Integer(minimum=1)))
LISTS: Final = shaped(ListOf(ListOf(Integer(minimum=0))))
"""The metadata of the most usual shapes: whole numbers are from 0, counts from 1."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """The base of data classes that parse their fields.

    A subclass declares its fields with ``field(metadata=shaped(...))``. Construction
    parses every field by its shape.
    """

    __repr__ = brief

    def __init_subclass__(cls) -> None:
        """Give every subclass the short representation."""
        type.__setattr__(cls, "__repr__", brief)

    def __post_init__(self) -> None:
        for declared in fields(self):
            value = getattr(self, declared.name)
            if value is None and declared.default is None:
                continue
            parsed = shape_of(declared).parse(value, declared.name)
            object.__setattr__(self, declared.name, parsed)

    @classmethod
    def of_fields(cls, data: Mapping[str, Any], what: str) -> Self:
        """Build one from its fields; errors call it `what`."""
        known = cls.declared()
        given = renamed(dict(data), known)
        for key in given:
            if key not in known:
                expected = ", ".join(known)
                raise InvalidInstanceError(
                    f"{key}: unknown field of {what}; known are {expected}"
                )
        for declared in fields(cls):
            if declared.name not in given and required(declared):
                raise InvalidInstanceError(f"{declared.name}: missing; {what} needs it")
        return cls(**given)

    def given_fields(self) -> dict[str, Any]:
        """Return the fields by their names, as in JSON, without defaults."""
        return {
            name: _as_json(value)
            for name, declared in self.declared().items()
            for value in (getattr(self, name),)
            if required(declared) or value != declared.default
        }

    @classmethod
    def declared(cls) -> dict[str, Field[Any]]:
        """Return the declared fields by their names, remarks last."""
        defining_first = sorted(fields(cls), key=lambda one: not one.compare)
        return {declared.name: declared for declared in defining_first}


@dataclass(frozen=True, slots=True)
class Given(Mapping[str, Any]):
    """The base of data classes that are mappings of their fields that are not None.

    A subclass declares its fields as those of `Shaped`, all None by default.
    """

    def __getitem__(self, name: str) -> Any:
        known = (declared.name for declared in fields(self))
        value = getattr(self, name) if name in known else None
        if value is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        names = (declared.name for declared in fields(self))
        return (name for name in names if getattr(self, name) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object."""
        return {name: _as_json(value) for name, value in self.items()}


G = TypeVar("G", bound=Given)


@dataclass(frozen=True, slots=True)
class Parts(Generic[G]):
    """The shape of an object of such a class, made from what is not null."""

    made: type[G]

    def parse(self, value: object, path: str) -> G:
        shapes = {declared.name: shape_of(declared) for declared in fields(self.made)}
        if not isinstance(value, Mapping):
            raise InvalidInstanceError(
                f"{path}: expected an object of {', '.join(shapes)}, got {shown(value)}"
            )
        for name in value:
            OneOf(tuple(shapes)).parse(name, path)
        given = {
            name: shapes[name].parse(part, f"{path}.{name}")
            for name, part in value.items()
            if part is not None
        }
        return self.made(**given)

    def json_schema(self) -> JsonSchema:
        parts = {declared.name: schema_of(declared) for declared in fields(self.made)}
        return {"type": "object", "properties": parts, "additionalProperties": False}


def _as_json(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if hasattr(value, "as_json"):
        return value.as_json()
    if isinstance(value, tuple) and value and hasattr(value[0], "as_json"):
        return [one.as_json() for one in value]
    return value


def shape_of(declared: Field[Any]) -> Shape[Any]:
    """Return the shape of a field."""
    shape: Shape[Any] = declared.metadata["shape"]
    return shape


def schema_of(declared: Field[Any]) -> JsonSchema:
    """Return the JSON Schema of a field, which may be null if that is its default."""
    schema = shape_of(declared).json_schema()
    if declared.default is None:
        return {"anyOf": [schema, {"type": "null"}]}
    return schema


def required(declared: Field[Any]) -> bool:
    """Tell whether a field has no default."""
    return declared.default is declared.default_factory is MISSING
