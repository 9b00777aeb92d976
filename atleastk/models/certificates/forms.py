"""The forms of certificates: which kinds every problem has, and what they hold.

As fragments of JSON Schema, of which those of results are made
(:mod:`atleastk.models.forms`). What a certificate proves is said by the checkers; all
that they accept has one of these forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from atleastk.instances.shapes import JsonSchema, ListOf, Row
from atleastk.models.certificates.weights import integer
from atleastk.models.fields import INTEGER, INTEGERS, PAIR

__all__ = ["KINDS", "certificate_form", "tree_nodes"]

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


_NODE: Final[JsonSchema] = {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}
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

_DEALS: Final[Mapping[str, JsonSchema]] = {
    "node": {
        "anyOf": [
            _object(column=_AT_LEAST_0, **_SIDES),
            _object(**{"class": _AT_LEAST_0}, at_most=_AT_LEAST_0, **_SIDES),
            _object(stars=_COLUMNS, at_most=_AT_LEAST_0, **_SIDES),
            _object(kind=_AT_LEAST_0, pattern=_COLUMNS, **_SIDES),
            _object(kind=_AT_LEAST_0, keeps=_COLUMNS, at_most=_AT_LEAST_0, **_SIDES),
            _LEAF,
        ]
    }
}

_PAIRED: Final = _object(
    pair=PAIR.json_schema(),
    together={"$ref": "#/$defs/node"},
    apart={"$ref": "#/$defs/node"},
)
_NODES_OF_MAPS: Final[Mapping[str, JsonSchema]] = {
    "node": {"anyOf": [_PAIRED, _object(weights=_PAIRS, most=_WHOLE)]}
}
_NODES_OF_POINTS: Final[Mapping[str, JsonSchema]] = {
    "node": {
        "anyOf": [
            _PAIRED,
            _object(
                point=_AT_LEAST_0,
                outlier={"$ref": "#/$defs/node"},
                clustered={"$ref": "#/$defs/node"},
            ),
            _object(weights=_WHOLES, most=_WHOLE, may_hold={"scale": _AT_LEAST_0}),
        ]
    }
}
_PAIR_TREE: Final[JsonSchema] = {"$ref": "#/$defs/node"}

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
    },
    "connected-partition": {
        "count": _object(),
        "parts": _object(
            component=_AT_LEAST_0,
            level=_AT_LEAST_0,
            refuted=_lists_of(
                {
                    "anyOf": [
                        _object(parts=_AT_LEAST_1, weights=_PAIRS, most=_WHOLE),
                        _object(parts=_AT_LEAST_1, tree=_PAIR_TREE),
                    ]
                }
            ),
        ),
    },
    "r-gather": {
        "count": _object(),
        "weights": _object(radius=_RADIUS, weights=_PAIRS, most=_AT_LEAST_0),
        "tree": _object(radius=_RADIUS, tree=_PAIR_TREE),
    },
    "cellular-clustering": {
        "count": _object(),
        "weights": _object(**_SCALED),
        "tree": _object(tree=_PAIR_TREE),
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
        "tree": _object(tree=_NODE),
    },
}
"""The kinds of certificates of every problem, by their names."""

_NODES: Final[Mapping[str, Mapping[str, JsonSchema]]] = {
    "connected-partition": _NODES_OF_MAPS,
    "r-gather": _NODES_OF_POINTS,
    "cellular-clustering": _NODES_OF_POINTS,
}


def tree_nodes(problem: str) -> Mapping[str, JsonSchema]:
    """Return the definitions that the trees of a problem refer to, if it has trees."""
    if problem in _NODES:
        return _NODES[problem]
    return _DEALS if "tree" in KINDS[problem] else {}


def certificate_form(problem: str) -> JsonSchema:
    """Return the form of the certificates of a problem; trees refer to `tree_nodes`."""
    return {
        "type": "object",
        "required": ["kind"],
        "anyOf": [
            {"allOf": [{"properties": {"kind": {"const": kind}}}, form]}
            for kind, form in KINDS[problem].items()
        ],
    }
