"""The forms of certificates: the kinds of every problem, and their fields.

Fragments of JSON Schema, parts of the schemas of results
(:mod:`atleastk.models.forms`). Checkers decide what a certificate proves; all that they
accept has one of these forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

from atleastk.instances.fields.shapes import JsonSchema, ListOf, Row, Shape
from atleastk.models.certificates.weights import integer
from atleastk.models.results.fields import INTEGER, INTEGERS, PAIR

Forms = Mapping[str, JsonSchema]
"""Forms of certificates, by kind; `FORMS` of a module has those of its problem, and
`NODE_FORM` that of a node of its trees."""

Form = JsonSchema | Shape[Any]
"""The form of a field."""

COLUMNS: Final = ListOf(integer(0))
LISTS: Final = ListOf(INTEGERS)
_TRIPLE: Final = Row("[x, y, weight]", (INTEGER,) * 3)
_NEED: Final = Row("a need", (integer(0), COLUMNS, integer(0)))


def lists_of(item: JsonSchema) -> JsonSchema:
    """Return the form of lists of items of a form."""
    return {"type": "array", "items": item}


def object_form(**holds: Form) -> JsonSchema:
    """Return the form of an object that holds these fields, and maybe others."""
    return {"type": "object", "properties": _schemas(holds), "required": list(holds)}


def may_hold(form: JsonSchema, **fields: Form) -> JsonSchema:
    """Return the form of an object that has these fields, too, if at all like this."""
    return {**form, "properties": {**form["properties"], **_schemas(fields)}}


def _schemas(forms: Mapping[str, Form]) -> JsonSchema:
    return {
        name: form if isinstance(form, Mapping) else form.json_schema()
        for name, form in forms.items()
    }


def by_field(**forms: JsonSchema) -> JsonSchema:
    """Return the form chosen by the first of some fields that an object has.

    By if and else: validators that try all forms of a node would repeat its sides.
    """
    found: JsonSchema = {"required": [next(reversed(forms))]}
    for name, form in reversed(forms.items()):
        found = {"if": {"required": [name]}, "then": form, "else": found}
    return found


ANY_NODE: Final[JsonSchema] = {"$ref": "#/$defs/node"}
NODE: Final[JsonSchema] = {"anyOf": [ANY_NODE, {"type": "null"}]}
_SIDES: Final[Mapping[str, JsonSchema]] = {"yes": NODE, "no": NODE}

_LEAF: Final = may_hold(
    object_form(weights=INTEGERS),
    entries=integer(0),
    rows=integer(0),
    per_column=COLUMNS,
    column_order=LISTS,
    splits=COLUMNS,
    needs=ListOf(_NEED),
)

NODE_OF_PATTERNS: Final = by_field(
    yes=by_field(
        column=object_form(column=integer(0), **_SIDES),
        **{"class": object_form(**{"class": integer(0)}, at_most=integer(0), **_SIDES)},
        stars=object_form(stars=COLUMNS, at_most=integer(0), **_SIDES),
        pattern=object_form(kind=integer(0), pattern=COLUMNS, **_SIDES),
        keeps=object_form(kind=integer(0), keeps=COLUMNS, at_most=integer(0), **_SIDES),
    ),
    weights=_LEAF,
)
_PAIRED: Final = object_form(pair=PAIR, together=ANY_NODE, apart=ANY_NODE)
NODE_OF_MAPS: Final = by_field(
    weights=object_form(weights=ListOf(PAIR), most=INTEGER), pair=_PAIRED
)
NODE_OF_POINTS: Final = by_field(
    weights=may_hold(object_form(weights=INTEGERS, most=INTEGER), scale=integer(0)),
    point=object_form(point=integer(0), outlier=ANY_NODE, clustered=ANY_NODE),
    pair=_PAIRED,
)
PRICES: Final[Mapping[str, Form]] = {
    "scale": INTEGER,
    "weights": INTEGERS,
    "group": INTEGER,
}
TRIANGLE: Final = Row("[i, j, h, multiplier]", (integer(0),) * 4)
NODE_OF_PAIRS: Final = by_field(
    vectors=object_form(
        scale=integer(1),
        items=COLUMNS,
        triangles=LISTS,
        meeting=LISTS,
        leaving=LISTS,
        vectors=LISTS,
    ),
    weights=may_hold(object_form(**PRICES), triples=ListOf(TRIANGLE)),
    pair=_PAIRED,
)

SCALED: Final[Mapping[str, Form]] = {"scale": integer(1), "weights": INTEGERS}
LATTICE: Final = may_hold(object_form(refused=LISTS, dear=LISTS), alone=LISTS)
TILES: Final = object_form(
    level=integer(0),
    refuted=lists_of(object_form(parts=PAIR, weights=ListOf(_TRIPLE), most=INTEGER)),
)
RECTANGLES: Final[Mapping[str, JsonSchema]] = {
    "count": object_form(),
    "parts": TILES,
    "cuts": object_form(level=integer(0)),
}
TABLES: Final[Mapping[str, JsonSchema]] = {
    "count": object_form(),
    "weights": object_form(**SCALED),
    "tree": object_form(tree=NODE),
}


def forms_of(problem: str) -> tuple[Forms, JsonSchema | None]:
    """Return the forms of the certificates of a problem, by kind, and of its nodes.

    `FORMS` and `NODE_FORM` of its certificates; nodes of trees refer to themselves.
    """
    file = import_module(f"atleastk.models.certificates.{problem.replace('-', '_')}")
    return file.FORMS, getattr(file, "NODE_FORM", None)


def certificate_form(problem: str) -> JsonSchema:
    """Return the form of the certificates of a problem; trees refer to its nodes."""
    kinds, _ = forms_of(problem)
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": list(kinds)}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": form}
            for kind, form in kinds.items()
        ],
    }
