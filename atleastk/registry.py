"""The registry: every problem that atleastk knows, and the only place that names them.

Adding a problem means adding its files on every floor and one entry here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.errors import InvalidInstanceError, UnknownNameError
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators import bin_covering as bin_covering_generators
from atleastk.instances.generators import (
    cellular_clustering as cellular_clustering_generators,
)
from atleastk.instances.generators import (
    connected_partition as connected_partition_generators,
)
from atleastk.instances.generators import generalization as generalization_generators
from atleastk.instances.generators import (
    interval_covering as interval_covering_generators,
)
from atleastk.instances.generators import k_ambiguity as k_ambiguity_generators
from atleastk.instances.generators import k_anonymity as k_anonymity_generators
from atleastk.instances.generators import r_gather as r_gather_generators
from atleastk.instances.generators import (
    rectangle_tiling as rectangle_tiling_generators,
)
from atleastk.instances.generators import (
    rectangle_tiling_grid as rectangle_tiling_grid_generators,
)
from atleastk.instances.generators import suppression as suppression_generators
from atleastk.instances.instance import Instance
from atleastk.instances.interval_covering import IntervalCovering
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.r_gather import RGather
from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.instances.rectangle_tiling_grid import RectangleTilingGrid
from atleastk.instances.suppression import Suppression
from atleastk.models import bin_covering as bin_covering_model
from atleastk.models import cellular_clustering as cellular_clustering_model
from atleastk.models import connected_partition as connected_partition_model
from atleastk.models import generalization as generalization_model
from atleastk.models import interval_covering as interval_covering_model
from atleastk.models import k_ambiguity as k_ambiguity_model
from atleastk.models import k_anonymity as k_anonymity_model
from atleastk.models import r_gather as r_gather_model
from atleastk.models import rectangle_tiling as rectangle_tiling_model
from atleastk.models import rectangle_tiling_grid as rectangle_tiling_grid_model
from atleastk.models import suppression as suppression_model
from atleastk.models.certificates import bin_covering as bin_covering_certificates
from atleastk.models.certificates import (
    cellular_clustering as cellular_clustering_certificates,
)
from atleastk.models.certificates import (
    connected_partition as connected_partition_certificates,
)
from atleastk.models.certificates import generalization as generalization_certificates
from atleastk.models.certificates import k_ambiguity as k_ambiguity_certificates
from atleastk.models.certificates import k_anonymity as k_anonymity_certificates
from atleastk.models.certificates import r_gather as r_gather_certificates
from atleastk.models.certificates import (
    rectangle_tiling as rectangle_tiling_certificates,
)
from atleastk.models.certificates import (
    rectangle_tiling_grid as rectangle_tiling_grid_certificates,
)
from atleastk.models.certificates import suppression as suppression_certificates
from atleastk.plots import bin_covering as bin_covering_plot
from atleastk.plots import cellular_clustering as cellular_clustering_plot
from atleastk.plots import connected_partition as connected_partition_plot
from atleastk.plots import generalization as generalization_plot
from atleastk.plots import interval_covering as interval_covering_plot
from atleastk.plots import k_ambiguity as k_ambiguity_plot
from atleastk.plots import k_anonymity as k_anonymity_plot
from atleastk.plots import r_gather as r_gather_plot
from atleastk.plots import rectangle_tiling as rectangle_tiling_plot
from atleastk.plots import rectangle_tiling_grid as rectangle_tiling_grid_plot
from atleastk.plots import suppression as suppression_plot
from atleastk.plots.drawing import Draw
from atleastk.solvers.bin_covering import certify as bin_covering_certify
from atleastk.solvers.bin_covering import methods as bin_covering_solver
from atleastk.solvers.bin_covering.algorithms import (
    catalogue as bin_covering_approximations,
)
from atleastk.solvers.cellular_clustering import certify as cellular_clustering_certify
from atleastk.solvers.cellular_clustering import methods as cellular_clustering_solver
from atleastk.solvers.cellular_clustering.algorithms import (
    catalogue as cellular_clustering_approximations,
)
from atleastk.solvers.connected_partition import certify as connected_partition_certify
from atleastk.solvers.connected_partition import methods as connected_partition_solver
from atleastk.solvers.connected_partition.algorithms import (
    catalogue as connected_partition_approximations,
)
from atleastk.solvers.generalization import certify as generalization_certify
from atleastk.solvers.generalization import methods as generalization_solver
from atleastk.solvers.generalization.algorithms import (
    catalogue as generalization_approximations,
)
from atleastk.solvers.interval_covering import methods as interval_covering_solver
from atleastk.solvers.k_ambiguity import methods as k_ambiguity_solver
from atleastk.solvers.k_ambiguity.algorithms import (
    catalogue as k_ambiguity_approximations,
)
from atleastk.solvers.k_anonymity import certify as k_anonymity_certify
from atleastk.solvers.k_anonymity import methods as k_anonymity_solver
from atleastk.solvers.k_anonymity.algorithms import (
    catalogue as k_anonymity_approximations,
)
from atleastk.solvers.method import Algorithm, Family, Method, Problem
from atleastk.solvers.r_gather import certify as r_gather_certify
from atleastk.solvers.r_gather import methods as r_gather_solver
from atleastk.solvers.r_gather.algorithms import catalogue as r_gather_approximations
from atleastk.solvers.rectangle_tiling import certify as rectangle_tiling_certify
from atleastk.solvers.rectangle_tiling import methods as rectangle_tiling_solver
from atleastk.solvers.rectangle_tiling.algorithms import (
    catalogue as rectangle_tiling_approximations,
)
from atleastk.solvers.rectangle_tiling_grid import (
    certify as rectangle_tiling_grid_certify,
)
from atleastk.solvers.rectangle_tiling_grid import (
    methods as rectangle_tiling_grid_solver,
)
from atleastk.solvers.rectangle_tiling_grid.algorithms import (
    catalogue as rectangle_tiling_grid_approximations,
)
from atleastk.solvers.suppression import methods as suppression_solver
from atleastk.solvers.suppression.algorithms import (
    catalogue as suppression_approximations,
)

__all__ = [
    "DRAWINGS",
    "PROBLEMS",
    "algorithm_named",
    "drawing_of",
    "family_named",
    "instance_from_dict",
    "method_named",
    "problem_named",
    "problem_of",
]

T = TypeVar("T")

PROBLEMS: Mapping[str, Problem[Any]] = {
    problem.name: problem
    for problem in (
        Problem(
            instance=BinCovering,
            question="Partition sizes into bins of level >= k, the fullest bin least",
            check=bin_covering_model.check,
            check_certificate=bin_covering_certificates.check_certificate,
            certify=bin_covering_certify.certify,
            solve=bin_covering_solver.solve,
            methods=bin_covering_solver.METHODS,
            algorithms=bin_covering_approximations.ALGORITHMS,
            families=bin_covering_generators.FAMILIES,
        ),
        Problem(
            instance=IntervalCovering,
            question="Partition a row of sizes into intervals of level >= k, likewise",
            check=interval_covering_model.check,
            check_certificate=interval_covering_model.check_certificate,
            solve=interval_covering_solver.solve,
            methods=interval_covering_solver.METHODS,
            algorithms=interval_covering_solver.ALGORITHMS,
            families=interval_covering_generators.FAMILIES,
        ),
        Problem(
            instance=KAnonymity,
            question="Suppress the fewest cells so that k rows at a time look the same",
            check=k_anonymity_model.check,
            check_certificate=k_anonymity_certificates.check_certificate,
            certify=k_anonymity_certify.certify,
            solve=k_anonymity_solver.solve,
            methods=k_anonymity_solver.METHODS,
            algorithms=k_anonymity_approximations.ALGORITHMS,
            families=k_anonymity_generators.FAMILIES,
        ),
        Problem(
            instance=Suppression,
            question="Suppress within limits on cells, rows, columns; lose the least",
            check=suppression_model.check,
            check_certificate=suppression_certificates.check_certificate,
            solve=suppression_solver.solve,
            methods=suppression_solver.METHODS,
            algorithms=suppression_approximations.ALGORITHMS,
            families=suppression_generators.FAMILIES,
        ),
        Problem(
            instance=Generalization,
            question="Generalise cells so that k rows at a time look the same",
            check=generalization_model.check,
            check_certificate=generalization_certificates.check_certificate,
            certify=generalization_certify.certify,
            solve=generalization_solver.solve,
            methods=generalization_solver.METHODS,
            algorithms=generalization_approximations.ALGORITHMS,
            families=generalization_generators.FAMILIES,
        ),
        Problem(
            instance=KAmbiguity,
            question="Suppress the fewest cells so that every row may be k - 1 others",
            check=k_ambiguity_model.check,
            check_certificate=k_ambiguity_certificates.check_certificate,
            solve=k_ambiguity_solver.solve,
            methods=k_ambiguity_solver.METHODS,
            algorithms=k_ambiguity_approximations.ALGORITHMS,
            families=k_ambiguity_generators.FAMILIES,
        ),
        Problem(
            instance=RGather,
            question="Cluster points, at least r together, the greatest radius least",
            check=r_gather_model.check,
            check_certificate=r_gather_certificates.check_certificate,
            solve=r_gather_solver.solve,
            methods=r_gather_solver.METHODS,
            algorithms=r_gather_approximations.ALGORITHMS,
            families=r_gather_generators.FAMILIES,
            certify=r_gather_certify.certify,
        ),
        Problem(
            instance=CellularClustering,
            question="Cluster points, the sum of size times radius least",
            check=cellular_clustering_model.check,
            check_certificate=cellular_clustering_certificates.check_certificate,
            solve=cellular_clustering_solver.solve,
            methods=cellular_clustering_solver.METHODS,
            algorithms=cellular_clustering_approximations.ALGORITHMS,
            families=cellular_clustering_generators.FAMILIES,
            certify=cellular_clustering_certify.certify,
        ),
        Problem(
            instance=ConnectedPartition,
            question="Partition a graph into connected parts >= k, the heaviest least",
            check=connected_partition_model.check,
            check_certificate=connected_partition_certificates.check_certificate,
            solve=connected_partition_solver.solve,
            methods=connected_partition_solver.METHODS,
            algorithms=connected_partition_approximations.ALGORITHMS,
            families=connected_partition_generators.FAMILIES,
            certify=connected_partition_certify.certify,
        ),
        Problem(
            instance=RectangleTiling,
            question="Tile the plane with rectangles >= k, the heaviest least",
            check=rectangle_tiling_model.check,
            check_certificate=rectangle_tiling_certificates.check_certificate,
            solve=rectangle_tiling_solver.solve,
            methods=rectangle_tiling_solver.METHODS,
            algorithms=rectangle_tiling_approximations.ALGORITHMS,
            families=rectangle_tiling_generators.FAMILIES,
            certify=rectangle_tiling_certify.certify,
        ),
        Problem(
            instance=RectangleTilingGrid,
            question="Tile a grid with at most p rectangles, the heaviest least",
            check=rectangle_tiling_grid_model.check,
            check_certificate=rectangle_tiling_grid_certificates.check_certificate,
            solve=rectangle_tiling_grid_solver.solve,
            methods=rectangle_tiling_grid_solver.METHODS,
            algorithms=rectangle_tiling_grid_approximations.ALGORITHMS,
            families=rectangle_tiling_grid_generators.FAMILIES,
            certify=rectangle_tiling_grid_certify.certify,
        ),
    )
}
"""Every problem by its name."""

DRAWINGS: Mapping[str, Draw] = {
    "bin-covering": bin_covering_plot.draw,
    "interval-covering": interval_covering_plot.draw,
    "k-anonymity": k_anonymity_plot.draw,
    "k-ambiguity": k_ambiguity_plot.draw,
    "generalization": generalization_plot.draw,
    "r-gather": r_gather_plot.draw,
    "cellular-clustering": cellular_clustering_plot.draw,
    "connected-partition": connected_partition_plot.draw,
    "rectangle-tiling": rectangle_tiling_plot.draw,
    "rectangle-tiling-grid": rectangle_tiling_grid_plot.draw,
    "suppression": suppression_plot.draw,
}
"""How the solutions of a problem are drawn."""


def problem_named(name: str) -> Problem[Any]:
    """Return the problem of this name."""
    return _named(PROBLEMS, name, "problem")


def problem_of(instance: object) -> Problem[Any]:
    """Return the problem that an instance belongs to."""
    if not isinstance(instance, Instance):
        message = f"expected an instance, got {type(instance).__name__}"
        raise TypeError(message)
    return problem_named(instance.problem)


def drawing_of(instance: Instance) -> Draw:
    """Return how solutions of an instance are drawn."""
    return _named(DRAWINGS, instance.problem, "drawing")


def method_named(problem: Problem[Any], name: str) -> Method[Any]:
    """Return the exact method of this name."""
    known = {method.name: method for method in problem.methods}
    return _named(known, name, f"method of {problem.name}", ["auto"])


def algorithm_named(problem: Problem[Any], name: str) -> Algorithm[Any]:
    """Return the approximation algorithm of this name."""
    known = {algorithm.name: algorithm for algorithm in problem.algorithms}
    return _named(known, name, f"algorithm of {problem.name}")


def family_named(problem: Problem[Any], name: str) -> Family[Any]:
    """Return the family of generated instances of this name."""
    known = {family.name: family for family in problem.families}
    return _named(known, name, f"family of {problem.name}")


def instance_from_dict(data: object) -> Instance:
    """Build an instance from its JSON object, whose field ``problem`` says of what."""
    if not isinstance(data, Mapping):
        message = f"expected an object with fields, got {type(data).__name__}"
        raise InvalidInstanceError(message)
    if "problem" not in data:
        message = f"problem: missing; known are {', '.join(PROBLEMS)}"
        raise InvalidInstanceError(message)
    name = data["problem"]
    if not isinstance(name, str):
        message = f"problem: expected a name, got {type(name).__name__}"
        raise InvalidInstanceError(message)
    try:
        kind: type[Instance] = problem_named(name).instance
        return kind.from_dict(data)
    except UnknownNameError as error:
        message = f"problem: {error}"
        raise InvalidInstanceError(message) from error
    except RecursionError as error:
        message = "nested too deeply"
        raise InvalidInstanceError(message) from error


def _named(
    known: Mapping[str, T], name: object, what: str, more: Iterable[str] = ()
) -> T:
    names = [*more, *known]
    if not isinstance(name, str):
        kind = type(name).__name__
        message = (
            f"expected the name of a {what}, got {kind}; known: {', '.join(names)}"
        )
        raise UnknownNameError(message)
    if name in known:
        return known[name]
    close = get_close_matches(name, names, n=1)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    message = f'no {what} is called "{name}"; {hint}known are {", ".join(names)}'
    raise UnknownNameError(message)
