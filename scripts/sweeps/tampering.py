"""Tampering: results that claim what is not so, made from true ones by rule.

    python -m scripts.sweeps.tampering [--forgeries N] [--seed S] [--problem P]
        [--seconds S]

Every field of a result, and every value in its certificate, is changed in all the ways
that its type suggests: up and down, deleted, doubled, swapped, of another type, huge,
deeply nested. Items change their group, fields that are not there are added, trees grow
another node, and certificates of other kinds are made up. Both checkers read what comes
of it. They have to refuse what is false, or to say that it is claimed and not proved,
and they must not differ: what has a certificate is proved to both or to none. (A
forgery may be true, and be accepted.)

A table by problem is printed, and every falsehood that was accepted as a line of JSON;
the exit code is 1 if there was one. Then come the fields of the format that were not
forged, and the rules of the second checker that refused nothing. The same seed makes
the same forgeries.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from enum import StrEnum
from itertools import chain, count
from pathlib import Path
from time import monotonic
from typing import Any

import atleastk
from atleastk.instances.shrinking import smaller
from atleastk.research.tables.markdown import markdown_table
from scripts import second_checker
from scripts.sweeps.format_fields import divided, field_of, fields_of
from scripts.sweeps.instances import PROBLEMS, draw
from scripts.sweeps.judges import Judge, judge_of

Document = dict[str, Any]
Place = tuple[str | int, ...]

_SECONDS = 10.0
"""The time limit of a solve; a tiny instance takes some milliseconds."""

_UNREAD = "its certificate cannot be re-checked"

_DEEP = 200
"""Lists around a value that is nested deeply."""

_IDLE = frozenset(
    {
        "seconds",
        "versions",
        "method",
        "gap",
        "guarantee",
        "note",
        "found_by",
        "proved_by",
        "stopped_because",
    }
)
"""Fields that say nothing about the instance."""


def forged(
    genuine: Document,
    judge: Judge,
    rng: random.Random,
    changes: int,
    tally: Counter[str] | None = None,
) -> Iterator[Document]:
    """Give results that claim more, or something else, than a genuine one.

    The fields that are forged are counted in `tally`, if there is one.
    """
    tally = Counter() if tally is None else tally
    claims = [genuine, *_false_claims(genuine, judge)]
    yield from map(deepcopy, claims)
    for _ in range(12):
        document = deepcopy(rng.choice(claims))
        if rng.random() < 0.4:
            document = divided(document, rng)
        for _ in range(changes):
            every = list(places(document))
            by_field: dict[str | int, list[Place]] = {}
            for place in every:
                by_field.setdefault(place[0], []).append(place)
            field = rng.choice([*by_field, *["certificate"] * len(by_field)])
            place = rng.choice(by_field.get(field, every))
            tally[field_of(document, place)] += 1
            changed(document, place, rng)
        yield document
        yield invented(divided(rng.choice(claims), rng), rng, tally)
    for change in (misdealt, misdealt, overdone):
        yield change(rng.choice(claims), rng)
    yield divided(rng.choice(claims), rng)
    for _ in range(3):
        yield made_up(rng.choice(claims), rng, tally)


def invented(genuine: Document, rng: random.Random, tally: Counter[str]) -> Document:
    """Return a result whose certificate has the same form and other small numbers."""
    document = deepcopy(genuine)
    share = rng.random()
    for place in places(document):
        inside, last = _at(document, place)
        inner = place[0] == "certificate" and type(inside[last]) is int
        if inner and rng.random() < share:
            tally[field_of(document, place)] += 1
            inside[last] = rng.randint(-3, 4)
    return document


def misdealt(genuine: Document, rng: random.Random) -> Document:
    """Return a result in which an item is in another group, or in one of its own."""
    document = deepcopy(genuine)
    if document["groups"]:
        groups = [*document["groups"], []]
        source = rng.choice(groups[:-1])
        item = source.pop(rng.randrange(len(source)))
        rng.choice(groups).append(item)
        document["groups"] = [group for group in groups if group]
        for name in ("centres", "rectangles"):
            if rng.random() < 0.5:
                document.pop(name, None)
    return document


def overdone(genuine: Document, rng: random.Random) -> Document:
    """Return a result in which a group, or every row, has more suppressed cells."""
    document = deepcopy(genuine)
    if document["groups"] and "suppressed" in document:
        rows = rng.choice([*document["groups"], [*chain(*document["groups"])]])
        columns = rng.choice([[0], [1], [2], [0, 1], [0, 1, 2]])
        cells = [[i, j] for i in rows for j in columns]
        held = document["suppressed"]
        document["suppressed"] = sorted([*held, *(x for x in cells if x not in held)])
        if rng.random() < 0.5:
            document["cost"] = len(document["suppressed"])
    return document


def made_up(genuine: Document, rng: random.Random, tally: Counter[str]) -> Document:
    document = deepcopy(genuine)
    of_kinds = fields_of(document["problem"])
    kind = rng.choice(sorted(of_kinds))
    if not kind:
        unread = frozenset() if document["groups"] else of_kinds[kind] - set(document)
        name = rng.choice(sorted(of_kinds[kind] - unread))
        document[name] = rng.choice(_others(document.get(name)))
        tally[name] += 1
        return document
    proof = document.get("certificate") or {}
    document["certificate"] = {**proof, "kind": kind}
    for name in sorted(of_kinds[kind] - {"kind"} - set(proof)):
        if rng.random() < 0.7:
            document["certificate"][name] = rng.choice(_others(rng.choice((0, []))))
            tally[f"{kind}.{name}"] += 1
    tally[f"{kind}.kind"] += 1
    return document


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
    for less in (1, 2):
        yield {**genuine, "trust": "proved", "certified_bound": cost - less}
    worse = _worse(genuine, judge)
    level = None if worse is None else judge.cost(worse)
    if worse is not None and level is not None:
        yield {**worse, "cost": level, "bound": level, "status": "OPTIMAL"}
        yield {**worse, "cost": level, "status": "FEASIBLE"}
        part = {"bound": level, "certified_bound": level - 1, "trust": "heuristic"}
        yield {**worse, **part, "cost": level, "status": "FEASIBLE"}


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
            cost = judge.cost(merged)
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
    inside, last = _at(document, place)
    luck = rng.random()
    if luck < 0.1:
        del inside[last]
    elif luck < 0.2 and isinstance(inside, list):
        inside.insert(rng.randint(0, len(inside)), deepcopy(inside[last]))
    elif luck < 0.3:
        _swap(document, place, rng)
    else:
        inside[last] = rng.choice(_others(inside[last]))


def _at(document: Document, place: Place) -> tuple[Any, Any]:
    inside: Any = document
    for key in place[:-1]:
        inside = inside[key]
    return inside, place[-1]


def _swap(document: Document, place: Place, rng: random.Random) -> None:
    """Swap the value at a place with one of its sort elsewhere."""
    inside, last = _at(document, place)
    others = [
        other
        for other in places(document)
        if other[: len(place)] != place
        and place[: len(other)] != other
        and type(_at(document, other)[0][other[-1]]) is type(inside[last])
    ]
    if others:
        there, key = _at(document, rng.choice(others))
        inside[last], there[key] = there[key], inside[last]


def _nested(value: object, depth: int) -> object:
    for _ in range(depth):
        value = [value]
    return value


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
        _nested(deepcopy(value), _DEEP),
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


class Said(StrEnum):
    """What a checker says of a result."""

    REFUSED = "refused"
    CLAIMED = "claimed"
    """Its solution holds; its bound, or that there is none, is not proved here."""
    UNREAD = "unread"
    """Its solution holds; its certificate is too large to be re-checked, so it is not
    proved, and refused if it is called certified."""
    PROVED = "proved"
    OPEN = "cannot tell"


def said_by_both(instance: Any, forgery: Document) -> tuple[Said, Said]:
    """Return what the checker and the second one say of a result."""
    return _said_first(instance, forgery), _said_second(instance, forgery)[0]


def _said_first(instance: Any, forgery: Document) -> Said:
    try:
        verdict = atleastk.check(instance, forgery)
    except atleastk.InvalidResultError:
        return Said.REFUSED
    if any(_UNREAD not in violation for violation in verdict.violations):
        return Said.REFUSED
    if verdict.proved:
        return Said.PROVED
    unread = any(_UNREAD in line for line in (*verdict.violations, *verdict.claimed))
    return Said.UNREAD if unread else Said.CLAIMED


def _said_second(instance: Any, forgery: Document) -> tuple[Said, int | None]:
    """Return what the second checker says, and the line of the rule that refuses."""
    document = json.loads(json.dumps(instance.to_dict()))
    try:
        proved = second_checker.check(document, forgery)
    except second_checker.UnknownError:
        return Said.OPEN, None
    except second_checker.WrongError as error:
        return Said.REFUSED, traceback.extract_tb(error.__traceback__)[-2].lineno
    except second_checker.ERRORS:
        return Said.REFUSED, None
    return (Said.PROVED if proved else Said.CLAIMED), None


def rules() -> dict[int, str]:
    tree = ast.parse(Path(second_checker.__file__).read_text(encoding="utf-8"))
    return {
        node.lineno: ast.unparse(node.args[1])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "need"
    }


def unforged(problem: str, tally: Mapping[str, int]) -> list[str]:
    """Return the fields of the format of a problem that were not forged."""
    fields = [
        f"{kind}.{name}" if kind else name
        for kind, names in fields_of(problem).items()
        for name in names
    ]
    return sorted(x for x in fields if not tally[x] and x not in _IDLE)


def accepted_falsehood(instance: Any, forgery: Document, judge: Judge) -> str | None:
    """Say which falsehood one of the checkers accepts, or where they differ."""
    return _flaw(forgery, judge, *said_by_both(instance, forgery))


def _flaw(forgery: Document, judge: Judge, first: Said, second: Said) -> str | None:
    if "status" not in forgery:
        return None
    for name, said in (("check", first), ("the second checker", second)):
        accepts = said not in (Said.REFUSED, Said.OPEN)
        false = falsehood(forgery, judge) if accepts else None
        claimed = "bound" if said is Said.CLAIMED else ("bound", "certified_bound")
        if false is None or (false.startswith(claimed) and said is not Said.PROVED):
            continue  # nothing, or said to be claimed and not proved
        return f"{name} accepts: {false}"
    if first is Said.UNREAD or second is Said.OPEN or _alike(first, second):
        return None
    return f"check says {first}, the second checker {second}"


def _alike(first: Said, second: Said) -> bool:
    """Tell whether both accept or both refuse.

    Without a certificate the first counts by itself what the second leaves a claim.
    """
    return (first is Said.REFUSED) == (second is Said.REFUSED)


def forgeries(
    document: Mapping[str, Any],
    rng: random.Random,
    changes: int,
    certify: bool = True,
    tally: Counter[str] | None = None,
) -> Iterator[tuple[Any, Judge, Document]]:
    """Give forged results of an instance, by its own and by that of a sibling."""
    instance, judge = atleastk.from_dict(document), judge_of(dict(document))
    for source in (instance, *siblings(document, rng)):
        result = atleastk.solve(source, _SECONDS, workers=1, certify=certify)
        genuine = json.loads(result.to_json()) | {"instance_sha256": instance.sha256}
        for forgery in forged(genuine, judge, rng, changes, tally):
            yield instance, judge, forgery


def siblings(document: Mapping[str, Any], rng: random.Random) -> Iterator[Any]:
    """Give another instance that differs a little, if one is found soon."""
    tried = list(smaller(dict(document)))
    for less in rng.sample(tried, min(len(tried), 4)):
        try:
            yield atleastk.from_dict(less)
        except (atleastk.InvalidInstanceError, atleastk.UnknownNameError):
            continue
        return


def shown(forgery: Document) -> str:
    """Return what a forgery says, without what says nothing about the instance."""
    idle = _IDLE | {"problem", "events", "seed", "instance_sha256"}
    return json.dumps({k: v for k, v in forgery.items() if k not in idle})


def falsehood(claim: Document, judge: Judge) -> str | None:
    """Say what a result claims that is not so; None if all is true."""
    best, status = judge.best, claim["status"]
    if status == "INFEASIBLE" and best is not None:
        return f"bound: infeasible, but {best} is possible"
    for name in ("certified_bound", "bound"):
        bound = claim.get(name)
        if bound is not None and best is not None and bound > best:
            return f"{name} {bound}, but {best} is possible"
    if status in ("OPTIMAL", "FEASIBLE"):
        cost = judge.cost(claim)
        if cost != claim["cost"]:
            return f"cost {claim['cost']}, but it is {cost}"
    if status == "OPTIMAL" and best != claim["cost"]:
        return f"bound: optimal {claim['cost']}, but {best} is possible"
    return None


def _tampered(
    problem: str, seed: int, tally: Counter[str]
) -> Iterator[tuple[Any, Document, Said, Said, int | None, str | None]]:
    rng = random.Random(f"{seed} {problem}")
    document = draw(problem, rng)
    changes = rng.choice((1, 1, 2))
    try:
        for instance, judge, forgery in forgeries(document, rng, changes, tally=tally):
            first = _said_first(instance, forgery)
            second, rule = _said_second(instance, forgery)
            wrong = _flaw(forgery, judge, first, second)
            yield instance, forgery, first, second, rule, wrong
    except (atleastk.InvalidInstanceError, second_checker.UnknownError):
        return  # there is no judge of it


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--forgeries", type=int, default=1000, help="of each problem")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--problem", choices=PROBLEMS, help="default: all")
    parser.add_argument("--seconds", type=float, default=math.inf, help="at most")
    chosen = parser.parse_args(arguments)
    end = monotonic() + chosen.seconds
    head = ["problem", "forged", *Said, "second: cannot tell", "wrong"]
    columns = [head[0], *(f"{name}>" for name in head[1:])]
    print("\n".join(markdown_table(columns, [])), flush=True)
    forged, wrongs, silent = 0, 0, rules()
    missed: list[str] = []
    for problem in PROBLEMS if chosen.problem is None else (chosen.problem,):
        counts: Counter[str] = Counter()
        tally: Counter[str] = Counter()
        for number in count(chosen.seed * 10**6):
            if counts["forged"] >= chosen.forgeries or monotonic() > end:
                break
            for instance, forgery, first, second, rule, wrong in _tampered(
                problem, number, tally
            ):
                counts.update(("forged", first, f"second: {second}"))
                counts["wrong"] += wrong is not None
                silent.pop(rule or 0, None)
                if wrong is not None:
                    found = {"wrong": wrong, "forgery": json.loads(shown(forgery))}
                    print(json.dumps({**found, "instance": instance.to_dict()}))
        row = [problem, *(counts[name] for name in head[1:])]
        print(markdown_table(columns, [row])[-1], flush=True)
        forged += counts["forged"]
        wrongs += counts["wrong"]
        missed += [f"{problem}: {field}" for field in unforged(problem, tally)]
    print(f"fields that were not forged: {len(missed)}", *missed, sep="\n- ")
    left = [f"line {line}: {rule}" for line, rule in sorted(silent.items())]
    every = len(rules())
    print(f"rules that refused nothing: {len(left)} of {every}", *left, sep="\n- ")
    return 1 if wrongs or not forged else 0


if __name__ == "__main__":
    sys.exit(main())
