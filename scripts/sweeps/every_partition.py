"""Random instances of pair partition against every partition of their items.

    python -m scripts.sweeps.every_partition [--runs N] [--seed S]

What is best is found here from the JSON object of an instance alone, by trying all
partitions; nothing of the package takes part. Then come the automatic choice, its
stages for more than a few items, or a method, with a certificate. Both checkers have to
accept the result, and to refuse it with one number changed if it then says what is not
true. Of every mismatch a line is printed; the exit code is 1 if there is one. The same
seed makes the same runs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import atleastk
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.pair_partition import check
from atleastk.solvers.budget import Budget
from atleastk.solvers.pair_partition.methods import METHODS, solve
from atleastk.solvers.search import Search
from scripts import second_checker
from scripts.sweeps.drawn_pairs import pair_fields

Document = Mapping[str, Any]
Pairs = Mapping[tuple[int, int], int]


def best_cost(document: Document) -> int | None:
    """Return the least cost of all partitions, None if none is a solution."""
    points = document.get("points")
    n = document["items"] if points is None else len(points)
    low, high = document.get("groups") or (0, n)
    pairs = _pairs(document)
    of_first: list[list[tuple[frozenset[int], int]]] = [[] for _ in range(n)]
    for size in range(document["k"], n + 1):
        for group in combinations(range(n), size):
            if _is_group(document, pairs, group):
                price = _price(document, pairs, group)
                of_first[group[0]].append((frozenset(group), price))

    def totals(left: frozenset[int], most: int) -> Iterator[int]:
        """Yield what partitions of the items left cost, of `most` groups or fewer."""
        if not left:
            if high - most >= low:
                yield 0
        elif most:
            for group, price in of_first[min(left)]:
                if group <= left:
                    yield from (price + rest for rest in totals(left - group, most - 1))

    return min(totals(frozenset(range(n)), high), default=None)


def _pairs(document: Document) -> Pairs:
    points = document.get("points")
    if points is None:
        return {(min(i, j), max(i, j)): c for i, j, c in document.get("costs") or ()}
    return {
        (i, j): sum((x - y) ** 2 for x, y in zip(points[i], points[j], strict=True))
        for i, j in combinations(range(len(points)), 2)
    }


def _price(document: Document, pairs: Pairs, group: Sequence[int]) -> int:
    paid = sum(pairs.get(pair, 0) for pair in combinations(group, 2))
    return paid // len(group) if document.get("objective") == "squares" else paid


def _is_group(document: Document, pairs: Pairs, group: Sequence[int]) -> bool:
    """Tell whether a set of k items or more has all that is asked of a group."""
    held = set(group)
    for asked in document.get("require") or ():
        of, most = asked["of"], asked.get("at_most")
        numbers = [1 if of == "items" else of[item] for item in group]
        totals = (
            [sum(numbers)]
            if of == "items" or isinstance(of[0], int)
            else [numbers.count(word) for word in {*of}]
        )
        if min(totals) < (asked.get("at_least") or 0):
            return False
        if most is not None and max(totals) > most:
            return False
    shares = [(held & {*some}, {*some}) for some in document.get("together") or ()]
    return (
        all(share in (set(), whole) for share, whole in shares)
        and all(len(held & {*some}) <= 1 for some in document.get("apart") or ())
        and not (document.get("connected") and _falls_apart(pairs, held))
    )


def _falls_apart(pairs: Pairs, held: set[int]) -> bool:
    reached, before = {min(held)}, 0
    while len(reached) > before:
        before = len(reached)
        for pair in pairs:
            if held.issuperset(pair) and not reached.isdisjoint(pair):
                reached |= {*pair}
    return reached != held


def mismatches(seed: int) -> Iterator[str]:
    """Draw an instance, solve it in some way, and yield what does not hold."""
    rng = random.Random(seed)
    fields = pair_fields(rng, rng.randint(0, 8))
    try:
        instance = PairPartition(**fields)
    except atleastk.InvalidInstanceError:  # pairs that are too dear, say
        return
    document = json.loads(json.dumps(instance.to_dict()))
    best = best_cost(document)
    ways = [m.name for m in METHODS if m.refuses(instance) is None]
    if "groups" in ways:  # else the stages go on searching until they are told to end
        ways += ["stages", "stages"]
    way = rng.choice(["auto", "auto", *ways])
    if way == "stages":
        search = Search(instance, check, Budget(seed=seed))
        solve(search)
        if (search.cost, search.closed) != (best, True):
            yield f"stages: {search.cost}, where {best} is best"
        return
    try:
        result = atleastk.solve(
            instance, method=way, certify=True, seed=seed, workers=1
        )
    except atleastk.NotApplicableError:  # numbers beyond those of its solver
        return
    proved = "INFEASIBLE" if best is None else "OPTIMAL"
    if (result.cost, result.status) != (best, proved):
        yield f"{way}: {result.cost} {result.status}, where {best} is best"
    written = json.loads(result.to_json())
    if not all(verdicts := _verdicts(instance, document, written)):
        yield f"{way}: the checkers say {verdicts}"
    for broken in _tampered(written, best, rng):
        if any(verdicts := _verdicts(instance, document, broken)):
            yield f"{way}: the checkers say {verdicts} of {broken}"


def _verdicts(
    instance: PairPartition, document: dict[str, Any], result: dict[str, Any]
) -> tuple[bool, bool]:
    """Return whether each checker accepts a result."""
    try:
        first = atleastk.check(instance, result).feasible
    except atleastk.AtleastkError:
        first = False
    try:
        second_checker.check(document, result)
    except (*second_checker.ERRORS, second_checker.UnknownError):
        return first, False
    return first, True


def _tampered(
    result: dict[str, Any], best: int | None, rng: random.Random
) -> Iterator[dict[str, Any]]:
    """Yield results that say what is not true, with the certificate that there is."""
    more = rng.randint(1, 3)
    if best is None:
        yield {**result, "status": "OPTIMAL", "cost": 0, "bound": 0, "groups": []}
        return
    yield {**result, "cost": best - more, "bound": best - more}
    yield {**result, "cost": best + more, "bound": best + more}
    if len(result["groups"]) > 1:
        yield {**result, "groups": result["groups"][1:]}
    proof = result.get("certificate")
    if proof is not None:
        unsolved = {**result, "status": "UNKNOWN", "cost": None, "groups": None}
        unsolved |= {"trust": "certified", "certified_bound": None}
        yield {**unsolved, "bound": best + more}
        if proof["kind"] == "weights":
            heavier = [weight + proof["scale"] for weight in proof["weights"]]
            yield {
                **unsolved,
                "bound": best + more,
                "certificate": {**proof, "weights": heavier},
            }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    wrong = 0
    for seed in range(chosen.seed, chosen.seed + chosen.runs):
        for line in mismatches(seed):
            print(f"seed {seed}: {line}", flush=True)
            wrong += 1
    print(f"{chosen.runs} instances, {wrong} mismatches")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
