"""Pair partition: more items than a matrix of pairs holds, some groups at a time.

The items of some groups are an instance of their own, with the windows of the whole:
what is cheaper there is cheaper in all, since costs add up. Of the limits on the number
of groups they have what the others leave.

The first groups are those of runs of near items. A run in which none are found is
joined with the next. Later parts are groups that are near each other, cut anew in every
round, and each round takes four times as long as the one before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any, Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.pair_partition import MOST_PAIRED, PairPartition
from atleastk.models.results.packed_groups import PackedGroups
from atleastk.models.results.solution import Solution, labels_of
from atleastk.packages import csgraph, sparse
from atleastk.solvers.budget import Budget
from atleastk.solvers.clustering.blocks import halved
from atleastk.solvers.engine.stages import MORE
from atleastk.solvers.pair_partition.first import dealt, merged
from atleastk.solvers.pair_partition.local_search import cost_of, improve
from atleastk.solvers.pair_partition.pricing import together_classes
from atleastk.solvers.search import Search

_ITEMS: Final = 120
_GROUPS: Final = 4
"""Items of a part, and groups that it has in any case. Not tuned."""

_ROUNDS: Final = 30
"""Moves an item in the first round. Not tuned."""

_TRIES: Final = (_ROUNDS, 10 * _ROUNDS)
"""The same of one try after the other to find groups of a run. Not tuned."""

_COOLINGS: Final = 3
"""Coolings at most in a try: what is broken gets dearer in each. Not tuned."""

_TOLD: Final = 1.0
"""Seconds after which what is better is told before a round has ended."""


def refuses(instance: PairPartition) -> bool:
    """Return whether two groups are too large for a matrix of pairs."""
    return 2 * _size(instance) > MOST_PAIRED


def _size(instance: PairPartition) -> int:
    """Return how many items a group has, if there are as many as can be."""
    most = instance.counts[-1] if instance.counts else 1
    return -(-instance.n // most)


class Parts:
    """The search for groups, part by part."""

    def __init__(self, search: Search[PairPartition]) -> None:
        self.search, self.instance = search, search.instance
        instance = search.instance
        self._counts = instance.counts
        self._rng = np.random.default_rng(search.budget.seed)
        self._amounts = np.array([q.amounts for q in instance.quantities])
        n, edges = instance.n, [(*edge, 1) for edge in instance.edges or ()]
        self._costs = _upper(n, instance.costs or ())
        self._links = self._costs if instance.edges is None else _upper(n, edges)
        self._lists = {
            name: _Lists(getattr(instance, name) or ())
            for name in ("together", "apart")
        }

    def first(self, budget: Budget) -> None:
        """Offer groups of runs of items, in which all that is asked for holds."""
        n, counts = self.instance.n, self._counts
        order, ends = self._runs()
        found: list[tuple[int, list[IntArray]]] = []  # where a run begins; its groups
        begin = made = 0
        for end in ends:
            some = None
            while some is None and end - begin <= MOST_PAIRED and not budget.spent:
                least, most = (limit * end // n for limit in (counts[0], counts[-1]))
                items = np.sort(order[begin:end])
                some = self._dealt(items, max(1, least - made), most - made, budget)
                if some is None and (end < n or not found):
                    break
                if some is None:  # the last run joins those before it
                    begin, last = found.pop()
                    made -= len(last)
            if some is not None:
                found.append((begin, some))
                begin, made = end, made + len(some)
        if begin == n:
            self._offer([group for _, some in found for group in some])
        else:
            self.search.remark("of some near items no groups keep all windows")

    def improve(self, budget: Budget) -> None:
        """Offer better groups, round by round."""
        solution = self.search.solution
        groups = [] if solution is None else [np.array(g) for g in solution.groups]
        for again in count() if groups else ():
            told, kept, held = self.search.seconds, groups.copy(), len(groups)
            for part in self._order(groups):
                others = held - len(part)
                least, most = (self._counts[end] - others for end in (0, -1))
                some, limits = [kept[place] for place in part], (max(1, least), most)
                made = self._improved(some, limits, _ROUNDS * MORE**again, budget)
                held = others + len(made)
                for place, group in zip(part, made, strict=False):
                    kept[place] = group
                kept += made[len(part) :]
                for place in part[len(made) :]:
                    kept[place] = kept[place][:0]
                if self.search.seconds - told > _TOLD or budget.spent:
                    self._offer(kept)
                    told = self.search.seconds
                if budget.spent:
                    return
            groups = [group for group in kept if len(group)]
            self._offer(groups)

    def _dealt(
        self, items: IntArray, least: int, most: int, budget: Budget
    ) -> list[IntArray] | None:
        """Return groups of some items, as many as can be or fewer; None without any."""
        for rounds in _TRIES:
            part = self._part(items, (least, most)) if least <= most else None
            if part is None or not part.counts:
                return None
            found = _annealed(part, dealt(part), items, rounds, budget)
            if found is not None:
                return found
            most = (part.counts[0] + part.counts[-1]) // 2
        return None

    def _offer(self, groups: Sequence[IntArray]) -> None:
        found = PackedGroups.of([group.tolist() for group in groups if len(group)])
        self.search.offer(Solution.of(found), "parts")

    def _runs(self) -> tuple[IntArray, list[int]]:
        """Return the items, near ones after each other, and where runs end."""
        instance = self.instance
        n, order = instance.n, np.arange(instance.n)
        if instance.points is not None and instance.places.shape[1]:
            order = halved(instance.places.astype(np.float64), instance.k)[0]
        rank = np.empty(n, dtype=np.int64)
        rank[order] = np.arange(n)
        classes = rank[together_classes(instance)]
        order = order[np.argsort(classes[order], kind="stable")]
        cuts = np.flatnonzero(np.diff(classes[order])) + 1
        wanted = np.arange(1, n // self._items) * self._items
        at = np.searchsorted(cuts, wanted)
        return order, [*np.unique(cuts[at[at < len(cuts)]]).tolist(), n]

    @property
    def _items(self) -> int:
        return max(_ITEMS, _GROUPS * _size(self.instance))

    def _order(self, groups: Sequence[IntArray]) -> Iterator[list[int]]:
        """Yield the places of groups near each other, other ones in every round."""
        instance, held = self.instance, PackedGroups.of([*map(list, groups)])
        per = max(2, min(_ITEMS * len(groups) // instance.n, len(groups)))
        if instance.points is not None:
            sums = np.array([held.sums(axis) for axis in instance.places.T]).T
            turned = np.linalg.qr(self._rng.normal(size=(sums.shape[1],) * 2))[0]
            order, starts = halved(sums / held.sizes[:, None] @ turned, per)
            starts = starts[1:-1]
        else:
            home, pairs = labels_of(held, instance.n), self._links.tocoo()
            ends = home[pairs.row], home[pairs.col], np.ones(pairs.nnz, dtype=np.int64)
            beside = _upper(len(groups), np.array(ends).T)
            first = int(self._rng.integers(len(groups)))
            near = csgraph.breadth_first_order(beside, first, False, False)
            order = np.append(near, np.setdiff1d(np.arange(len(groups)), near))
            starts = np.arange(per, len(groups), per)
        yield from (some.tolist() for some in np.split(order, starts))

    def _improved(
        self,
        some: list[IntArray],
        limits: tuple[int, int],
        rounds: int,
        budget: Budget,
    ) -> list[IntArray]:
        """Return groups in place of some, which may be more or fewer."""
        items = np.sort(np.concatenate(some))
        own = self._part(items, limits) if len(items) <= MOST_PAIRED else None
        if own is None:
            return some
        local = [np.searchsorted(items, group).tolist() for group in some]
        return _annealed(own, local, items, rounds, budget) or some

    def _part(self, items: IntArray, groups: tuple[int, int]) -> PairPartition | None:
        """Return what items, sorted, are; None if that cannot be."""
        whole = self.instance
        asked: dict[str, Any] = {"k": whole.k, "objective": whole.objective}
        asked |= {"connected": whole.connected, "groups": groups}
        if whole.points is None:
            asked |= {"items": len(items), "costs": _inside(self._costs, items)}
        else:
            asked["points"] = whole.places[items].tolist()
        if whole.edges is not None:
            asked["edges"] = [pair[:2] for pair in _inside(self._links, items)]
        if len(self._amounts):
            asked["require"] = [*self._required(self._amounts[:, items].tolist())]
        asked |= {name: lists.inside(items) for name, lists in self._lists.items()}
        try:
            return PairPartition(**asked)
        except InvalidInstanceError:  # windows that no group of these items keeps
            return None

    def _required(self, held: list[list[int]]) -> Iterator[dict[str, Any]]:
        for quantity, amounts in zip(self.instance.quantities, held, strict=True):
            if any(amounts) or not quantity.low <= 0 <= quantity.high:
                of = "items" if quantity.name == "items" else amounts
                least = quantity.least
                if least is not None and min(amounts) >= 0:
                    least = max(0, least)  # what is below 0 is refused there
                yield {"of": of, "at_least": least, "at_most": quantity.most}


class _Lists:
    """Lists of items, as they are among some."""

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        self._lists = [np.array(some, dtype=np.int64) for some in lists]
        self._of: dict[int, list[int]] = {}  # by item, of which lists it is
        for place, some in enumerate(lists):
            for item in some:
                self._of.setdefault(item, []).append(place)

    def inside(self, items: IntArray) -> list[list[int]]:
        """Return the places, among items, of lists that have two of them or more."""
        found = []
        places = {place for item in items.tolist() for place in self._of.get(item, ())}
        for some in (self._lists[place] for place in sorted(places)):
            at = np.minimum(np.searchsorted(items, some), len(items) - 1)
            known = items[at] == some
            if known.sum() > 1:
                found.append(at[known].tolist())
        return found


def _annealed(
    part: PairPartition,
    groups: list[list[int]],
    items: IntArray,
    rounds: int,
    budget: Budget,
) -> list[IntArray] | None:
    """Return better groups, or the first that break nothing; None without any."""
    before = cost_of(part, groups)
    found, known = [] if before is None else [groups], before is not None
    if before is not None and part.has_reliefs:
        joined = merged(part, groups)
        paid = cost_of(part, joined)
        if paid is not None and paid < before:
            found, groups = [joined], joined

    def keep(made: list[list[int]]) -> None:
        found.append(made)
        if not known:
            own.stop.set()

    own = budget.apart()
    with budget.calling(own.stop.set):
        improve(part, groups, own, keep, 1 if known else _COOLINGS, rounds=rounds)
    return [items[group] for group in found[-1]] if found else None


def _upper(n: int, listed: Any) -> Any:
    """Return numbers of pairs as a matrix, each once; those of 0 stay."""
    first, second, numbers = np.array(listed, dtype=np.int64).reshape(-1, 3).T
    ends = np.minimum(first, second), np.maximum(first, second)
    return sparse.csr_array((numbers, ends), shape=(n, n))


def _inside(matrix: Any, items: IntArray) -> list[list[int]]:
    """Return the pairs of items, by their places among these, and their numbers."""
    own = matrix[items][:, items].tocoo()
    found: list[list[int]] = np.array([own.row, own.col, own.data]).T.tolist()
    return found
