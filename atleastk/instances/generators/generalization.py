"""Generalisation: families of generated tables with their hierarchies."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

from atleastk.instances.datasets.adult import adult as adult_table
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies
from atleastk.instances.family import Family, at_least, families, require
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators import k_anonymity
from atleastk.instances.generators.k_ambiguity import FIGURE_2_6, PEOPLE_COLUMNS
from atleastk.instances.hierarchies.hierarchy import Hierarchy, Label, suppression_of
from atleastk.instances.hierarchies.rules import bands_of, masked

AREA_CODES: Final = (
    *("204", "250", "306", "403", "418", "506", "705"),
    *("709", "780", "804", "807", "819", "867", "902"),
)
"""The domain of [Chaytor06, Figure 2.7]; its hierarchy masks digits from the right."""

PEOPLE: Final = tuple(tuple(map(str, row)) for row in FIGURE_2_6)
"""[Chaytor06, Figure 2.6], without the column Cancer, as texts."""


def people(
    _seed: int, k: int = 2, on: str = "entries", loss: str = "height"
) -> Generalization:
    """Seven people, [Chaytor06, Figure 2.6], without the column Cancer.

    Area codes have the hierarchy of Figure 2.7; those of the other columns are not
    printed, so they are published or suppressed.
    """
    hierarchies = [
        *(suppression_of(row[j] for row in PEOPLE) for j in range(3)),
        masked(AREA_CODES),
    ]
    return Generalization(PEOPLE, k, hierarchies, on, loss, columns=PEOPLE_COLUMNS)


def trees(
    seed: int,
    n: int = 20,
    m: int = 3,
    values: int = 6,
    height: int = 3,
    k: int = 3,
    on: str = "entries",
    loss: str = "height",
) -> Generalization:
    """Uniform cells; every column has a random tree of a height from 1 to `height`."""
    at_least(0, m=m)
    at_least(1, values=values, height=height)
    require(1 <= k <= n, f"k: expected 1..n = {n}, got {k}")
    rng = random.Random(seed)
    hierarchies = [
        random_hierarchy(rng, range(values), rng.randint(1, height)) for _ in range(m)
    ]
    table = [[rng.randrange(values) for _ in range(m)] for _ in range(n)]
    return Generalization(table, k, hierarchies, on, loss)


def postal(
    seed: int, n: int = 50, k: int = 3, on: str = "entries", loss: str = "height"
) -> Generalization:
    """Ages in bands, postal codes whose digits are masked, and a sex."""
    require(1 <= k <= n, f"k: expected 1..n = {n}, got {k}")
    rng = random.Random(seed)
    towns = [f"{rng.randrange(100):02}" for _ in range(5)]
    table = [
        (
            str(min(90, int(rng.gauss(45, 18)) % 100)),
            f"{rng.choice(towns)}{rng.randrange(30):03}",
            rng.choice(("f", "m")),
        )
        for _ in range(n)
    ]
    hierarchies = [
        bands_of(row[0] for row in table),
        masked(row[1] for row in table),
        suppression_of(row[2] for row in table),
    ]
    names = ("age", "postal code", "sex")
    return Generalization(table, k, hierarchies, on, loss, columns=names)


def adult(
    seed: int,
    n: int = 1000,
    columns: int = 8,
    k: int = 5,
    on: str = "attributes",
    loss: str = "height",
) -> Generalization:
    """Rows drawn from the shipped sample of Adult, with the usual hierarchies."""
    sample = adult_table(1, columns)
    require(1 <= n <= sample.n, f"n: expected 1..{sample.n}, got {n}")
    require(1 <= k <= n, f"k: expected 1..n = {n}, got {k}")
    names = list(sample.columns or ())
    usual = adult_hierarchies()
    table = random.Random(seed).sample(list(sample.table), n)
    hierarchies = [usual[name] for name in names]
    return Generalization(
        table, k, hierarchies, on, loss, columns=names, source=sample.source
    )


def worst_datafly(_seed: int, height: int = 4) -> Generalization:
    """Raise a column of more labels to its top, where one level of the other is enough.

    Pairs of rows have a value each, whose labels differ up to the top, and the same
    other value but for one row: `height` + 1 levels in place of one.
    """
    at_least(1, height=height)
    values = ("a", "b", "c")
    chains = [
        [value, *(f"{value}{level}" for level in range(1, height)), "*"]
        for value in values
    ]
    table = [[value, "x"] for value in values for _ in range(2)]
    table[-1][1] = "y"
    hierarchies = [Hierarchy(chains), suppression_of("xy")]
    return Generalization(table, 2, hierarchies, "attributes", "height")


def worst_spider(seed: int, k: int = 4) -> Generalization:
    """Return the table of `worst-spider` of k-anonymity, with cells kept or hidden."""
    table = k_anonymity.worst_spider(seed, k).table
    hierarchies = [suppression_of(column) for column in zip(*table, strict=True)]
    return Generalization(table, k, hierarchies, "entries", "height")


def random_hierarchy(
    rng: random.Random, values: Sequence[Label], height: int
) -> Hierarchy:
    """Return a hierarchy whose groups are merged at random, level by level."""
    homes = list(range(len(values)))
    chains: list[list[Label]] = [[value] for value in values]
    for level in range(1, height + 1):
        names = sorted(set(homes))
        count = max(1, rng.randint(1, len(names))) if level < height else 1
        merged = {home: rng.randrange(count) for home in names}
        homes = [merged[home] for home in homes]
        for chain, home in zip(chains, homes, strict=True):
            chain.append("*" if level == height else f"{level}:{home}")
    return Hierarchy(chains)


FAMILIES: Sequence[Family[Generalization]] = families(
    people, trees, postal, adult, worst_datafly, worst_spider
)
