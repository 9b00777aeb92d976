"""The graph of all reductions: shortest paths, images, and solutions mapped back.

Problems of the suppression family and of atleastk have their usual names, the classics
those of the papers: X3C, MAX 3SP-B, RPT, MAX TP-B, VC-3, PARTITION, 3-PARTITION, 3-SAT,
SET-COVER, 3DM.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final

from atleastk.instances.fields.errors import (
    InvalidInstanceError,
    NotApplicableError,
    UnknownNameError,
    meant,
)
from atleastk.instances.instance import Instance
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.reductions import (
    cellular_clustering,
    connected_partition,
    exact_cover,
    formulas,
    partition,
    r_gather,
    rectangle_tiling,
    set_packing,
    suppression_web,
    three_dimensional_matching,
    three_partition,
    triangle_partition,
    vertex_cover,
)
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.suppression_rules import RULES
from atleastk.instances.suppression import Suppression
from atleastk.models.k_anonymity import cells_of, suppressed
from atleastk.models.results.solution import Solution
from atleastk.models.suppression import (
    SuppressionSolution,
    mask_of,
    solution_of_groups,
    solution_of_mask,
)
from atleastk.packages import nx
from atleastk.runs import registry

REDUCTIONS: Final[tuple[Reduction, ...]] = (
    *exact_cover.REDUCTIONS,
    *triangle_partition.REDUCTIONS,
    *set_packing.REDUCTIONS,
    *vertex_cover.REDUCTIONS,
    *partition.REDUCTIONS,
    *three_partition.REDUCTIONS,
    *r_gather.REDUCTIONS,
    *cellular_clustering.REDUCTIONS,
    *connected_partition.REDUCTIONS,
    *rectangle_tiling.REDUCTIONS,
    *suppression_web.REDUCTIONS,
)
"""All reductions, those from outside of the suppression family first."""

_BY_NAME: Final = {(rule.name, rule.kind): rule for rule in RULES}

SOURCES: Final[Mapping[str, type[Instance]]] = {
    "X3C": exact_cover.ExactCover,
    "MAX 3SP-B": set_packing.SetPacking,
    "RPT": triangle_partition.TrianglePartition,
    "MAX TP-B": triangle_partition.TrianglePacking,
    "VC-3": vertex_cover.CubicVertexCover,
    "PARTITION": partition.Partition,
    "3-PARTITION": three_partition.ThreePartition,
    "3-SAT": formulas.ThreeSat,
    "SET-COVER": cellular_clustering.SetCover,
    "3DM": three_dimensional_matching.ThreeDimensionalMatching,
}
"""The instance classes of problems that occur in reductions only."""


def web_of(reductions: Iterable[Reduction]) -> nx.MultiDiGraph[str]:
    """Return the graph of problems; its edges hold their `Reduction`."""
    web: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for reduction in reductions:
        web.add_edge(reduction.source, reduction.target, reduction=reduction)
    return web


def _spelled(name: str, known: Iterable[str]) -> str:
    """Return the problem of this name, ignoring case."""
    folded = {problem.casefold(): problem for problem in known}
    if name.casefold() in folded:
        return folded[name.casefold()]
    raise UnknownNameError(
        f'no reduction knows a problem "{name}"; {meant(name, folded.values())}'
        "atleastk reduce --list shows all"
    )


def way(source: str, target: str, as_printed: bool = False) -> tuple[Reduction, ...]:
    """Return a shortest path of reductions from one problem to another.

    Of several between two problems the repaired one is taken, or the printed one. Raise
    `UnknownNameError` if no reduction has a problem of this name, and
    `NotApplicableError` if there is no path or, as printed, an undefined reduction.
    """
    web = _web(as_printed)
    source, target = (_spelled(name, web) for name in (source, target))
    if source == target:
        raise NotApplicableError(f"{source}: expected two different problems")
    if not nx.has_path(web, source, target):
        reached = sorted(nx.descendants(web, source)) or ["nothing"]
        raise NotApplicableError(
            f"{source} is not reduced to {target}, but to {', '.join(reached)}"
        )
    stops: Sequence[str] = nx.shortest_path(web, source, target)
    steps = (_best(web, *step) for step in pairwise(stops))
    return tuple(map(_printed, steps) if as_printed else steps)


@cache
def _web(as_printed: bool) -> nx.MultiDiGraph[str]:
    """Return the graph; as printed without our replacements of refuted reductions."""
    return web_of(
        r
        for r in REDUCTIONS
        if not as_printed or not r.repaired or (r.name, r.kind) in _BY_NAME
    )


def _printed(reduction: Reduction) -> Reduction:
    if not reduction.repaired:
        return reduction
    rule = _BY_NAME[reduction.name, reduction.kind]
    return suppression_web.reduction_of(rule, "printed")


def _best(web: nx.MultiDiGraph[str], source: str, target: str) -> Reduction:
    between = [edge["reduction"] for edge in web[source][target].values()]
    best: Reduction = max(between, key=lambda r: (r.repaired, r.kind == "L"))
    return best


def instance_of(problem: str, document: Mapping[str, Any]) -> Instance:
    """Return the instance of `problem` that a JSON object describes."""
    if problem not in SOURCES:
        return registry.instance_from_dict(document)
    kind = SOURCES[problem]
    if document.get("problem", kind.problem) != kind.problem:
        raise InvalidInstanceError(f'problem: {problem} is "{kind.problem}" in files')
    return kind.from_dict(document)


def forward_along(steps: Iterable[Reduction], instance: Instance) -> list[Instance]:
    """Return the instance and its images, one after each step.

    Raise `NotApplicableError` if a hypothesis of a reduction does not hold.
    """
    stops = [instance]
    for step in steps:
        if not step.applies(stops[-1]):
            raise NotApplicableError(f"{step.name} holds only for: {step.hypotheses}")
        stops.append(step.forward(stops[-1]))
    return stops


def back_along(
    steps: Sequence[Reduction], stops: Sequence[Instance], solution: Solution
) -> Any:
    """Map a solution of the last instance back to the first.

    Return a `SuppressionSolution` for the suppression family; None for the answer no.
    """
    held = carried(stops[-1], solution)
    for step, instance in zip(reversed(steps), reversed(stops[:-1]), strict=True):
        held = step.back(instance, held)
        if held is None:
            return None
    first = stops[0]
    if not isinstance(first, Suppression):
        return held
    hidden = mask_of(first, SuppressionSolution((), tuple(sorted(held))))
    return solution_of_mask(first, hidden)


def carried(instance: Instance, solution: Solution) -> Any:
    """Return the part of a solution to map back: suppressed cells, or groups."""
    if isinstance(instance, Suppression):
        if not isinstance(solution, SuppressionSolution):
            solution = solution_of_groups(instance, solution.groups)
        return list(solution.suppressed)
    if isinstance(instance, KAnonymity):
        return list(cells_of(suppressed(instance, solution)))
    return solution.groups
