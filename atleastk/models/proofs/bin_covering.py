"""Proofs of bin covering: all bins are listed, by their copies of every size.

Those of the dynamic program over multisets are in
:mod:`atleastk.models.proofs.bin_subsets`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import NotApplicableError
from atleastk.models.admissible.bin_covering import BinGroups
from atleastk.models.bin_covering import most_bins, possible_bins, window
from atleastk.models.covering import is_feasible
from atleastk.models.kinds import Kinds
from atleastk.models.proofs.bin_subsets import steps_refuted
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


def refuted(
    instance: BinCovering, certificate: Mapping[str, Any], bound: int | None
) -> Program:
    """Return the refuted program of all solutions below a bound."""
    expect_kind(certificate, "total", "counting", "reach", "subsets", "weights")
    if not is_feasible(instance) or bound is None:
        listed = _listed(instance, None, "of level k or more: there are none")
        listed.refute([1] * len(listed.demand))
    elif certificate["kind"] == "subsets":
        listed = steps_refuted(instance, bound)
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
