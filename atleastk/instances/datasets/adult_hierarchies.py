"""Hierarchies for the columns of Adult, as they are usual: bands, groups, continents.

Ages have bands of 5, 10 and 20 years. Education has six stages and then three kinds of
leaving certificate; native countries have their continent, where "South", which stands
for some Korea or Africa, is unknown. Workclass, marital status and occupation have a
few groups; race, sex and salary class are published or suppressed. Missing values ("?")
are values of their own, so that tables with them can be read, too.

The files beside this module, one per column, are in the layout of ARX. The groups are
this project's own; the literature has many that differ in detail.
"""

from __future__ import annotations

from importlib.resources import files

from atleastk.instances.datasets.adult import COLUMNS
from atleastk.instances.hierarchies.files import noted_of_text
from atleastk.instances.hierarchies.hierarchy import Hierarchy


def adult_hierarchies() -> dict[str, Hierarchy]:
    """Return the hierarchy of every column of Adult, by its name."""
    folder = files("atleastk.instances.datasets") / "adult_hierarchies"
    return {
        column: noted_of_text(
            (folder / f"{column}.csv").read_text(encoding="utf-8"), f"{column}.csv"
        ).hierarchy
        for column in COLUMNS
    }
