"""Proofs of bin covering by the dynamic program over multisets: a path of bins.

The program has a variable for every step: from the remaining sizes, a bin with the
greatest of them is taken. Its rows say that a step is taken from all sizes, and one
from whatever a step leaves: so the steps are a path until nothing is left.

Let f(A) be the least cost of bins for the multiset A
(:mod:`atleastk.models.certificates.bin_subsets`), or the greatest such cost of all if A
cannot be left in any solution. Then f(A) - f(A - B) <= cost(B) for every step: the
rows, each times its f, say that a sum costs f(all sizes). Of the greatest level, no
step to nothing is left below the bound: the sum of all rows is 0 = 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from atleastk.instances.bin_covering import BinCovering
from atleastk.models.admissible.bin_covering import level_cap
from atleastk.models.covering import group_cost
from atleastk.models.kinds import Kinds
from atleastk.models.proofs.listed import MOST_GROUPS, Group, Listed, expect_few

_Sizes = tuple[int, ...]
"""The multiplicity of every size, the greatest first."""


def steps_refuted(instance: BinCovering, bound: int) -> Listed:
    """Return the refuted program of cheaper paths of bins."""
    kinds = Kinds.of(instance.sizes)
    of_levels = instance.objective == "max"
    most = bound - 1 if of_levels else level_cap(instance)
    steps = _steps(kinds, instance.k, most)
    place = {left: number for number, left in enumerate(steps)}
    nothing = (0,) * len(kinds.demand)
    groups, costs = [], []
    for left, found in steps.items():
        for taken in found:
            after = _without(left, taken)
            ends = {} if after == nothing else {place[after]: -1}
            name = f"bin_{_named(kinds, taken)}_of_{_named(kinds, left)}"
            groups.append(Group(name, {place[left]: 1, **ends}))
            costs.append(group_cost(instance, _level(kinds, taken)))
    split = "" if of_levels else "; those above split into two that cost less"
    about = (
        "Variables: whether a bin is taken of what is left, all with the greatest of "
        "these sizes",
        f"and of a level from {instance.k} to {most}{split}.",
        "Rows: one is taken of all sizes, and of what is left, until that is nothing.",
    )
    demand = [1] + [0] * (len(steps) - 1)
    listed = Listed.of(about, groups, demand)
    if of_levels:
        listed.refute([1] * len(steps))
        return listed
    terms = {g: cost for g, cost in enumerate(costs) if cost}
    paid = listed.program.row("cost", "L", terms, bound - 1)
    listed.refute(_least(steps, iter(costs), nothing), more={paid: 1})
    return listed


def _steps(kinds: Kinds, k: int, most: int) -> dict[_Sizes, list[_Sizes]]:
    """Return the multisets that can be left, all sizes first, and the bins of each."""
    steps: dict[_Sizes, list[_Sizes]] = {}
    waiting, count = [kinds.demand], 0
    while waiting:
        left = waiting.pop()
        if left in steps or not any(left):
            continue
        steps[left] = []
        for taken in _bins(kinds, left, k, most):
            count += 1
            if count > MOST_GROUPS:
                expect_few(None)
            steps[left].append(taken)
            waiting.append(_without(left, taken))
    return steps


def _bins(kinds: Kinds, left: _Sizes, k: int, most: int) -> Iterator[_Sizes]:
    """Yield the bins of the remaining sizes that hold the greatest of them."""
    first = next(kind for kind, count in enumerate(left) if count)
    taken: list[tuple[_Sizes, int]] = [((), 0)]
    rest = _level(kinds, left)
    for kind, (size, count) in enumerate(zip(kinds.values, left, strict=True)):
        rest -= size * count
        taken = [
            ((*chosen, times), level + size * times)
            for chosen, level in taken
            for times in range(int(kind == first), count + 1)
            if k - rest <= level + size * times <= most
        ]
    yield from (chosen for chosen, _ in taken)


def _least(
    steps: Mapping[_Sizes, Sequence[_Sizes]], costs: Iterator[int], nothing: _Sizes
) -> list[int]:
    """Return the least cost of bins for all multisets that can be left."""
    priced = {left: [(taken, next(costs)) for taken in steps[left]] for left in steps}
    least: dict[_Sizes, int | None] = {nothing: 0}
    for left in sorted(steps, key=sum):  # a bin leaves a smaller multiset
        ends = [(least[_without(left, taken)], cost) for taken, cost in priced[left]]
        least[left] = min((f + c for f, c in ends if f is not None), default=None)
    dearest = max(cost for cost in least.values() if cost is not None)
    known = {left: dearest if cost is None else cost for left, cost in least.items()}
    return [known[left] for left in steps]


def _without(left: _Sizes, taken: _Sizes) -> _Sizes:
    return tuple(a - b for a, b in zip(left, taken, strict=True))


def _level(kinds: Kinds, taken: _Sizes) -> int:
    return sum(size * times for size, times in zip(kinds.values, taken, strict=True))


def _named(kinds: Kinds, taken: _Sizes) -> str:
    pairs = zip(kinds.values, taken, strict=True)
    return "_".join(str(size) for size, times in pairs for _ in range(times))
