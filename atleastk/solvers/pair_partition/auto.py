"""Pair partition: the automatic choice of methods; `STAGES`, at the end, lists it.

Good groups come from annealing. Column generation bounds the cost, and closes the gap
by all groups that a better solution may have
(:mod:`~atleastk.solvers.engine.set_partition.closing`). Where costs have both signs,
pairs and triangles bound it better (:mod:`~atleastk.solvers.pair_partition.triangles`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Final

import numpy as np

from atleastk.instances.pair_partition import (
    MOST_PAIRED,
    MOST_TOTAL,
    PairPartition,
)
from atleastk.models.encodings.pair_partition import placed_model
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution
from atleastk.models.results.status import Status
from atleastk.packages import csgraph, sparse
from atleastk.solvers.backends.cp_sat import CpSat
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.mdav import far_groups
from atleastk.solvers.clustering.point_search import VAST
from atleastk.solvers.engine.decision import decided_by
from atleastk.solvers.engine.first_answers import offer_first
from atleastk.solvers.engine.modelled import at_most
from atleastk.solvers.engine.set_partition.closing import Closing
from atleastk.solvers.engine.stages import (
    SideBySide,
    Stage,
    Stages,
    always,
    run_stages,
)
from atleastk.solvers.pair_partition import (
    near_pairs,
    parts,
    point_search,
    runs,
    semidefinite,
    triangles,
    two_groups,
)
from atleastk.solvers.pair_partition.certify import COUNT, QUICK, certificate_of
from atleastk.solvers.pair_partition.first import dealt, first_answers
from atleastk.solvers.pair_partition.halving import in_halves
from atleastk.solvers.pair_partition.local_search import ENDLESS, improve
from atleastk.solvers.pair_partition.point_search import (
    Near,
    coordinates_of,
    near_of,
)
from atleastk.solvers.pair_partition.pricing import (
    MOST_PRICED,
    PairOracle,
    cheapest_sums,
)
from atleastk.solvers.pair_partition.runs import best_runs
from atleastk.solvers.precision import SURE
from atleastk.solvers.search import Search

_MANY: Final = 400
"""Points from which on one worker anneals while groups are priced, and items from which
on in windows some groups at a time are looked for. Not tuned."""

_MOST_NEAR: Final = 10_000
"""Points whose near pairs are a linear program of some seconds. Not tuned."""

_COOLINGS: Final = 21
"""Coolings of the local search where groups are priced afterwards; of points, where
each is twice as long, half as many. Not tuned."""

_MOST_PLACES: Final = 20_000
"""Items times groups of a model of places: 150 pupils in 37 groups, a friend each, took
2 s; 400 in 100 were not placed in 9 s, and the local search finds some of these."""

_MOST_LISTED: Final = 50
"""Items up to which groups are priced with nothing beside, and first where costs have
both signs: the 32 of davis, by modularity, take 3 s so, and 15 s by triangles; the 77
of miserables 2 s by triangles, and are open after 10 s otherwise."""

_LARGE: Final = 8
"""Items of a group from which groups are too many to be priced. Not tuned."""


def solve(search: Search[PairPartition]) -> None:
    """Solve an instance by the best methods known: `--method auto`."""
    run_stages(search, STAGES, _Work(search))


def generate_columns(search: Search[PairPartition]) -> None:
    """Solve by column generation, from whatever the search knows."""
    run_stages(search, COLUMNS, _Work(search))


def refuses_prices(instance: PairPartition) -> str | None:
    """Say why the groups of an instance cannot be priced, or None if they can."""
    return triangles.too_dear(instance) or at_most(MOST_PRICED, "items")(instance)


def begin(search: Search[PairPartition], source: str) -> bool:
    """Report what is known at once; return whether there is more to do."""
    instance = search.instance
    if not instance.counts:
        search.close_infeasible(source, COUNT)
        return False
    offer_first(search, first_answers(instance))
    if not instance.total:
        zero = {"kind": "weights", "scale": 1, "weights": [0] * instance.n, "group": 0}
        few = instance.n <= MOST_PRICED  # more make no matrix, and 0 is known anyway
        search.raise_bound(0, source, zero if few else None)
    return not search.done


class _Work:
    """A search, and how to close its gap once the linear program is solved."""

    closing: Closing[PairPartition] | None = None
    program: triangles.PairProgram | None = None

    def __init__(self, search: Search[PairPartition]) -> None:
        self.search, self.instance = search, search.instance
        self.pool: list[list[int]] = []  # groups that the local search has met
        self.priced = refuses_prices(self.instance) is None
        self.small = self.instance.n <= MOST_PAIRED
        self.points = not point_search.refuses(self.instance)
        self.many = self.points and not self.small

    def bound_by_nearest(self, _: Budget) -> None:
        """Let every item pay for half of its cheapest pairs, in a group of any size.

        Divided by the size for squares; rounding down takes less than 1 a group.
        """
        instance, k = self.instance, self.instance.k
        if not self.small and instance.points is None:
            self.search.raise_bound(instance.least_cost, "nearest")
            return
        if not self.small:
            sure = SURE * float(self.near[0][:, : k - 1].sum()) / 2
            if instance.objective == "squares":
                sure = sure / k - instance.n // k
            self.search.raise_bound(max(0, int(sure)), "nearest")
            return
        most = max(k, instance.most_size) if instance.has_reliefs else k
        sizes = np.arange(k, most + 1)  # costs of at least 0 grow with the size
        paid = cheapest_sums(instance.matrix, most)[:, sizes - 1]
        rounded, shared, scale = 0, np.full(len(sizes), 2), 1
        if instance.objective == "squares":
            rounded, shared = instance.n // k, 2 * sizes
            scale = 2**61 // max(1, instance.total)
        least = int((scale * paid // shared).min(axis=1).sum())
        self.search.raise_bound(-(-least // scale) - rounded, "nearest")

    def bound_by_wishes(self, _: Budget) -> None:
        """Let groups keep few pairs below 0: those of trees, and what closes cycles.

        Of a forest of these pairs, a group of s items has s - 1 at most: all groups
        have n less their number. The others may all be kept.
        """
        instance = self.instance
        wishes = sparse.csr_array(np.triu(np.minimum(instance.matrix, 0)))
        forest = np.rint(csgraph.minimum_spanning_tree(wishes).data).astype(np.int64)
        kept = np.sort(forest)[: instance.n - instance.counts[0]]
        others = int(wishes.sum()) - int(forest.sum())
        self.search.raise_bound(int(kept.sum()) + others, "wishes")

    def bound_by_near_pairs(self, part: Budget) -> None:
        """Bound many points by near pairs, and triangles of these."""
        for bound in near_pairs.bounds(self.instance, part):
            self.search.raise_bound(bound, "near pairs")

    def divide(self, part: Budget) -> None:
        """Offer connected groups that keep their windows."""
        groups = in_halves(self.instance, part)
        if groups is not None:
            self.search.offer(groups, "halving")

    def place(self, part: Budget) -> None:
        """Decide whether there are any groups, whatever they cost."""
        encoding = placed_model(self.instance)
        decision = decided_by(CpSat(), encoding.model, encoding.decode, part)
        if decision.status is Status.INFEASIBLE:
            self.search.close_infeasible("places")
        elif decision.found is not None:
            self.search.offer(decision.found, "places")

    @cached_property
    def parts(self) -> parts.Parts:
        """The search for groups part by part."""
        return parts.Parts(self.search)

    @property
    def has_parts(self) -> bool:
        """Whether that is of use."""
        whole = self.points or self.instance.n <= _MANY
        return not (whole or parts.refuses(self.instance))

    def improve_briefly(self, part: Budget) -> None:
        """Search locally, as long as it is of use: groups are priced afterwards."""
        self.improve(part, _COOLINGS // 2 if self.points else _COOLINGS)

    def close(self, part: Budget) -> None:
        """Solve the linear program over all groups, and list what is left."""
        self.bound(part)
        self.enumerate(part)

    def improve(self, part: Budget, few: int | None = None) -> None:
        """Search locally from the best groups, or such that break windows.

        To the end, or for a few coolings, whose groups are priced afterwards.
        """
        solution = self.search.solution
        if solution is None and self.instance.connected:
            return
        if solution is None or self.is_coarse:
            groups: Sequence[Sequence[int]] = dealt(self.instance)
        else:
            groups = solution.groups
        offer = partial(self.search.offer, source="local search")
        coolings, pool = (ENDLESS, None) if few is None else (few, self.pool)
        if self.points:
            point_search.improve(
                self.instance, groups, part, offer, coolings, pool, self.near
            )
        else:
            listed = [list(group) for group in groups]
            improve(self.instance, listed, part, offer, coolings, pool)

    @cached_property
    def near(self) -> Near:
        """The near points of many points, whose groups are not of equal ones."""
        solution = self.search.solution
        groups = () if solution is None else solution.groups
        return near_of(self.instance, groups, self.search.budget)

    def run(self, _: Budget) -> None:
        """Offer the best runs of one coordinate, and their bound."""
        groups, bound = best_runs(self.instance)
        self.search.offer(groups, "runs")
        self.search.raise_bound(bound, "runs")

    def gather(self, part: Budget) -> None:
        """Offer the groups of MDAV, of many points."""
        found = far_groups(coordinates_of(self.instance), self.instance.k, part)
        self.search.offer(PackedGroups(*found), "mdav")

    def bound_by_triangles(self, part: Budget) -> None:
        """Solve the linear program of pairs and triangles; keep it if it is of use."""
        known = self.search.bound
        program = triangles.bound(self.search, part)
        if self.search.bound != known or not self.has_large_groups:
            self.program = program

    def close_by_triangles(self, part: Budget) -> None:
        """Solve the integer program of pairs and triangles."""
        program = self.program or triangles.PairProgram(self.instance)
        triangles.close(self.search, program, part)

    def bound(self, _: Budget) -> None:
        """Solve the linear program over all groups."""
        search, oracle = self.search, PairOracle(self.instance, self.search.budget)
        closing = Closing(
            search,
            oracle,
            oracle.above,
            "groups",
            lambda groups: Solution.of(groups.members),
            lambda prices, bound: certificate_of(
                self.instance,
                oracle,
                prices,
                bound - oracle.lift,
                search.budget,
                QUICK,
            ),
            oracle.lift,
        )
        if search.solution is not None:
            closing.master.add(oracle.groups_of(search.solution.groups))
        closing.master.add(oracle.groups_of(self.pool))
        if closing.bound():
            self.closing = closing

    def enumerate(self, _: Budget) -> None:
        """List all groups of better solutions."""
        if self.closing is not None:
            self.closing.enumerate()

    @property
    def in_parts(self) -> bool:
        """Whether only some groups at a time are searched, and none are priced.

        Connected ones are cut from trees of all instead, where a matrix holds them.
        """
        trees = self.small and self.instance.connected
        return not (self.priced or trees) and self.has_parts

    @property
    def lacks_parts(self) -> bool:
        """Whether no groups of many items are known that may lie anywhere."""
        unknown = self.search.solution is None or self.is_coarse
        return unknown and not self.instance.connected and self.has_parts

    @property
    def is_coarse(self) -> bool:
        """Whether groups are few though more would cost less, and may lie anywhere."""
        instance, solution = self.instance, self.search.solution
        if solution is None or instance.connected or instance.has_reliefs:
            return False
        return 2 * len(solution.groups) < instance.counts[-1]

    @property
    def is_unconnected(self) -> bool:
        """Whether no groups are known yet that are connected, as they have to be."""
        return self.search.solution is None and self.instance.connected

    @property
    def is_open(self) -> bool:
        """Whether nothing is known of groups that items could be placed in."""
        instance = self.instance
        few = self.small and instance.n * instance.counts[-1] <= _MOST_PLACES
        return few and self.search.solution is None and not instance.connected

    @property
    def has_wishes(self) -> bool:
        """Whether some pairs cost less than nothing, in sums that are counted fast."""
        instance = self.instance
        known = self.small and triangles.too_dear(instance) is None
        return known and instance.has_reliefs and instance.objective == "sum"

    @property
    def has_near_pairs(self) -> bool:
        """Whether there are points of which no groups are priced, not too many."""
        few = self.instance.n <= _MOST_NEAR and self.instance.total <= MOST_TOTAL
        return self.points and not self.priced and few

    @property
    def pairs_up(self) -> bool:
        """Whether a second worker goes on searching while groups are priced."""
        large = self.instance.n >= (_MANY if self.points else _MOST_LISTED)
        return self.priced and large and self.search.budget.workers > 1

    @property
    def prices_alone(self) -> bool:
        """Whether groups are priced with nothing beside."""
        return self.priced and not self.pairs_up

    @property
    def is_mixed(self) -> bool:
        """Whether costs have both signs, and pairs say what they are."""
        pairs = self.instance.has_reliefs and triangles.refuses(self.instance) is None
        return pairs and not self.has_two_groups

    @property
    def is_left(self) -> bool:
        """Whether pairs and triangles have all the time that is left."""
        of_use = self.program is not None or self.search.budget.endless
        return self.is_mixed and of_use

    @property
    def has_large_groups(self) -> bool:
        """Whether groups are too large to be priced, or too many for their wishes."""
        known = semidefinite.refuses(self.instance) is None and not self.has_two_groups
        wishes = self.instance.has_reliefs and self.instance.n > _MOST_LISTED
        return known and (wishes or self.instance.k >= _LARGE)

    @property
    def has_two_groups(self) -> bool:
        """Whether there are two groups at most."""
        return two_groups.refuses(self.instance) is None


COLUMNS: Final[Stages[_Work]] = (
    Stage("linear program", always, None, _Work.bound),
    Stage("listed groups", always, None, _Work.enumerate),
)
"""Column generation alone."""

STAGES: Final[Stages[_Work]] = (
    Stage("at once", always, None, lambda w, _: begin(w.search, "count")),
    Stage("runs", lambda w: not runs.refuses(w.instance), None, _Work.run),
    Stage("parts", lambda w: w.lacks_parts, None, lambda w, part: w.parts.first(part)),
    Stage("nearest", always, None, _Work.bound_by_nearest),
    Stage("wishes", lambda w: w.has_wishes, None, _Work.bound_by_wishes),
    Stage(
        "halving",
        lambda w: w.is_unconnected,
        lambda w: 0.2 if w.small else None,
        _Work.divide,
    ),
    Stage("mdav", lambda w: w.many and w.instance.n <= VAST, 0.3, _Work.gather),
    Stage("near pairs", lambda w: w.has_near_pairs, 0.2, _Work.bound_by_near_pairs),
    Stage(
        "semidefinite",
        lambda w: w.has_large_groups,
        0.2,
        lambda w, part: semidefinite.bound(w.search, part),
    ),
    Stage(
        "triangles",
        lambda w: w.is_mixed,
        lambda w: 0.1 if w.has_large_groups else 0.3,
        _Work.bound_by_triangles,
    ),
    Stage("parts", lambda w: w.in_parts, None, lambda w, part: w.parts.improve(part)),
    Stage("places", lambda w: w.is_open, 0.3, _Work.place),
    Stage("local search", lambda w: w.priced, 0.25, _Work.improve_briefly),
    Stage(
        "local search",
        lambda w: (w.small or w.many) and not w.priced,
        None,
        _Work.improve,
    ),
    Stage(
        "integer triangles",
        lambda w: w.program is not None and w.instance.n > _MOST_LISTED,
        0.6,
        _Work.close_by_triangles,
    ),
    Stage(
        "two groups",
        lambda w: w.has_two_groups,
        0.8,
        lambda w, part: two_groups.close(w.search, part),
    ),
    SideBySide(
        lambda w: w.pairs_up,
        (
            Stage("columns", always, None, _Work.close),
            Stage("local search", always, None, _Work.improve),
        ),
        while_first_runs=True,
    ),
    Stage("linear program", lambda w: w.prices_alone, None, _Work.bound),
    Stage("listed groups", lambda w: w.prices_alone, None, _Work.enumerate),
    Stage("integer triangles", lambda w: w.is_left, None, _Work.close_by_triangles),
    Stage("local search", lambda w: w.prices_alone, None, _Work.improve),
)
"""What is done for more than a few items. Shares are not tuned."""
