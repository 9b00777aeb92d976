"""The page of the fields of instances: shapes from schemas, words from classes."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

import atleastk
from atleastk.instances.instance import Instance
from atleastk.research.tables.markdown import markdown_table
from atleastk.solvers.problem import Problem
from scripts.data.write_instances import members

_TYPES: Final = {
    "integer": "whole number",
    "number": "number",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
}


def page() -> str:
    """Return the page: every problem with all its fields."""
    kinds = {problem.name: problem.instance for problem in atleastk.problems()}
    lines = [
        "# Fields of instances",
        "",
        "`problem` is its name. All may have `name`, `source` and `comment`, which "
        "change nothing. What has no default has to be there. [Files](../files.md) has "
        "examples.",
    ]
    for problem in atleastk.problems():
        lines += ["", f"## {problem.name}", "", f"{problem.question}.", ""]
        columns = ("field", "is", "default", "meaning")
        lines += markdown_table(columns, _rows(problem, kinds))
    return "\n".join(lines) + "\n"


def _rows(
    problem: Problem[Any], kinds: Mapping[str, type[Any]]
) -> Iterator[tuple[str, str, str, str]]:
    schema = problem.instance.json_schema()
    told = members(problem.instance, kinds)
    for name, field in schema["properties"].items():
        if name == "problem" or name in members(Instance, kinds):
            continue
        declared = getattr(problem.instance, name, None)
        default = "" if name in schema["required"] else f"`{_default(field, declared)}`"
        yield f"`{name}`", shape(field), default, told.get(name, "").replace("``", "`")


def _default(schema: Mapping[str, Any], declared: object) -> str:
    """Return the default of a field in JSON; what is no plain value is empty."""
    if isinstance(declared, str | int):
        return json.dumps(declared).strip('"')
    return {"array": "[]", "object": "{}"}.get(schema.get("type", ""), "null")


def shape(schema: Mapping[str, Any]) -> str:
    """Return in words what a part of a schema allows."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(shape, schema["anyOf"])))
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind = schema["type"]
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(shape, schema['prefixItems']))}]"
        return f"list of ({shape(schema['items'])})"
    if kind == "object":
        return f"object of {', '.join(f'`{name}`' for name in schema['properties'])}"
    least = f" >= {schema['minimum']}" if "minimum" in schema else ""
    kinds = [kind] if isinstance(kind, str) else kind
    return " or ".join(
        f"{_TYPES[each]}{least if each != 'null' else ''}" for each in kinds
    )
