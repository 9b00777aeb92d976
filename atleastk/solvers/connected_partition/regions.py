"""Repair by region: exact decisions about the surroundings of parts outside a window.

Annealing ends with a few parts outside the window. The parts near one of them make a
region: a smaller map, that is to have as many parts, all within the window. Its
connected sets are few enough to be listed, so whether it has them is decided. If so,
they take the place of the old ones: fewer parts are outside, and others stay.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from atleastk.arrays import IntArray
from atleastk.models.windows import Window
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import Component
from atleastk.solvers.connected_partition.decide import by_lists

NODES: Final = 80, 140
"""The nodes of a region, about; drawn per region."""

_MEMORY: Final = 2.0**25
"""The bytes of a decision about a region: more is seldom decided. Not tuned."""


def repaired(
    component: Component,
    wanted: Window,
    labels: IntArray,  # connected parts ``0..wanted.parts - 1``
    tries: int,  # regions in a row that may fail
    rng: np.random.Generator,
    budget: Budget,
) -> tuple[IntArray, int]:
    """Return parts of which no more are outside a window, and how many are."""
    labels, missed = labels.copy(), 0
    while True:
        weight = component.masses(labels, wanted.parts)
        amiss = np.flatnonzero((weight < wanted.least) | (weight > wanted.most))
        if not len(amiss) or missed == tries or budget.spent:
            return labels, len(amiss)
        missed += 1
        own = _around(component, labels, int(rng.choice(amiss)), rng)
        nodes = np.flatnonzero(np.isin(labels, own))
        region, asked = component.within(nodes), replace(wanted, parts=len(own))
        if asked.admits(region.total):
            part = replace(budget, memory=min(budget.memory, _MEMORY))
            for label, group in zip(
                own, by_lists(region, asked, None, part).found or (), strict=False
            ):
                labels[nodes[group]], missed = label, 0


def _around(
    component: Component, labels: IntArray, part: int, rng: np.random.Generator
) -> IntArray:
    """Return a part and those nearest to it, by steps from part to part."""
    sizes, limit = np.bincount(labels), int(rng.integers(*NODES))
    tails = np.repeat(labels, np.diff(component.starts))
    heads = labels[component.ends]
    chosen, count = np.zeros(len(sizes), dtype=np.bool_), 0
    following = np.array([part])
    while len(following):
        for each in rng.permutation(following):
            if count and count + sizes[each] > limit:
                return np.flatnonzero(chosen)
            chosen[each], count = True, count + sizes[each]
        following = np.unique(heads[chosen[tails] & ~chosen[heads]])
    return np.flatnonzero(chosen)
