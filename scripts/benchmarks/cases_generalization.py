"""Cases: the tables of generalisation that the scripts time solvers on.

Adult, a file that the user has (see cases_k_anonymity.py) or the shipped sample, with
the usual hierarchies; random trees; and masked postal codes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from atleastk.instances.datasets.adult import COLUMNS, adult
from atleastk.instances.datasets.adult_hierarchies import adult_hierarchies
from atleastk.instances.generalization import Generalization
from atleastk.instances.generators.generalization import postal, trees
from scripts.benchmarks.cases import Case
from scripts.benchmarks.cases_k_anonymity import Rows, read_rows

QUASI_IDENTIFIERS = COLUMNS[:8]


def adult_rows(path: Path | None) -> Rows:
    """Return the eight usual columns of a file, or of the shipped sample."""
    if path is not None:
        return read_rows(path, QUASI_IDENTIFIERS)
    return [tuple(map(str, row)) for row in adult(1, 8).table]


def generalized(rows: Rows, k: int, on: str, loss: str) -> Generalization:
    """Return rows of Adult with the usual hierarchies."""
    usual = adult_hierarchies()
    hierarchies = [usual[name] for name in QUASI_IDENTIFIERS]
    return Generalization(rows, k, hierarchies, on, loss, columns=QUASI_IDENTIFIERS)


def whole(rows: Rows, losses: Sequence[str], ks: Sequence[int]) -> Iterator[Case]:
    """Yield Adult on attributes, with several losses and k."""
    for loss in losses:
        for k in ks:
            instance = generalized(rows, k, "attributes", loss)
            yield Case(f"adult, attributes, {loss}", f"k={k}", 0, instance)


def sampled(rows: Rows, n: int, loss: str, k: int, seeds: int) -> Iterator[Case]:
    """Yield random samples of Adult on entries."""
    for seed in range(seeds):
        chosen = random.Random(seed).sample(rows, n)
        instance = generalized(chosen, k, "entries", loss)
        yield Case(f"adult, entries, {loss}, {n} rows", f"k={k}", seed, instance)


def drawn(seeds: int) -> Iterator[Case]:
    """Yield random trees and postal codes on entries."""
    for seed in range(seeds):
        for k in (2, 3):
            yield Case("trees, 40 rows", f"k={k}", seed, trees(seed, n=40, k=k))
            yield Case("postal, 100 rows", f"k={k}", seed, postal(seed, n=100, k=k))
