"""[Chaytor06] chapter 4, hardness: Tables 4.1 to 4.4, exact cover, time bounds."""

from __future__ import annotations

from collections import Counter
from math import comb
from random import Random
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.research.claims.chaytor06.drawn import TABLES, reduces, small_table
from atleastk.research.claims.chaytor06.web import (
    LOST,
    ends,
    fared_in_table,
    in_table,
    template,
)
from atleastk.research.claims.claim import Trial, claim
from atleastk.research.claims.trials import example, fared, optimum_of

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


CLAIMS: Final = (
    *(
        claim(
            f"Lemma 4.1.{kind}",
            f"{said}: the template of type {kind}.",
            reading=reading,
            trial=template(kind, many_one=True),
        )
        for kind, said, reading in (
            (1, "c-DEL reduces to r-c-DEL by r = 0", "Limits may be 0."),
            (2, "c'-SUP reduces to c'-PART by a new column, the most important", ""),
            (3, "e-SUP reduces to c-e-SUP by c = m", ""),
            (
                4,
                "c-DEL reduces to c-e-SUP by e = c n",
                "Equation 4.21 says c = c n for e = c n, as the text cites it later.",
            ),
        )
    ),
    *(
        claim(
            f"Table {number}",
            f"{said} (with its template, {lemma}).",
            reading="The answers of both sides are equal.",
            trial=in_table(number),
            evidence=fared_in_table(number),
        )
        for number, lemma, said in (
            (
                "4.1",
                "Lemma 4.1.1",
                "Twelve many-one reductions allow deleted rows as well",
            ),
            ("4.3", "Lemma 4.1.3", "Many-one reductions add a limit that never binds"),
        )
    ),
    claim(
        "Table 4.2",
        "Many-one reductions add importance orders, by a new column or k new rows "
        "before the table (template: Lemma 4.1.2).",
        reading="Letters H and P: k new rows keep the answer.",
        counter_example="chaytor06 new_rows",
        repair="If n < k, H* and P* ask for more rows than there are.",
        repaired=in_table("4.2"),
        evidence=fared_in_table("4.2"),
    ),
    claim(
        "Table 4.4",
        "Many-one reductions lead from deletion to suppression in unions (template: "
        "Lemma 4.1.4).",
        reading="Letter V limits the entries to c n + r m - c r.",
        counter_example="chaytor06 union",
        repair="V* cuts c and r down to m and n first; the letters of r-c-DEL are "
        "those that the words of the modifications ask for.",
        repaired=in_table("4.4"),
        evidence=fared_in_table("4.4"),
        nearby=(
            "the letters as printed: all five of r-c-DEL confuse N, U, V and W, so "
            "that limits the target lacks are set and others are missing",
        ),
    ),
    claim(
        "section 4.1.2, roots",
        "Nothing leads to e-SUP, c-DEL, c'-SUP, r-DEL, r'-SUP, and nothing leaves "
        "r-c-e-SUP, r-c-r'-PART, r-c-c'-PART.",
        trial=example(
            lambda: ends(many_one=True),
            (
                ["c'-SUP", "c-DEL", "e-SUP", "r'-SUP", "r-DEL"],
                ["r-c-c'-PART", "r-c-e-SUP", "r-c-r'-PART"],
            ),
        ),
    ),
    claim(
        "Lemma 4.1.5, footnote",
        "With 1 in the place of i in the table the reduction is wrong.",
        trial=example(_one_otherwise, (6, 6)),
        reading="012 and 013 of six elements do not cover, but e = 6 is enough.",
    ),
    *(
        claim(
            number,
            f"Exact cover by triples reduces to {target}.",
            trial=reduces("X3C", target, "many-one"),
            evidence=fared(f"[Chaytor06] {number}"),
        )
        for number, target in (
            ("Lemma 4.1.5", "e-SUP"),
            ("Corollary 4.1.6", "c-DEL"),
            ("Corollary 4.1.7", "r'-SUP"),
        )
    ),
    claim(
        "Lemma 4.1.8",
        "A graph of 3q vertices without K_4 partitions into triangles iff c' = |V| - 3 "
        "is enough for its adjacency table, k = 3.",
        counter_example="chaytor06 keeps_others",
        repair="Right if three vertices with three common neighbours are a triangle. "
        "Exact cover reduces to c'-SUP by cyclic copies of its table.",
        repaired=reduces("X3C", "c'-SUP", "many-one", repaired=True),
        evidence=fared("[Chaytor06] Lemma 4.1.8"),
    ),
    claim(
        "Theorem 4.2.1",
        "All decision problems but r-DEL are NP-complete.",
        untested="Complexity. It follows from the repaired reductions; as printed "
        "eight problems lose their proof (the web of reductions).",
        evidence=LOST,
    ),
    claim(
        "Corollary 4.2.2",
        "r-DEL alone has a polynomial algorithm, unless P = NP.",
        untested="Complexity. It follows from Theorem 4.2.1, and Lemma 4.3.1 repaired.",
    ),
    claim(
        "Lemma 4.3.1",
        "r-DEL is solved by deleting the rows with less than k - 1 equals.",
        counter_example="chaytor06 deleted_rows",
        repair="Deleted rows need equals as well: others go with them, up to k in all.",
        repaired=Trial(TABLES, _rows_deleted),
        degenerate="n < k is infeasible.",
    ),
    claim(
        "section 4.3, one scheme",
        "An instance of r-DEL has only one possible suppression scheme.",
        counter_example="chaytor06 many_schemes",
        repair="The rows of less than k - 1 equals always go; which others go with "
        "them is a choice, of one class at most.",
        repaired=Trial(TABLES, _rows_deleted),
    ),
    *(
        claim(
            f"Lemma 4.3.{number}",
            f"{problem} is solved in O({time} 2^(3nm)) time.",
            reading="The algorithm of the text generates so many schemes at most.",
            trial=Trial(_SCHEMES, _too_many_schemes),
        )
        for number, problem, time in (
            (2, "r-c-e-SUP", "n^2 m"),
            (3, "r-c-r'-PART", "n^2 m"),
            (4, "r-c-c'-PART", "n^2 m^2"),
        )
    ),
    claim(
        "Lemmas 4.3.2 to 4.3.4, proofs",
        "The choices of rows and columns are at most n^r m^c <= 2^n 2^m.",
        counter_example="chaytor06 powers",
        repair="They are binomials, at most 2^n 2^m. And e <= n c + r (m - c), not "
        "the other way round.",
        repaired=Trial(_SCHEMES, _too_many_schemes),
    ),
    claim(
        "Theorem 4.3.5",
        "All problems of the family are solved in O(n^2 m^2 2^(12nm)) time.",
        reading="The exponents of the images are within 12nm. Section 4.4 says m for "
        "m^2.",
        hypotheses="k <= n",
        trial=Trial("n and m up to 99", _greater_exponent),
    ),
    claim(
        "Theorem 4.3.5, proof",
        "3 (2n) (m + 1) is 6nm + 6m.",
        counter_example="chaytor06 exponent",
        repair="6nm + 6n, which is at most 12nm as well.",
        repaired=Trial("n and m up to 99", _greater_exponent),
    ),
)
