"""JSON Schemas of results, generated from the shapes that read them.

A result that claims a solution has one, and one that is certified has a certificate of
a kind of its problem. The schema says no more: checkers decide whether claims are true.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atleastk.instances.fields.shapes import JsonSchema, ListOf, Nullable, Shape, Text
from atleastk.models.certificates.forms import certificate_form, forms_of
from atleastk.models.results.fields import GROUPS, INTEGER
from atleastk.models.results.result import FIELDS, FORMAT
from atleastk.models.solutions import solution_kind

_REQUIRED: Final = ("problem", "status", "instance_sha256")


def result_schema(problem: str) -> JsonSchema:
    """Return the JSON Schema of the results of a problem, in this version."""
    kind = solution_kind(problem)
    lists = {**kind.LISTS, **kind.ALSO}
    shapes: Mapping[str, Shape[Any]] = {
        **FIELDS,
        "groups": GROUPS,
        **{name: Nullable(ListOf(item)) for name, item in lists.items()},
        "guarantee": Text(),
    }
    fields = {name: shape.json_schema() for name, shape in shapes.items()}
    certificate = certificate_form(problem)
    _, node = forms_of(problem)
    given = {"groups": GROUPS.value.json_schema(), "cost": INTEGER.json_schema()}
    missing = {"groups": {"type": "null"}, "cost": {"type": "null"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:atleastk:result:{problem}:{FORMAT}",
        "title": f"result of {problem}",
        "description": f"What a run on an instance of {problem} found and proved.",
        "type": "object",
        "properties": {
            **fields,
            "format": {"const": FORMAT},
            "problem": {"const": problem},
            "certificate": {"anyOf": [certificate, {"type": "null"}]},
        },
        "required": list(_REQUIRED),
        "allOf": [
            {
                "if": {"properties": {"status": {"enum": ["OPTIMAL", "FEASIBLE"]}}},
                "then": {"properties": given, "required": list(given)},
                "else": {"properties": missing},
            },
            {
                "if": {
                    "properties": {"trust": {"const": "certified"}},
                    "required": ["trust"],
                },
                "then": {
                    "properties": {"certificate": {"type": "object"}},
                    "required": ["certificate"],
                },
            },
        ],
        **({"$defs": {"node": node}} if node else {}),
    }
