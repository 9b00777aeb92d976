"""What trials of several chapters of [Chaytor06] draw: small tables, and triples."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from random import Random
from typing import Any, Final

from atleastk.instances.generators.k_ambiguity import FIGURE_2_6
from atleastk.instances.reductions import exact_cover, set_packing
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.set_packing import SetPacking
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.sources import objection
from atleastk.research.claims.trials import cases

Table = tuple[tuple[Any, ...], ...]

TABLES: Final = "tables of 2 to 5 rows, 2 or 3 columns of 3 values, k = 2, 3"
"""What is drawn of tables, in words."""


def small_table(rng: Random) -> Table:
    """Draw one of the tables of `TABLES`."""
    n, m = rng.randint(2, 5), rng.randint(2, 3)
    return tuple(tuple(rng.choice("abc") for _ in range(m)) for _ in range(n))


_CANCER: Final = ("Yes", "No", "No", "Yes", "Yes", "No", "Yes")
PATIENTS: Final = tuple(
    (*row, cancer) for row, cancer in zip(FIGURE_2_6, _CANCER, strict=True)
)
"""Figure 2.6: age, gender, married, area code, cancer."""


_COVERS: Final = "up to 5 triples of 3, 6 or 9 elements, enough for a cover"
PACKINGS: Final = "up to 5 triples of 3 or 6 elements, enough for a cover"
"""What is drawn of triples to be packed, in words."""


def _triples(rng: Random) -> ExactCover:
    """Draw triples of 3, 6 or 9 elements, every second time with a cover."""
    elements = rng.choice([3, 6, 6, 9])
    order = rng.sample(range(elements), elements)
    planted = {tuple(sorted(order[i : i + 3])) for i in range(0, elements, 3)}
    every = list(combinations(range(elements), 3))
    if rng.random() < 0.5 or len(every) == 1:
        others = [triple for triple in every if triple not in planted]
        sets = [*planted, *rng.sample(others, min(2, len(others)))]
    else:
        sets = rng.sample(every, rng.randint(elements // 3, 5))
    return ExactCover(elements, rng.sample(sets, len(sets)))


def small_packing(rng: Random) -> SetPacking:
    """Draw triples, which may be disjoint."""
    elements = rng.choice([3, 6, 6])
    every = list(combinations(range(elements), 3))
    most = min(5, len(every))
    return SetPacking(elements, rng.sample(every, rng.randint(elements // 3, most)))


def reduces(
    source: str, target: str, kind: str = "metric", repaired: bool = False
) -> Trial:
    """Return the trial of a reduction from exact cover or packing by triples."""
    (reduction,) = (
        r
        for r in (*exact_cover.REDUCTIONS, *set_packing.REDUCTIONS)
        if (r.source, r.target, r.kind, r.repaired) == (source, target, kind, repaired)
    )
    family, draw = (_COVERS, _triples) if source == "X3C" else (PACKINGS, small_packing)
    return cases(family, draw, partial(objection, reduction))
