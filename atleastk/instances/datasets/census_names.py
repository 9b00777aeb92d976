"""FEMALE-1990, MALE-1990 and LAST-1990: the data sets of [Du09], section 5.

Frequencies of first names and surnames in the 1990 US Census, in units of 0.001 percent
of the sample, for names with at least 0.001 percent. 69,960 of the 88,799 published
surnames print as 0.000 percent and are left out, as in the paper.

The file beside this module holds the frequencies as (set, count, multiplicity); made by
scripts/data/make_census_counts.py. The data are a work of the US federal government, in
the public domain.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

from atleastk.instances.bin_covering import BinCovering
from atleastk.instances.fields.errors import UnknownNameError, optional

NameSet = Literal["female", "male", "last"]

_PUBLISHED: dict[NameSet, str] = {
    "female": "dist.female.first",
    "male": "dist.male.first",
    "last": "dist.all.last",
}


def census_names(names: NameSet, k: int) -> BinCovering:
    """Return the bin covering of a set of names, in decreasing order of frequency."""
    return BinCovering(
        census_counts(names),
        k,
        name=f"{names.upper()}-1990 k={k}",
        source="US Census 1990, names of frequency at least 0.001 %, in 0.001 %",
    )


@cache
def census_counts(names: NameSet) -> tuple[int, ...]:
    """Return the frequencies of a set of names in units of 0.001 %, decreasing."""
    if names not in get_args(NameSet):
        known = ", ".join(get_args(NameSet))
        raise UnknownNameError(f"no set of census names {names!r}; there are {known}")
    table = files("atleastk.instances.datasets") / "census1990_names.csv"
    rows = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    return tuple(
        count
        for line in rows
        if line["set"] == names
        for count in [int(line["count"])] * int(line["multiplicity"])
    )


def load_names(names: NameSet) -> list[tuple[str, int]]:
    """Return the names with their frequencies in units of 0.001 %, as published.

    Surnames of frequency 0 are included. Raise `BackendUnavailableError` if the package
    `names` is not installed: it is the extra ``names``.
    """
    package = optional("names", "names", "the names themselves")
    published = Path(str(package.__file__)).with_name(_PUBLISHED[names])
    table = []
    for line in published.read_text(encoding="utf-8").splitlines():
        name, percent, *_ = line.split()
        whole, thousandths = percent.split(".")
        table.append((name, 1000 * int(whole) + int(thousandths)))
    return table
