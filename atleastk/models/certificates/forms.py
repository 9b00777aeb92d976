"""The forms of certificates: which kinds every problem has, and what they hold.

As fragments of JSON Schema, of which those of results are made
(:mod:`atleastk.models.forms`). What a certificate proves is said by the checkers; all
that they accept has one of these forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from atleastk.instances.fields.shapes import JsonSchema, ListOf, Row
from atleastk.models.certificates.weights import integer
from atleastk.models.results.fields import INTEGER, INTEGERS, PAIR

_WHOLE: Final = INTEGER.json_schema()
_AT_LEAST_0: Final = integer(0).json_schema()
_AT_LEAST_1: Final = integer(1).json_schema()
_RADIUS: Final = integer(-1).json_schema()
_WHOLES: Final = INTEGERS.json_schema()
_COLUMNS: Final = ListOf(integer(0)).json_schema()
_PAIRS: Final = ListOf(PAIR).json_schema()
_TRIPLES: Final = ListOf(Row("[x, y, weight]", (INTEGER,) * 3)).json_schema()
_LISTS: Final = ListOf(INTEGERS).json_schema()


def _lists_of(item: JsonSchema) -> JsonSchema:
    return {"type": "array", "items": item}


def _object(
    may_hold: Mapping[str, JsonSchema] | None = None, **holds: JsonSchema
) -> JsonSchema:
    """Return the form of an object that holds these fields, and maybe others."""
    properties = {**holds, **(may_hold or {})}
    return {"type": "object", "properties": properties, "required": list(holds)}


def _told_by(**forms: JsonSchema) -> JsonSchema:
    """Return the form that the first of some fields that is there tells.

    One by one: whoever tries all forms of a node goes through its sides as often.
    """
    found: JsonSchema = {"required": [next(reversed(forms))]}
    for name, form in reversed(forms.items()):
        found = {"if": {"required": [name]}, "then": form, "else": found}
    return found


_ANY_NODE: Final[JsonSchema] = {"$ref": "#/$defs/node"}
_NODE: Final[JsonSchema] = {"anyOf": [_ANY_NODE, {"type": "null"}]}
_SIDES: Final[Mapping[str, JsonSchema]] = {"yes": _NODE, "no": _NODE}

_LEAF: Final = _object(
    weights=_WHOLES,
    may_hold={
        "entries": _AT_LEAST_0,
        "rows": _AT_LEAST_0,
        "per_column": _COLUMNS,
        "column_order": _LISTS,
        "splits": _COLUMNS,
        "needs": _lists_of(
            {
                "type": "array",
                "prefixItems": [_AT_LEAST_0, _COLUMNS, _AT_LEAST_0],
                "minItems": 3,
                "maxItems": 3,
            }
        ),
    },
)

_NODE_OF_DEALS: Final = _told_by(
    yes=_told_by(
        column=_object(column=_AT_LEAST_0, **_SIDES),
        **{"class": _object(**{"class": _AT_LEAST_0}, at_most=_AT_LEAST_0, **_SIDES)},
        stars=_object(stars=_COLUMNS, at_most=_AT_LEAST_0, **_SIDES),
        pattern=_object(kind=_AT_LEAST_0, pattern=_COLUMNS, **_SIDES),
        keeps=_object(kind=_AT_LEAST_0, keeps=_COLUMNS, at_most=_AT_LEAST_0, **_SIDES),
    ),
    weights=_LEAF,
)
_PAIRED: Final = _object(pair=PAIR.json_schema(), together=_ANY_NODE, apart=_ANY_NODE)
_NODE_OF_MAPS: Final = _told_by(
    weights=_object(weights=_PAIRS, most=_WHOLE), pair=_PAIRED
)
_NODE_OF_POINTS: Final = _told_by(
    weights=_object(weights=_WHOLES, most=_WHOLE, may_hold={"scale": _AT_LEAST_0}),
    point=_object(point=_AT_LEAST_0, outlier=_ANY_NODE, clustered=_ANY_NODE),
    pair=_PAIRED,
)

_SCALED: Final[Mapping[str, JsonSchema]] = {"scale": _AT_LEAST_1, "weights": _WHOLES}
_LATTICE: Final = _object(refused=_LISTS, dear=_LISTS, may_hold={"alone": _LISTS})
_TILES: Final = _object(
    level=_AT_LEAST_0,
    refuted=_lists_of(_object(parts=PAIR.json_schema(), weights=_TRIPLES, most=_WHOLE)),
)
_RECTANGLES: Final[Mapping[str, JsonSchema]] = {
    "count": _object(),
    "parts": _TILES,
    "cuts": _object(level=_AT_LEAST_0),
}
_TABLES: Final[Mapping[str, JsonSchema]] = {
    "count": _object(),
    "weights": _object(**_SCALED),
    "tree": _object(tree=_NODE),
}

KINDS: Final[Mapping[str, Mapping[str, JsonSchema]]] = {
    "bin-covering": {
        "total": _object(),
        "counting": _object(),
        "reach": _object(item=_AT_LEAST_0),
        "subsets": _object(),
        "weights": {
            "anyOf": [
                _object(**_SCALED),
                _object(
                    refutes=_AT_LEAST_0,
                    parts={"type": "object", "additionalProperties": _WHOLES},
                ),
            ]
        },
    },
    "interval-covering": {
        "total": _object(),
        "reachability": _object(cost=_WHOLE),
        "hitting": _object(items=_WHOLES),
        "prefixes": _object(),
    },
    "connected-partition": {
        "count": _object(),
        "parts": _object(
            component=_AT_LEAST_0,
            level=_AT_LEAST_0,
            refuted=_lists_of(
                _told_by(
                    tree=_object(parts=_AT_LEAST_1, tree=_ANY_NODE),
                    parts=_object(parts=_AT_LEAST_1, weights=_PAIRS, most=_WHOLE),
                )
            ),
        ),
    },
    "r-gather": {
        "count": _object(),
        "weights": _object(radius=_RADIUS, weights=_PAIRS, most=_AT_LEAST_0),
        "tree": _object(radius=_RADIUS, tree=_ANY_NODE),
    },
    "cellular-clustering": {
        "count": _object(),
        "weights": _object(**_SCALED),
        "tree": _object(tree=_ANY_NODE),
    },
    "rectangle-tiling": _RECTANGLES,
    "rectangle-tiling-grid": _RECTANGLES,
    "k-anonymity": _TABLES,
    "suppression": _TABLES,
    "generalization": {**_TABLES, "lattice": _LATTICE},
    "diversity": {**_TABLES, "lattice": _LATTICE, "whole": _object()},
    "k-ambiguity": {
        "count": _object(),
        "columns": _object(),
        "weights": _object(weights=_COLUMNS),
        "blocks": _object(
            blocks=_lists_of(_object(columns=_COLUMNS, weights=_COLUMNS))
        ),
        "tree": _object(tree=_NODE),
    },
}
"""The kinds of certificates of every problem, by their names."""

NODES: Final[Mapping[str, JsonSchema]] = {
    "connected-partition": _NODE_OF_MAPS,
    **dict.fromkeys(("cellular-clustering", "r-gather"), _NODE_OF_POINTS),
    **dict.fromkeys(
        ("diversity", "generalization", "k-ambiguity", "k-anonymity", "suppression"),
        _NODE_OF_DEALS,
    ),
}
"""The nodes of trees, by problem: they refer to themselves."""


def certificate_form(problem: str) -> JsonSchema:
    """Return the form of the certificates of a problem; trees refer to `NODES`."""
    return {
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": {"enum": list(KINDS[problem])}},
        "allOf": [
            {"if": {"properties": {"kind": {"const": kind}}}, "then": form}
            for kind, form in KINDS[problem].items()
        ],
    }
