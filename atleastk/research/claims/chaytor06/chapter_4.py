"""[Chaytor06] chapter 4, hardness: Tables 4.1 to 4.4, exact cover, time bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import comb
from random import Random
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.research.claims.chaytor06.drawn import TABLES, reduces, small_table
from atleastk.research.claims.chaytor06.web import (
    ends,
    fared_in_table,
    in_table,
    template,
)
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.trials import example, fared, optimum_of

_TABLES: Final = "4.1", "4.2", "4.3", "4.4"
_SCHEMES: Final = "up to 6 rows and columns, limits at random"


def _too_many_schemes(rng: Random) -> str | None:
    """Lemmas 4.3.2 to 4.3.4: count the schemes that the algorithms generate."""
    n, m = rng.randint(1, 6), rng.randint(1, 6)
    r, c, e = rng.randint(0, n), rng.randint(0, m), rng.randint(0, n * m)
    unions = comb(n, r) * comb(m, c)
    first, second = n * c, r * (m - c)
    by_entries = unions * sum(
        comb(first, x) * _up_to(second, e - x) for x in range(min(first, e) + 1)
    )
    per_row, per_column = rng.randint(0, m), rng.randint(0, n)
    by_rows = unions * _up_to(m, per_row) ** r * _up_to(c, per_row) ** (n - r)
    by_columns = unions * _up_to(n, per_column) ** c
    by_columns *= _up_to(r, per_column) ** (m - c)
    # n + m <= nm + 1, so the last two are within a factor of two.
    most = 2 ** (3 * n * m)
    if by_entries <= most and max(by_rows, by_columns) <= 2 * most:
        return None
    return f"n, m, r, c, e = {n, m, r, c, e}: {by_entries}, {by_rows}, {by_columns}"


def _up_to(items: int, most: int) -> int:
    """Return in how many ways so many items at most are chosen."""
    return sum(comb(items, i) for i in range(min(items, most) + 1))


def _greater_exponent(rng: Random) -> str | None:
    n, m = rng.randint(1, 99), rng.randint(1, 99)
    k = rng.randint(1, n)
    exponent = 3 * (n + k) * (m + 1)
    within = exponent <= 6 * n * m + 6 * n <= 12 * n * m
    return None if within else f"n, m, k = {n, m, k}: {exponent}"


def _one_otherwise() -> object:
    """Return MIN-e-SUP of the table of 012, 013 with 1 in the place of i, and e."""
    triples, elements = [{0, 1, 2}, {0, 1, 3}], range(6)
    table = [[int(i not in t) for t in triples] for i in elements]
    least = optimum_of(Suppression.named("MIN-e-SUP", table, 3))
    return least, len(elements) * (len(triples) - 1)


def _rows_deleted(rng: Random) -> str | None:
    """Lemma 4.3.1, repaired: rows of less than k equals go, and others up to k."""
    table, k = small_table(rng), rng.choice([2, 3])
    classes = Counter(table)
    rare = sum(size for size in classes.values() if size < k)
    least = rare
    if 0 < rare < k:
        sizes = [size for size in classes.values() if size >= k]
        least += min((k - rare if s - (k - rare) >= k else s for s in sizes), default=0)
    instance = Suppression.named("MIN-r-DEL", table, k)
    found = optimum_of(instance)
    wanted = least if len(table) >= k else None
    return None if found == wanted else f"{table}, k = {k}: {wanted}, not {found}"


TRIALS: Final[Mapping[str, Trial]] = {
    **{f"Lemma 4.1.{kind}": template(kind, many_one=True) for kind in range(1, 5)},
    **{f"Table {number}": in_table(number) for number in _TABLES},
    "section 4.1.2, roots": example(
        lambda: ends(many_one=True),
        (
            ["c'-SUP", "c-DEL", "e-SUP", "r'-SUP", "r-DEL"],
            ["r-c-c'-PART", "r-c-e-SUP", "r-c-r'-PART"],
        ),
    ),
    "Lemma 4.1.5, footnote": example(_one_otherwise, (6, 6)),
    **{
        number: reduces("X3C", target, "many-one")
        for number, target in (
            ("Lemma 4.1.5", "e-SUP"),
            ("Corollary 4.1.6", "c-DEL"),
            ("Corollary 4.1.7", "r'-SUP"),
        )
    },
    "Lemma 4.1.8": reduces("X3C", "c'-SUP", "many-one", repaired=True),
    "Lemma 4.3.1": Trial(TABLES, _rows_deleted),
    "section 4.3, one scheme": Trial(TABLES, _rows_deleted),
    **{
        f"Lemma 4.3.{number}": Trial(_SCHEMES, _too_many_schemes)
        for number in range(2, 5)
    },
    "Lemmas 4.3.2 to 4.3.4, proofs": Trial(_SCHEMES, _too_many_schemes),
    "Theorem 4.3.5": Trial("n and m up to 99", _greater_exponent),
    "Theorem 4.3.5, proof": Trial("n and m up to 99", _greater_exponent),
}

EVIDENCE: Final[Mapping[str, str]] = {
    **{f"Table {number}": fared_in_table(number) for number in _TABLES},
    **{
        number: fared(f"[Chaytor06] {number}")
        for number in (
            "Lemma 4.1.5",
            "Corollary 4.1.6",
            "Corollary 4.1.7",
            "Lemma 4.1.8",
        )
    },
}
