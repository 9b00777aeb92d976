"""The web of all reductions: which there are, ways through it, and there and back.

Problems of the suppression family go by their names there, others of atleastk by
theirs, and the classics by those of the papers: X3C, MAX 3SP-B, RPT, MAX TP-B, VC-3,
PARTITION, 3-PARTITION, 3-SAT, SET-COVER, 3DM.
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
    r_gather,
    rectangle_tiling,
    set_packing,
    suppression_web,
    three_dimensional_matching,
    triangle_partition,
    vertex_cover,
    weights,
)
from atleastk.instances.reductions.reduction import Reduction
from atleastk.instances.reductions.suppression_rules import RULES
from atleastk.instances.suppression import Suppression
from atleastk.models import k_anonymity as k_anonymity_model
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
    *weights.REDUCTIONS,
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
    "PARTITION": weights.Partition,
    "3-PARTITION": weights.ThreePartition,
    "3-SAT": formulas.ThreeSat,
    "SET-COVER": cellular_clustering.SetCover,
    "3DM": three_dimensional_matching.ThreeDimensionalMatching,
}
"""The instances of the problems that only reductions know."""


def web_of(reductions: Iterable[Reduction]) -> nx.MultiDiGraph[str]:
    """Return the graph of problems; its edges hold their `Reduction`."""
    web: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for reduction in reductions:
        web.add_edge(reduction.source, reduction.target, reduction=reduction)
    return web


def _spelled(name: str, known: Iterable[str]) -> str:
    """Return the problem of this name, however its letters are written."""
    folded = {problem.casefold(): problem for problem in known}
    if name.casefold() in folded:
        return folded[name.casefold()]
    raise UnknownNameError(
        f'no reduction knows a problem "{name}"; {meant(name, folded.values())}'
        "atleastk reduce --list shows all"
    )


def way(source: str, target: str, as_printed: bool = False) -> tuple[Reduction, ...]:
    """Return the fewest reductions that lead from one problem to another.

    Of several between two problems the repaired one is taken, or the printed one.

    Raises
    ------
    UnknownNameError
        If no reduction is from, or to, a problem of this name.
    NotApplicableError
        If none lead there; or, as printed, one of them is not well-defined.
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
    """Return the web; as printed without what replaces refuted reductions."""
    return web_of(r for r in REDUCTIONS if not as_printed or _in_a_text(r))


def _in_a_text(reduction: Reduction) -> bool:
    return not reduction.repaired or (reduction.name, reduction.kind) in _BY_NAME


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
    """Return the instance that a JSON object holds, which must be one of `problem`."""
    if problem not in SOURCES:
        return registry.instance_from_dict(document)
    kind = SOURCES[problem]
    if document.get("problem", kind.problem) != kind.problem:
        raise InvalidInstanceError(f'problem: {problem} is "{kind.problem}" in files')
    return kind.from_dict(document)


def forward_along(steps: Iterable[Reduction], instance: Instance) -> list[Instance]:
    """Return the instance and its images, one after each step.

    Raise `NotApplicableError` if a reduction does not hold for what it is given.
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
    """Return what a solution of the last stop is for the first, as its problem has it.

    That is a `SuppressionSolution` for the family; None where the solution says no.
    """
    carried = _carried(stops[-1], solution)
    for step, instance in zip(reversed(steps), reversed(stops[:-1]), strict=True):
        carried = step.back(instance, carried)
        if carried is None:
            return None
    first = stops[0]
    if not isinstance(first, Suppression):
        return carried
    cells = tuple(sorted(carried))
    hidden = mask_of(first, SuppressionSolution((), cells))
    return solution_of_mask(first, hidden)


def _carried(instance: Instance, solution: Solution) -> Any:
    """Return of a solution what reductions map back: suppressed cells, or groups."""
    if isinstance(instance, Suppression):
        return _cells_of(instance, solution)
    if isinstance(instance, KAnonymity):
        return _cells_suppressed(instance, solution)
    return solution.groups


def _cells_of(instance: Suppression, solution: Solution) -> list[tuple[int, int]]:
    if not isinstance(solution, SuppressionSolution):
        solution = solution_of_groups(instance, solution.groups)
    return list(solution.suppressed)


def _cells_suppressed(
    instance: KAnonymity, solution: Solution
) -> list[tuple[int, int]]:
    rows, columns = k_anonymity_model.suppressed(instance, solution).nonzero()
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
