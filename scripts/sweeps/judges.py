"""Judges: the optimum of a small instance, and what a solution costs, by definition.

They import nothing of the package. Instances and solutions are the JSON objects of its
files, numbers are integers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from scripts.sweeps import boxes, tables
from scripts.sweeps.metrics import distances_of
from scripts.sweeps.partitions import Document, Group, Groups, grouped, least


class Judge(NamedTuple):
    """What is true of an instance.

    Attributes
    ----------
    best
        The least cost; None if there is no solution.
    cost
        What the solution in a result's JSON object costs; None if it is none.
    """

    best: int | None
    cost: Callable[[Document], int | None]


_memory: dict[str, Judge] = {}
_MOST = 64
"""So many judges are kept."""


def judge_of(document: Document) -> Judge:
    """Return what is true of an instance."""
    key = json.dumps(document, sort_keys=True)
    if key not in _memory:
        while len(_memory) >= _MOST:
            del _memory[next(iter(_memory))]
        _memory[key] = Judge(_best_of(document), cost_of(document))
    return _memory[key]


def cost_of(document: Document) -> Callable[[Document], int | None]:
    """Return what solutions of an instance of any size cost; None if they are none."""
    match document["problem"]:
        case "rectangle-tiling":
            return partial(boxes.tiling_cost, document)
        case "rectangle-tiling-grid":
            return partial(boxes.grid_cost, document)
        case "k-ambiguity":
            return partial(tables.ambiguity_cost, document)
        case "suppression":
            return partial(tables.suppression_cost, document)
        case "generalization" | "diversity" if document.get("on") == "attributes":
            return partial(tables.lattice_cost, document)
        case "generalization" | "diversity":
            return partial(tables.levels_cost, document)
    return partial(grouped, _groups_of(document))


def _best_of(document: Document) -> int | None:
    match document["problem"]:
        case "rectangle-tiling":
            return boxes.least_tiling(document)
        case "rectangle-tiling-grid":
            return boxes.least_grid(document)
        case "k-ambiguity":
            return tables.least_ambiguity(document)
        case "suppression":
            return tables.least_suppression(document)
        case "generalization" | "diversity" if document.get("on") == "attributes":
            return tables.least_lattice(document)
        case "generalization" | "diversity":
            return least(tables.entries(document))
    return least(_groups_of(document))


def _groups_of(document: Document) -> Groups:
    match document["problem"]:
        case "bin-covering":
            return _covering(document)
        case "interval-covering":
            return _covering(document, intervals=True)
        case "connected-partition":
            return _parts(document)
        case "k-anonymity":
            return tables.anonymity(document)
    return _clusters(document)


def _covering(document: Document, intervals: bool = False) -> Groups:
    sizes: list[int] = document["sizes"]
    k: int = document["k"]
    objective = document.get("objective", "max")

    def cost(group: Group, _centre: int | None) -> int | None:
        level = sum(sizes[i] for i in group)
        if level < k or (intervals and max(group) - min(group) >= len(group)):
            return None
        match objective:
            case "excess":
                return level - k
            case "quadratic":
                return level * (level - k)
        return level

    return Groups(len(sizes), cost, sums=objective != "max")


def _parts(document: Document) -> Groups:
    weights, k = document["weights"], document["k"]
    joined = {(u, v) for u, v in document["edges"]}
    joined |= {(v, u) for u, v in joined}

    def cost(group: Group, _centre: int | None) -> int | None:
        reached, pending = {group[0]}, [group[0]]
        while pending:
            u = pending.pop()
            more = {v for v in group if (u, v) in joined} - reached
            reached |= more
            pending += more
        weight = sum(weights[i] for i in group)
        return weight if weight >= k and len(reached) == len(group) else None

    return Groups(len(weights), cost)


def _clusters(document: Document) -> Groups:
    distances = distances_of(document)
    n, r = len(distances), document.get("r", 1)
    reading = document.get("centres", "input")
    cellular = document["problem"] == "cellular-clustering"
    fees = document.get("facility_costs") or [0] * n

    def about(group: Group, centre: int) -> int | None:
        lengths = [distances[centre][i] for i in group]
        known = [length for length in lengths if length is not None]
        if len(known) < len(group):
            return None
        return fees[centre] + len(group) * max(known) if cellular else max(known)

    def cost(group: Group, centre: int | None) -> int | None:
        if len(group) < r:
            return None
        if reading == "any":
            widths = [about(group, i) for i in group]
            known = [width for width in widths if width is not None]
            return max(known) if len(known) == len(group) else None
        places = group if reading == "member" else range(n)
        if centre is not None:
            return about(group, centre) if centre in places else None
        found = [about(group, place) for place in places]
        return min((x for x in found if x is not None), default=None)

    return Groups(
        n,
        cost,
        sums=cellular,
        most_groups=document.get("max_clusters"),
        most_left=document.get("max_outliers", 0),
    )
