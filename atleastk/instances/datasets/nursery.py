"""Nursery: a table whose optimum is known for every k.

The eight inputs of the UCI Nursery data set are a full product of their domains, 12,960
records, each once; so no file is needed. Optimal cell suppression has a closed form,
:func:`~atleastk.instances.full_products.full_product_optimum`.

[Nursery] V. Rajkovic, Nursery, UCI Machine Learning Repository, 1989,
doi 10.24432/C5P88W, CC BY 4.0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from atleastk.instances.full_products import full_product_optimum
from atleastk.instances.k_anonymity import KAnonymity

DOMAINS: Mapping[str, Sequence[str]] = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
}
"""The values of every input, in the order of the published file."""


def nursery(k: int) -> KAnonymity:
    """Return the inputs of all 12,960 applications, in the published order."""
    return KAnonymity(
        list(product(*DOMAINS.values())),
        k,
        columns=list(DOMAINS),
        name=f"Nursery k={k}",
        source="UCI Nursery, doi 10.24432/C5P88W, the inputs",
    )


def nursery_optimum(k: int) -> int:
    """Return the least number of suppressed cells."""
    sizes = ",".join(str(len(values)) for values in DOMAINS.values())
    return full_product_optimum(sizes, k)
