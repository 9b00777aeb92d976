"""The forms of certificates: the kinds of every problem, and their fields.

Fragments of JSON Schema, parts of the schemas of results
(:mod:`atleastk.models.forms`). Checkers decide what a certificate proves; all that they
accept has one of these forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from atleastk.instances.fields.shapes import JsonSchema, ListOf, Row
from atleastk.models.certificates.weights import integer
from atleastk.models.results.fields import INTEGER, INTEGERS, PAIR

Forms = Mapping[str, JsonSchema]
"""Forms of certificates, by kind; `FORMS` of a module has those of its problem, and
`NODE_FORM` that of a node of its trees."""

WHOLE: Final = INTEGER.json_schema()
AT_LEAST_0: Final = integer(0).json_schema()
AT_LEAST_1: Final = integer(1).json_schema()
RADIUS: Final = integer(-1).json_schema()
WHOLES: Final = INTEGERS.json_schema()
COLUMNS: Final = ListOf(integer(0)).json_schema()
PAIRS: Final = ListOf(PAIR).json_schema()
_TRIPLES: Final = ListOf(Row("[x, y, weight]", (INTEGER,) * 3)).json_schema()
LISTS: Final = ListOf(INTEGERS).json_schema()


def lists_of(item: JsonSchema) -> JsonSchema:
    """Return the form of lists of items of a form."""
    return {"type": "array", "items": item}


def object_form(
    may_hold: Mapping[str, JsonSchema] | None = None, **holds: JsonSchema
) -> JsonSchema:
    """Return the form of an object that holds these fields, and maybe others."""
    properties = {**holds, **(may_hold or {})}
    return {"type": "object", "properties": properties, "required": list(holds)}


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

_LEAF: Final = object_form(
    weights=WHOLES,
    may_hold={
        "entries": AT_LEAST_0,
        "rows": AT_LEAST_0,
        "per_column": COLUMNS,
        "column_order": LISTS,
        "splits": COLUMNS,
        "needs": lists_of(
            {
                "type": "array",
                "prefixItems": [AT_LEAST_0, COLUMNS, AT_LEAST_0],
                "minItems": 3,
                "maxItems": 3,
            }
        ),
    },
)

NODE_OF_PATTERNS: Final = by_field(
    yes=by_field(
        column=object_form(column=AT_LEAST_0, **_SIDES),
        **{"class": object_form(**{"class": AT_LEAST_0}, at_most=AT_LEAST_0, **_SIDES)},
        stars=object_form(stars=COLUMNS, at_most=AT_LEAST_0, **_SIDES),
        pattern=object_form(kind=AT_LEAST_0, pattern=COLUMNS, **_SIDES),
        keeps=object_form(kind=AT_LEAST_0, keeps=COLUMNS, at_most=AT_LEAST_0, **_SIDES),
    ),
    weights=_LEAF,
)
_PAIRED: Final = object_form(pair=PAIR.json_schema(), together=ANY_NODE, apart=ANY_NODE)
NODE_OF_MAPS: Final = by_field(
    weights=object_form(weights=PAIRS, most=WHOLE), pair=_PAIRED
)
NODE_OF_POINTS: Final = by_field(
    weights=object_form(weights=WHOLES, most=WHOLE, may_hold={"scale": AT_LEAST_0}),
    point=object_form(point=AT_LEAST_0, outlier=ANY_NODE, clustered=ANY_NODE),
    pair=_PAIRED,
)
PRICES: Final[Mapping[str, JsonSchema]] = {
    "scale": WHOLE,
    "weights": WHOLES,
    "group": WHOLE,
}
TRIANGLE: Final = Row("[i, j, h, multiplier]", (integer(0),) * 4)
TRIANGLES: Final = ListOf(TRIANGLE).json_schema()
NODE_OF_PAIRS: Final = by_field(
    vectors=object_form(
        scale=AT_LEAST_1,
        items=COLUMNS,
        triangles=LISTS,
        meeting=LISTS,
        leaving=LISTS,
        vectors=LISTS,
    ),
    weights=object_form(**PRICES, may_hold={"triples": TRIANGLES}),
    pair=_PAIRED,
)

SCALED: Final[Mapping[str, JsonSchema]] = {"scale": AT_LEAST_1, "weights": WHOLES}
LATTICE: Final = object_form(refused=LISTS, dear=LISTS, may_hold={"alone": LISTS})
TILES: Final = object_form(
    level=AT_LEAST_0,
    refuted=lists_of(
        object_form(parts=PAIR.json_schema(), weights=_TRIPLES, most=WHOLE)
    ),
)
RECTANGLES: Final[Mapping[str, JsonSchema]] = {
    "count": object_form(),
    "parts": TILES,
    "cuts": object_form(level=AT_LEAST_0),
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
