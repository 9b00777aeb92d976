"""What a result means for its instance, where a cost alone does not say it."""

from __future__ import annotations

from collections.abc import Iterator

from atleastk.anonymizing.report_limits import UNITS, Quantities, counted
from atleastk.instances.clustering import Clustering
from atleastk.instances.generalization import Generalization
from atleastk.instances.instance import Instance
from atleastk.instances.r_gather import RGather
from atleastk.instances.suppression import Suppression
from atleastk.models.clustering import ClusteringSolution
from atleastk.models.generalization import GeneralizationSolution
from atleastk.models.result import Result
from atleastk.models.suppression import SuppressionSolution

__all__ = ["meaning", "told"]


def told(instance: Instance, result: Result) -> str:
    """Return what is printed of a result: its lines, and what they stand for."""
    cost, bound = (meaning(instance, value) for value in (result.cost, result.bound))
    bound = bound.replace("k =", "k <=")
    lines: list[str] = []
    for line in str(result).splitlines():
        label = line[:10].strip()
        more = {"cost": cost, "bound": bound}.get(label, "")
        if label == "groups":
            lines += _details(instance, result)
        lines.append(f"{line}   {more}" if more else line)
    return "\n".join(lines)


def meaning(instance: Instance, cost: int | None) -> str:
    """Return what a cost stands for; nothing where it speaks for itself."""
    if cost is None:
        return ""
    if isinstance(instance, Clustering):
        return _in_units(instance, cost)
    if not isinstance(instance, Suppression):
        return ""
    if instance.minimise == "none":
        return "(nothing is minimised)"
    if instance.minimise == "k":
        return f"(k = {-cost})"
    return f"({UNITS[instance.minimise]})"


def _in_units(instance: Clustering, cost: int) -> str:
    """Tell the radius, or the total, where a cost is counted in other units."""
    if not (instance.squared or instance.any_centre or (instance.scale or 1) > 1):
        return ""
    what = "radius" if isinstance(instance, RGather) else "total"
    return f"({what} {instance.radius(cost):.10g})"


def _details(instance: Instance, result: Result) -> Iterator[str]:
    """Give what was lost of each quantity, the levels of all columns, or outliers."""
    solution = result.solution
    if isinstance(instance, Suppression) and isinstance(solution, SuppressionSolution):
        quantities = Quantities.of(instance, result)
        found = quantities.measures
        yield (
            f"  lost    {counted(found['entries'], 'cell')}, at most "
            f"{found['per_row']} per row and {found['per_column']} per column; "
            f"{counted(found['rows'], 'row')}, {counted(found['columns'], 'column')}"
        )
        if quantities.region is not None:
            yield f"  region  {quantities.place}"
    if isinstance(solution, ClusteringSolution) and solution.outliers:
        yield f"  outliers  {len(solution.outliers)}"
    if (
        isinstance(instance, Generalization)
        and isinstance(solution, GeneralizationSolution)
        and instance.on == "attributes"
    ):
        names = instance.columns or [f"column {j}" for j in range(instance.m)]
        pairs = zip(names, solution.levels[0], strict=True)
        yield f"  levels  {', '.join(f'{name} {level}' for name, level in pairs)}"
