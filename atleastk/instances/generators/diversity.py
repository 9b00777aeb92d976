"""Diversity: families of generated tables with sensitive values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from atleastk.instances.diversity import Diversity
from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.generators.generalization import (
    PEOPLE,
    people,
    random_hierarchy,
)
from atleastk.instances.hierarchies.hierarchy import suppression_of

DIAGNOSES: Final = ("flu", "flu", "asthma", "flu", "gastritis", "flu", "asthma")
"""A diagnosis for each of the seven people of [Chaytor06, Figure 2.6]."""


def patients(
    seed: int,
    k: int = 2,
    on: str = "entries",
    l: int = 2,  # noqa: E741 - as in the papers
    reading: str = "distinct",
) -> Diversity:
    """Seven people, [Chaytor06, Figure 2.6], each with a diagnosis."""
    table = people(seed, k, on)
    return Diversity(
        PEOPLE,
        k,
        table.hierarchies,
        on,
        columns=table.columns,
        sensitive=[[diagnosis] for diagnosis in DIAGNOSES],
        l=l,
        reading=reading,
    )


def diagnoses(
    seed: int,
    n: int = 30,
    m: int = 3,
    values: int = 4,
    height: int = 1,
    sensitive: int = 4,
    k: int = 2,
    l: int = 2,  # noqa: E741 - as in the papers
    on: str = "entries",
    reading: str = "distinct",
) -> Diversity:
    """Uniform cells, random hierarchies, and sensitive values of unequal frequency."""
    at_least(0, m=m)
    at_least(1, values=values, height=height, sensitive=sensitive, l=l)
    require(1 <= k <= n, f"k: expected 1..n = {n}, got {k}")
    rng = random.Random(seed)
    hierarchies = [
        suppression_of(range(values))
        if height == 1
        else random_hierarchy(rng, range(values), rng.randint(1, height))
        for _ in range(m)
    ]
    return Diversity(
        [[rng.randrange(values) for _ in range(m)] for _ in range(n)],
        k,
        hierarchies,
        on,
        sensitive=[[min(rng.choices(range(sensitive), k=2))] for _ in range(n)],
        l=l,
        reading=reading,
    )


def worst_merge(_seed: int, n: int = 20) -> Diversity:
    """N equal rows of two diagnoses, and two more of one: merging hides all n + 2.

    The optimum lends one row of the other diagnosis to these two, and hides three.
    """
    at_least(4, n=n)
    table = [[0]] * n + [[1]] * 2
    secrets = [[i % 2] for i in range(n)] + [[0]] * 2
    hierarchies = [suppression_of((0, 1))]
    return Diversity(table, 2, hierarchies, sensitive=secrets, l=2)


FAMILIES: Sequence[Family[Diversity]] = families(patients, diagnoses, worst_merge)
