"""Tampering: results that claim what is not so, made from true ones by rule.

Every field of a result, and every value in its certificate, is changed in all the ways
that its type suggests. The checker has to refuse what is false, or to say that it is
claimed and not proved.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

import atleastk
from scripts.sweeps.judges import Judge

__all__ = ["accepted_falsehood", "changed", "forged", "places", "shown"]

Document = dict[str, Any]
Place = tuple[str | int, ...]

_IDLE = frozenset(
    {
        "seconds",
        "versions",
        "method",
        "gap",
        "guarantee",
        "note",
        "stopped_because",
    }
)
"""Fields that say nothing about the instance."""


def forged(
    genuine: Document, judge: Judge, rng: random.Random, changes: int
) -> Iterator[Document]:
    """Give results that claim more, or something else, than a genuine one."""
    claims = [genuine, *_false_claims(genuine, judge)]
    yield from map(deepcopy, claims)
    for _ in range(12):
        document = deepcopy(rng.choice(claims))
        for _ in range(changes):
            every = list(places(document))
            inner = [place for place in every if place[0] == "certificate"]
            changed(document, rng.choice(rng.choice([every, inner or every])), rng)
        yield document


def _false_claims(genuine: Document, judge: Judge) -> Iterator[Document]:
    """Give what claims another optimum, on the strength of the same certificate."""
    cost = genuine["cost"]
    if cost is None:
        yield {**genuine, "status": "UNKNOWN", "trust": None, "bound": 10**9}
        return
    yield {**genuine, "status": "INFEASIBLE", "cost": None, "bound": None} | {
        "groups": None
    }
    for more in (1, 2, 10**30):
        yield {**genuine, "cost": cost + more, "bound": cost + more}
        yield {**genuine, "status": "FEASIBLE", "bound": cost + more}
    worse = _worse(genuine, judge)
    if worse is not None:
        level = judge.cost(worse)
        yield {**worse, "cost": level, "bound": level, "status": "OPTIMAL"}
        yield {**worse, "cost": level, "status": "FEASIBLE"}


def _worse(genuine: Document, judge: Judge) -> Document | None:
    """Return a solution of greater cost, by merging two groups; None if none is."""
    groups = genuine["groups"]
    for i in range(len(groups)):
        for j in range(i):
            rest = [g for at, g in enumerate(groups) if at not in (i, j)]
            merged = {**genuine, "groups": [sorted(groups[i] + groups[j]), *rest]}
            for name in ("centres", "levels"):
                listed = genuine.get(name) or ()
                if len(listed) == len(groups):
                    merged[name] = [
                        listed[i],
                        *(x for at, x in enumerate(listed) if at not in (i, j)),
                    ]
            try:
                cost = judge.cost(merged)
            except (LookupError, ValueError):
                continue
            if cost is not None and cost > genuine["cost"]:
                return merged
    return None


def places(value: object, place: Place = ()) -> Iterator[Place]:
    """Give the places of all values inside a JSON value."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if place or key not in _IDLE:
                yield (*place, key)
                yield from places(inner, (*place, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield (*place, i)
            yield from places(inner, (*place, i))


def changed(document: Document, place: Place, rng: random.Random) -> None:
    """Change the value at a place, in one of the ways that its type suggests."""
    inside: Any = document
    for key in place[:-1]:
        inside = inside[key]
    last: Any = place[-1]
    if rng.random() < 0.1:
        del inside[last]
    elif isinstance(inside, list) and rng.random() < 0.1:
        inside.insert(rng.randint(0, len(inside)), deepcopy(inside[last]))
    else:
        inside[last] = rng.choice(_others(inside[last]))


def _others(value: object) -> Sequence[Any]:
    odd: list[Any] = [
        None,
        "",
        "x",
        [],
        {},
        0,
        -1,
        1,
        0.5,
        True,
        10**30,
        [[]],
        float("1e308"),
    ]
    match value:
        case bool():
            return [not value, *odd]
        case int():
            steps = [value + 1, value - 1, value + 1, value - 1, -value, 2 * value]
            return [*steps, 0, 1, 2**63, 10**400, *odd]
        case float():
            return [value + 1, value - 1, -value, *odd]
        case str():
            words = ["OPTIMAL", "INFEASIBLE", "FEASIBLE", "certified", "agreed"]
            return [*words, value.upper(), value + value, value[1:], *odd]
        case list():
            turned = [value[::-1], value[1:], value[:-1], [*value, *value[:1]]]
            return [*turned, [value], *odd]
        case dict():
            return [{key: value[key] for key in list(value)[1:]}, [value], *odd]
    return odd


def accepted_falsehood(instance: Any, forgery: Document, judge: Judge) -> str | None:
    """Say which falsehood the checker accepts; None if it does not."""
    try:
        verdict = atleastk.check(instance, forgery)
    except atleastk.InvalidResultError:
        return None
    if not verdict.feasible:
        return None
    false = falsehood(forgery, judge) if "status" in forgery else None
    if false is None:
        return None
    if false.startswith("bound") and not verdict.proved:
        return None  # said to be claimed, not proved
    return f"check accepts: {false}"


def shown(forgery: Document) -> str:
    """Return what a forgery says, without what says nothing about the instance."""
    idle = _IDLE | {"problem", "events", "seed", "instance_sha256"}
    return json.dumps({k: v for k, v in forgery.items() if k not in idle})


def falsehood(claim: Document, judge: Judge) -> str | None:
    """Say what a result claims that is not so; None if all is true."""
    best, status = judge.best, claim["status"]
    if status == "INFEASIBLE" and best is not None:
        return f"bound: infeasible, but {best} is possible"
    bound = claim.get("bound")
    if bound is not None and best is not None and bound > best:
        return f"bound {bound}, but {best} is possible"
    if status in ("OPTIMAL", "FEASIBLE"):
        try:
            cost = judge.cost(claim)
        except (LookupError, ValueError, TypeError) as error:
            return f"cost {claim['cost']}, but there is no solution: {error!r}"
        if cost != claim["cost"]:
            return f"cost {claim['cost']}, but it is {cost}"
    if status == "OPTIMAL" and best != claim["cost"]:
        return f"bound: optimal {claim['cost']}, but {best} is possible"
    return None
