"""The price of a restriction: the optimum with it over the optimum without.

==================  ==================================================================
``connectivity``    parts of a map are connected; without, nodes are items of bins
``order``           groups are intervals of a row; without, the sizes go into bins
``straight-cuts``   tiles come from straight cuts; without, from any boxes
``members``         centres are members of their clusters; without, any input point
``disjointness``    clusters share no points; without, a point may be in several, and
                    each pays for all that it has [Aggarwal10, section 3.1]
``suppression``     cells keep their values or lose them; without, they may be at any
                    level of their hierarchies
==================  ==================================================================

Whatever satisfies the restriction is a solution without it, so that no price is below
1; a pair of optima that says so is a `WrongAnswerError`. Prices are in the unit of
costs: of r-gather of radii.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from statistics import fmean
from typing import Any, Final, NamedTuple

import numpy as np

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.cellular_clustering import CellularClustering
from atleastk.instances.connected_partition import ConnectedPartition
from atleastk.instances.fields.brief import brief
from atleastk.instances.fields.errors import (
    NoAnswerError,
    NotApplicableError,
    UnknownNameError,
    WrongAnswerError,
    known_are,
)
from atleastk.instances.fields.html_table import notebook
from atleastk.instances.files.paths import AnyPath
from atleastk.instances.generalization import Generalization
from atleastk.instances.hierarchies.hierarchy import Hierarchy
from atleastk.instances.instance import Instance
from atleastk.models.results.columns import Kinds
from atleastk.models.results.status import Status
from atleastk.models.wording import counted
from atleastk.packages import Axes
from atleastk.plots.drawing import save
from atleastk.plots.studies import draw_ratios
from atleastk.research.formulating import partition_model, priced_groups
from atleastk.research.studies.at_once import drawn
from atleastk.research.studies.comparing import interval_of
from atleastk.research.studies.ratios import facts, shown
from atleastk.research.tables.tabular import Table, Tabular
from atleastk.runs.api import solve
from atleastk.solvers.backends.highs import Highs
from atleastk.solvers.budget import Budget

Optimum = tuple[Status, int | None]
"""What is known of an optimum, and its cost."""


@dataclass(frozen=True, slots=True)
class Overlapping:
    """Clusters of all points of a few that may share some of them."""

    instance: CellularClustering

    def optimum(self, budget: Budget) -> Optimum:
        """Solve the linear program of all clusters, with covered for partitioned."""
        if self.instance.max_outliers:
            raise NotApplicableError("clusters that share points leave none out here")
        priced, groups, costs = priced_groups(self.instance)
        model = partition_model(priced, groups, costs)
        upper = np.full_like(model.row_upper, len(groups))
        upper[-1] = self.instance.max_clusters or len(groups)
        answer = Highs().minimise(replace(model, row_upper=upper), budget)
        return answer.status, answer.cost


Pair = tuple[Instance, Instance | Overlapping]
"""An instance with a restriction, and without."""


class Price(NamedTuple):
    """What a restriction costs on an instance."""

    instance: Instance
    restricted: int
    free: int
    """`restricted`, `free`: the optima with the restriction and without."""

    @property
    def ratio(self) -> float:
        """The price."""
        return self.instance.ratio(self.restricted, self.free)

    def _repr_html_(self) -> str:
        costs = {"restricted": self.restricted, "free": self.free}
        return facts(f"price {self.ratio:.4f}", self.instance, **costs)


@dataclass(frozen=True)
class Prices(Tabular):
    """The prices of a restriction.

    Attributes
    ----------
    restriction
        Its name.
    each
        The instances with both optima, of those whose optimum without is not 0.
    impossible
        The instances that have a solution only without the restriction.
    left_out
        How many instances have no solution at all, an optimum of 0, or one that was
        not proved.
    """

    restriction: str
    each: Sequence[Price]
    impossible: Sequence[Instance] = ()
    left_out: int = 0

    __repr__ = brief

    @property
    def worst(self) -> Price:
        """The greatest price; `NoAnswerError` if there is none."""
        if not self.each:
            raise NoAnswerError(str(self))
        return max(self.each, key=lambda price: price.ratio)

    @property
    def mean(self) -> float:
        """The mean price; an error without any, as for `worst`."""
        if not self.each:
            raise NoAnswerError(str(self))
        return fmean(price.ratio for price in self.each)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean, by Student's t; None with less than two."""
        return interval_of([price.ratio for price in self.each], 1.0)

    @property
    def dearest(self) -> Sequence[Price]:
        """The prices, the greatest first."""
        return sorted(self.each, key=lambda price: -price.ratio)

    @property
    def table(self) -> Table:
        """The columns of a table with a row for every price, the greatest first."""
        prices = self.dearest
        return {
            "instance": [shown(each.instance) for each in prices],
            "restricted": [each.restricted for each in prices],
            "free": [each.free for each in prices],
            "price": [each.ratio for each in prices],
        }

    def kinds(self, table: Table) -> Kinds:
        """Return the types of the columns."""
        return dict(zip(table, (str, int, int, float), strict=True))

    @property
    def heads(self) -> Sequence[str]:
        """The names of the columns; those that end in ``>`` are flush right."""
        return "instance", f"{self.restriction}>", "free>", "price>"

    @property
    def cells(self) -> Iterator[Sequence[object]]:
        """The cells of the rows of the table."""
        for instance, *costs, ratio in zip(*self.table.values(), strict=True):
            yield instance, *costs, f"{ratio:.4f}"

    def plot(self, path: AnyPath | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the distribution of the prices: the share of instances within each."""
        prices = {self.restriction: [price.ratio for price in self.each]}
        ax = draw_ratios(prices, ax, "optimum with it", "optimum without")
        if path is not None:
            save(ax, Path(path))
        return ax

    def __str__(self) -> str:
        parts = [f"price of {self.restriction}: {counted(len(self.each), 'instance')}"]
        if self.each:
            free = sum(price.restricted == price.free for price in self.each)
            parts.append(f"mean {self.mean:.4f}")
            if self.interval is not None:
                parts[-1] += " ({:.4f} to {:.4f})".format(*self.interval)
            parts.append(f"worst {self.worst.ratio:.4f}")
            parts.append(f"{free} for nothing")
        if self.impossible:
            parts.append(f"{len(self.impossible)} without a solution under it")
        if self.left_out:
            parts.append(f"{self.left_out} left out")
        return ", ".join(parts)

    def _repr_html_(self) -> str:
        return notebook(str(self), self.heads, [*self.cells])


def price(
    restriction: str,
    instances: Iterable[Instance] | Instance | str | PathLike[str],
    *,
    problem: str | None = None,
    seeds: int | Sequence[int] = 20,
    time_limit: float | None = 60.0,
    seed: int = 0,
    **parameters: int | str,
) -> Prices:
    """Return what a restriction costs: the optimum with it over that without.

    Parameters
    ----------
    restriction
        ``connectivity``, ``order``, ``straight-cuts``, ``members``, ``disjointness`` or
        ``suppression``; see :mod:`atleastk.research.pricing`.
    instances
        Instances, a file of them, or the name of a family of generated ones.
    problem
        The problem of a family, if the restriction is of several.
    seeds
        How many instances of a family, or their seeds.
    time_limit
        The seconds that each of both optima may take.
    seed
        The seed of every run.
    parameters
        Parameters of the family; a list stands for each of its values.

    Examples
    --------
    >>> print(atleastk.price("connectivity", "delaunay", n=10, parts=3, seeds=3))
    price of connectivity: 3 instances, mean 1.3107 (1.0000 to 1.9792), worst 1.4706,
    1 for nothing
    """
    problems, pair_of = _restriction_named(restriction)
    found, impossible, left_out = [], [], 0
    for instance in drawn(instances, problem or problems[0], seeds, parameters):
        if instance.problem not in problems:
            raise NotApplicableError(
                f"{restriction} is of {' and '.join(problems)}, not {instance.problem}"
            )
        (status, cost), (without, least) = (
            _optimum(each, time_limit, seed) for each in pair_of(instance)
        )
        if without is not Status.OPTIMAL or not least:
            left_out += 1
        elif status is Status.INFEASIBLE:
            impossible.append(instance)
        elif status is not Status.OPTIMAL or cost is None:
            left_out += 1
        elif cost < least:
            raise WrongAnswerError(
                f"{instance}: {cost} with {restriction}, below {least}"
            )
        else:
            found.append(Price(instance, cost, least))
    return Prices(restriction, found, impossible, left_out)


def problem_of_restriction(restriction: str) -> str:
    """Return the problem of a restriction, the first if it is of several."""
    return _restriction_named(restriction)[0][0]


def _restriction_named(name: str) -> tuple[tuple[str, ...], Callable[[Any], Pair]]:
    if name in RESTRICTIONS:
        return RESTRICTIONS[name]
    known = known_are(name, RESTRICTIONS)
    raise UnknownNameError(f'no restriction is called "{name}"; {known}')


def _optimum(
    each: Instance | Overlapping, time_limit: float | None, seed: int
) -> Optimum:
    if isinstance(each, Overlapping):
        return each.optimum(Budget.checked(time_limit, 1, seed))
    result = solve(each, time_limit=time_limit, workers=1, seed=seed)
    return result.status, result.cost


def _map_and_bins(instance: ConnectedPartition) -> Pair:
    """Leave out nodes of weight 0, which any bin takes."""
    return instance, BinCovering([w for w in instance.weights if w], instance.k)


def _tops_or_levels(instance: Generalization) -> Pair:
    """Leave a value and the top of every chain, at the cost of all levels between."""
    if not instance.is_linear:
        raise NotApplicableError(
            f"{instance.loss}: the price is known of height and precision only"
        )
    levels = zip(instance.weights, instance.heights, strict=True)
    costs = [weight * height or 1 for weight, height in levels]
    flat = [
        Hierarchy(list(dict.fromkeys((chain[0], chain[-1]) for chain in each.chains)))
        if each.height
        else each
        for each in instance.hierarchies
    ]
    restricted = replace(
        instance, hierarchies=flat, loss="height", column_weights=costs
    )
    return restricted, instance


RESTRICTIONS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Any], Pair]]]] = {
    "connectivity": (("connected-partition",), _map_and_bins),
    "order": (
        ("interval-covering",),
        lambda row: (row, BinCovering(row.sizes, row.k, row.objective)),
    ),
    "straight-cuts": (
        ("rectangle-tiling", "rectangle-tiling-grid"),
        lambda one: (replace(one, guillotine=True), replace(one, guillotine=False)),
    ),
    "members": (
        ("r-gather", "cellular-clustering"),
        lambda one: (replace(one, centres="member"), replace(one, centres="input")),
    ),
    "disjointness": (("cellular-clustering",), lambda one: (one, Overlapping(one))),
    "suppression": (("generalization",), _tops_or_levels),
}
"""The restrictions: their problems, and an instance with and without."""
