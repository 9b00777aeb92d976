"""Proofs of bin covering: all bins are listed, by their copies of every size.

Those of the dynamic program over multisets are a path of bins. The program has a
variable for every step: from the remaining sizes, a bin with the greatest of them is
taken. Its rows say that a step is taken from all sizes, and one from whatever a step
leaves: so the steps are a path until nothing is left.

Let f(A) be the least cost of bins for the multiset A
(:mod:`atleastk.models.certificates.bin_subsets`), or the greatest such cost of all if A
cannot be left in any solution. Then f(A) - f(A - B) <= cost(B) for every step: the
rows, each times its f, say that a sum costs f(all sizes). Of the greatest level, no
step to nothing is left below the bound: the sum of all rows is 0 = 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups, level_cap
from atleastk.models.bin_covering import most_bins, possible_bins, window
from atleastk.models.covering import group_cost, is_feasible
from atleastk.models.kinds import Kinds
from atleastk.models.proofs.knapsack import Lemma
from atleastk.models.proofs.listed import (
    MOST_GROUPS,
    Group,
    Listed,
    expect_few,
    expect_kind,
)
from atleastk.models.proofs.parts import Case, Levels, refute_all
from atleastk.models.proofs.vipr import Program

_Sizes = tuple[int, ...]
"""The multiplicity of every size, the greatest first."""


def refuted(
    instance: BinCovering, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    expect_kind(certificate, "total", "counting", "reach", "subsets", "weights")
    if not is_feasible(instance) or bound is None:
        listed = _listed(instance, None, "of level k or more: there are none")
        listed.refute([1] * len(listed.demand))
    elif certificate["kind"] == "subsets":
        listed = _steps_refuted(instance, bound)
    elif instance.objective == "max":
        listed = _below(instance, certificate, bound - 1)
    else:
        listed = _sum_below(instance, certificate, bound - 1)
    return listed.program


def _below(instance: BinCovering, certificate: Mapping[str, Any], level: int) -> Listed:
    """Return the refuted program of bins of at most a level."""
    groups = BinGroups.any_number(instance, level) if level >= instance.k else None
    listed = _listed(instance, groups, f"of a level from {instance.k} to {level}")
    kinds, known = Kinds.of(instance.sizes), possible_bins(instance, level)
    # With more bins than are possible none is left for the greatest item.
    greatest = [1] + [0] * (len(kinds.values) - 1)

    def cases(numbers: range) -> Iterator[Case]:
        for bins in numbers:
            own = certificate["parts"][str(bins)] if bins in known else greatest
            yield Case(bins, {"weights": own})

    refute_all(Levels(listed, kinds.values, instance.k, level), cases)
    return listed


def _sum_below(
    instance: BinCovering, certificate: Mapping[str, Any], most: int
) -> Listed:
    """Return the refuted program of bins of at most a total cost."""
    groups = BinGroups.sums(instance)
    cap = groups.levels.most
    which = (
        f"of a level from {instance.k} to {cap}; those above split into two that cost "
        "less"
    )
    listed = _listed(instance, groups, which)
    sizes = groups.kinds.values
    costs = [groups.cost(group.sum(sizes)) for group in listed.groups]
    terms = {g: cost for g, cost in enumerate(costs) if cost}
    paid = listed.program.row("cost", "L", terms, most)
    # Divisibility: cost - a level is a multiple of g, for every bin.
    share, step = (1, instance.k)
    if instance.objective == "quadratic":
        share, step = instance.k + 1, 2
    whole = {
        g: (cost - share * group.sum(sizes)) // step
        for g, (cost, group) in enumerate(zip(costs, listed.groups, strict=True))
    }
    combined = {paid: Fraction(1, step), **listed.summed(sizes, Fraction(-share, step))}
    rounded = listed.program.rounded(
        "L", {g: c for g, c in whole.items() if c}, combined
    )
    if certificate["kind"] == "counting":
        scale, slope = 1, 1  # the tangent at the average level
        if instance.objective == "quadratic":
            slope = 2 * (instance.total // most_bins(instance)) + 1 - instance.k
        weights = [slope * size for size in sizes]
    else:
        scale, weights = certificate["scale"], certificate["weights"]
    trimmed = [min(size, instance.k) for size in sizes]
    counted = listed.fewest(sizes), listed.most(trimmed)
    full = [y - scale * share * size for y, size in zip(weights, sizes, strict=True)]
    listed.refute(full, counted, {rounded: scale * step})
    return listed


def _listed(instance: BinCovering, bins: BinGroups | None, which: str) -> Listed:
    kinds = Kinds.of(instance.sizes)
    found = bins.columns(MOST_GROUPS) if bins else []
    if found is None:
        expect_few(None)
    counters = [Counter(group.items) for group in found or ()]
    groups = [
        Group(
            "bin_"
            + "_".join(str(kinds.values[kind]) for kind in sorted(items.elements())),
            items,
            min(kinds.demand[kind] // times for kind, times in items.items()),
        )
        for items in counters
    ]
    about = (
        f"Variables: how often a bin is used, all bins {which}, named by their sizes.",
        "Rows: the bins hold every size, the largest first, as often as it is there.",
    )
    return Listed.of(about, groups, kinds.demand)


def lemmas(
    instance: BinCovering, certificate: Mapping[str, Any], bound: int | None
) -> dict[str, Lemma]:
    """Return the lemmas on single bins, by number of bins, or by level for a sum.

    Raise `NotApplicableError` if the certificate is not of weights.
    """
    if bound is not None and "scale" in certificate:
        return dict(_lemmas_of_sum(instance, certificate))
    if bound is None or "parts" not in certificate:
        message = (
            f"a certificate of kind {certificate['kind']} for objective "
            f"{instance.objective} needs no lemma of one bin"
        )
        if certificate["kind"] == "subsets":
            message = (
                "a certificate of kind subsets has no lemmas of one bin: take vipr, or "
                "solve with certify for one of weights"
            )
        raise NotApplicableError(message)
    kinds, level = Kinds.of(instance.sizes), bound - 1
    return {
        f"m{bins}": _lemma(
            instance, certificate["parts"][str(bins)], bins, level, kinds
        )
        for bins in possible_bins(instance, level)
    }


def _lemmas_of_sum(
    instance: BinCovering, certificate: Mapping[str, Any]
) -> Iterator[tuple[str, Lemma]]:
    """Yield the lemma that no bin is worth more than V: its weight, less D its cost.

    The excess is subtracted from the weights; squares have a lemma for every level.
    """
    groups, scale = BinGroups.sums(instance), certificate["scale"]
    best = groups.best_group(certificate["weights"], scale)
    if best is None:  # nothing is feasible, so the certificate is another
        return
    greatest = best.worth(certificate["weights"], scale)
    k, cap = instance.k, groups.levels.most
    weights = [certificate["weights"][kind] for kind in groups.kinds.kind_of]
    which = f"that have {greatest} more than {scale} times what they cost, at most."
    sizes, bins = instance.sizes, f"The items of a bin of a level from {k} to {cap}:"
    if instance.objective == "excess":
        pairs = zip(weights, sizes, strict=True)
        less = [weight - scale * size for weight, size in pairs]
        about = bins, f"weights less {scale} for a unit of size, of bins", which
        yield "bin", Lemma(about, sizes, less, k, cap, greatest - scale * k)
        return
    for level in range(k, cap + 1):
        about, top = (bins, f"of level {level},", which), greatest
        top += scale * groups.cost(level)
        yield f"level{level}", Lemma(about, sizes, weights, level, level, top)


def _lemma(
    instance: BinCovering, by_kind: Sequence[int], bins: int, level: int, kinds: Kinds
) -> Lemma:
    """Return the lemma of a number of bins, none above a level."""
    levels = window(instance, bins, level)
    weights = [by_kind[kind] for kind in kinds.kind_of]
    top = (sum(weights) - 1) // bins
    about = (
        f"The items of one of {bins} bins of levels from {instance.k} to {level}:",
        f"the others leave it a level from {levels.least} to {levels.most}.",
        f"All items have weights of {sum(weights)}, more than {bins} times {top}.",
        f"No bin has more than {top}, as proved here: so there are no {bins} bins.",
    )
    return Lemma(about, instance.sizes, weights, levels.least, levels.most, top)


def _steps_refuted(instance: BinCovering, bound: int) -> Listed:
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
