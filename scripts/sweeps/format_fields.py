"""The fields of the format, by its JSON Schemas, and trees of more nodes.

Tampering has to reach every field of results and certificates.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

from atleastk.models.forms import result_schema

Document = dict[str, Any]
Place = tuple[str | int, ...]

_POINTS = ("r-gather", "cellular-clustering")
"""Problems whose trees divide at points, too, that are outliers or not."""

_PAIRS = ("connected-partition", "pair-partition", *_POINTS)
"""Problems whose trees divide at pairs of items."""


@cache
def fields_of(problem: str) -> Mapping[str, frozenset[str]]:
    """Return the fields of every kind of certificate; under "" those of a result."""
    schema: Any = result_schema(problem)
    form = schema["properties"]["certificate"]["anyOf"][0]
    found = {"": frozenset(schema["properties"])}
    for rule in form["allOf"]:
        kind = rule["if"]["properties"]["kind"]["const"]
        names = set(_names(rule["then"]))
        if "tree" in names:
            names |= set(_names(schema["$defs"]))
        found[kind] = frozenset({"kind", *names})
    return found


def _names(schema: object) -> Iterator[str]:
    inner = schema.values() if isinstance(schema, Mapping) else ()
    if isinstance(schema, Mapping) and isinstance(schema.get("properties"), Mapping):
        yield from schema["properties"]
    for part in schema if isinstance(schema, list) else inner:
        yield from _names(part)


def kind_of(document: Mapping[str, Any]) -> str:
    certificate = document.get("certificate")
    kind = certificate.get("kind") if isinstance(certificate, Mapping) else None
    return kind if isinstance(kind, str) else ""


def field_of(document: Mapping[str, Any], place: Place) -> str:
    """Return the name of the field at a place, inside a certificate with its kind."""
    name = [x for x in place if isinstance(x, str) and not x.isdecimal()][-1]
    inside = place[0] == "certificate" and len(place) > 1
    return f"{kind_of(document)}.{name}" if inside else name


def divided(genuine: Document, rng: random.Random) -> Document:
    """Return a result in whose certificate a leaf is divided once more, if it has one.

    Mostly that is as true as before: what weights refute of all solutions, they refute
    of some.
    """
    document = deepcopy(genuine)
    proof = document.get("certificate")
    if not isinstance(proof, dict):
        return document
    problem = document["problem"]
    if not any("tree" in names for names in fields_of(problem).values()):
        return document
    _grown(proof, problem)
    for _ in range(rng.choice((1, 1, 2))):
        leaves = [*_leaves(proof)]
        if leaves:
            holder, key = rng.choice(leaves)
            holder[key] = _inner(problem, holder[key], rng)
    return document


def _grown(proof: Document, problem: str) -> None:
    """Make trees of the weights of a certificate, each of one leaf."""
    if problem == "connected-partition":
        for entry in proof.get("refuted", ()):
            if "tree" not in entry:
                entry["tree"] = {x: entry.pop(x) for x in ("weights", "most")}
    elif problem not in _PAIRS and proof.get("kind") == "weights" and "scale" in proof:
        tree = {"weights": proof.pop("weights"), "entries": proof.pop("scale")}
        proof |= {"kind": "tree", "tree": tree}


def _leaves(holder: Any) -> Iterator[tuple[Any, Any]]:
    pairs = holder.items() if isinstance(holder, dict) else enumerate(holder)
    for key, held in pairs:
        leaf = isinstance(held, dict) and not {"weights", "vectors"}.isdisjoint(held)
        if leaf and key != "certificate":
            yield holder, key
        elif isinstance(held, dict | list):
            yield from _leaves(held)


def _inner(problem: str, leaf: Document, rng: random.Random) -> Document:
    """Return an inner node of a random sort above two copies of a leaf."""

    def one() -> int:
        return rng.randint(0, 2)

    def some() -> list[int]:
        return sorted({one(), one()})

    if problem in _PAIRS:
        pair = {"pair": rng.sample(range(3), 2), "together": leaf}
        point = {"point": one(), "outlier": leaf, "clustered": deepcopy(leaf)}
        divided_by_pair = {**pair, "apart": deepcopy(leaf)}
        points = problem in _POINTS and rng.random() < 0.4
        return point if points else divided_by_pair
    if "splits" in leaf:
        leaf = {**leaf, "splits": [*leaf["splits"], 0]}
    if rng.random() < 0.2:
        orders = [[rng.randint(-1, 1) for _ in range(rng.randint(1, 3))]]
        needs = [[one(), some(), one()]]
        leaf = {**leaf, **rng.choice(({"column_order": orders}, {"needs": needs}))}
    plain = {name: held for name, held in leaf.items() if name != "splits"}
    sides = {"yes": leaf, "no": deepcopy(leaf)}
    others = {"yes": plain, "no": deepcopy(plain)}
    return rng.choice(
        [
            {"kind": one(), "keeps": some(), "at_most": one(), **sides},
            {"stars": some(), "at_most": one(), **sides},
            {"kind": one(), "pattern": some(), **others},
            {"column": one(), **others},
            {"class": 0, "at_most": one(), **others},
        ]
    )
