"""The claims of [Chaytor06]: suppression that preserves use, and its web of reductions.

[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Final

from atleastk import api
from atleastk.claims.claim import Kind, Trial, claims_of_paper
from atleastk.claims.sources import objection
from atleastk.claims.trials import (
    always,
    example,
    fared,
    optimum_of,
    promise_kept,
)
from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.reductions import exact_cover, set_packing
from atleastk.instances.reductions.checked import check_of
from atleastk.instances.reductions.exact_cover import ExactCover
from atleastk.instances.reductions.set_packing import SetPacking
from atleastk.instances.reductions.suppression_rules import RULES, Rule
from atleastk.instances.reductions.suppression_web import reduction_of
from atleastk.instances.suppression import Suppression
from atleastk.solvers.brute_force.combinatorial import largest_packing

__all__ = ["CLAIMS"]

_claim: Final = claims_of_paper("Chaytor06")
Table = tuple[tuple[Any, ...], ...]
_TABLES: Final = "tables of 2 to 5 rows, 2 or 3 columns of 3 values, k = 2, 3"
_LOST: Final = (
    "Which these are: benchmarks/reduction_web.md, by "
    "scripts/reductions/check_reduction_web.py."
)
_SCHEMES: Final = "up to 6 rows and columns, limits at random"
_COVERS: Final = "up to 5 triples of 3, 6 or 9 elements, enough for a cover"
_PACKINGS: Final = "up to 5 triples of 3 or 6 elements, enough for a cover"


def _table(rng: Random) -> Table:
    n, m = rng.randint(2, 5), rng.randint(2, 3)
    return tuple(tuple(rng.choice("abc") for _ in range(m)) for _ in range(n))


def _anonymous(rng: Random) -> tuple[Table, int]:
    """Draw a table that is k-anonymous, with stars."""
    k, m = rng.choice([2, 3]), rng.randint(1, 4)
    rows = []
    for _ in range(rng.randint(1, 3)):
        pattern = tuple(rng.choice("ab*") for _ in range(m))
        rows += [pattern] * rng.randint(k, 2 * k)
    return tuple(rows), k


def _keeps(
    change: Callable[[Table, int], Table],
) -> Callable[[tuple[Table, int]], str | None]:
    """Return the judge of a change that keeps a table k-anonymous."""

    def wrong(case: tuple[Table, int]) -> str | None:
        table, k = case
        changed = change(table, k)
        fewest = min(Counter(changed).values())
        return f"{changed}: a row has {fewest - 1} equals" if fewest < k else None

    return wrong


def _with_column(table: Table, _k: int) -> Table:
    return tuple((*row, "new") for row in table)


def _with_group(table: Table, k: int) -> Table:
    return table + (("new",) * len(table[0]),) * k


def _without_columns(table: Table, _k: int) -> Table:
    starred = [any(row[c] == "*" for row in table) for c in range(len(table[0]))]
    return tuple(
        tuple("*" if starred[c] else value for c, value in enumerate(row))
        for row in table
    )


def _without_rows(table: Table, _k: int) -> Table:
    return tuple(("*",) * len(row) if "*" in row else row for row in table)


def _edge(of: Callable[[Rule], bool]) -> Callable[[Random], str | None]:
    """Return a trial of the repaired reductions of a table of the text.

    Both sides are solved: yes with yes, or the same optimum.
    """
    rules = [rule for rule in RULES if of(rule)]

    def attempt(rng: Random) -> str | None:
        rule, table = rng.choice(rules), _table(rng)
        source, k = _limited(rng, rule, table), rng.choice([2, 3])
        instance = Suppression.named(str(rule.source), table, k, **source)
        found, wanted = (
            optimum_of(made)
            for made in (reduction_of(rule).forward(instance), instance)
        )
        if found == wanted or (rule.kind == "many-one" and None not in {found, wanted}):
            return None
        return f"{rule.name}: {instance.to_dict()} has {wanted}, its image {found}"

    return attempt


def _limited(rng: Random, rule: Rule, table: Table) -> dict[str, Any]:
    """Draw the limits and the order that the source of a rule has."""
    n, m = len(table), len(table[0])
    most = {"rows": n, "columns": m, "entries": n * m, "per_row": m, "per_column": n}
    fields: dict[str, Any] = {
        "limits": {
            quantity: rng.randint(0, most[quantity]) for quantity in rule.source.limits
        }
    }
    if rule.source.order:
        side = most[rule.source.order]
        members = rng.sample(range(side), side)
        cut = rng.randint(1, side - 1)
        fields[f"{rule.source.order[:-1]}_order"] = [members[:cut], members[cut:]]
    return fields


def _of_table(number: str) -> Callable[[Rule], bool]:
    """Tell which reductions are those of a table of the text."""
    chapter, _, kind = number.partition(".")
    many_one = chapter == "4"
    return lambda r: r.type == int(kind) and (r.kind == "many-one") == many_one


def _in_table(number: str) -> Trial:
    """Return the trial of the reductions of a table of the text, as repaired."""
    return Trial(
        f"its reductions on {_TABLES}, limits and orders at random",
        _edge(_of_table(number)),
    )


def _fared_in_table(number: str) -> str:
    """Tell how the reductions of a table fared on all small tables."""
    edges = [reduction_of(rule) for rule in RULES if _of_table(number)(rule)]
    printed = [check for edge in edges if (check := check_of(edge, repaired=False))]
    last = [check for edge in edges if (check := check_of(edge))]
    defined = [check for check in printed if check.instances]
    refuted = sum(check.refuting > 0 for check in defined)
    compared = sum(check.instances for check in last)
    assert len(printed) == len(last) == len(edges)
    assert not any(check.refuting for check in last)
    return (
        f"By scripts/reductions/check_reduction_web.py, on all tables of up to six "
        f"cells and on random ones: {len(edges)} reductions, of which as printed "
        f"{len(defined) - refuted} hold, refuted: {refuted}, not well-defined: "
        f"{len(edges) - len(defined)}. As repaired, if need be, all hold on "
        f"{compared:,} instances."
    )


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


def _packing(rng: Random) -> SetPacking:
    elements = rng.choice([3, 6, 6])
    every = list(combinations(range(elements), 3))
    most = min(5, len(every))
    return SetPacking(elements, rng.sample(every, rng.randint(elements // 3, most)))


def _reduces(
    source: str, target: str, kind: str = "metric", repaired: bool = False
) -> Trial:
    """Return the trial of a reduction from exact cover or packing by triples."""
    (reduction,) = (
        r
        for r in (*exact_cover.REDUCTIONS, *set_packing.REDUCTIONS)
        if (r.source, r.target, r.kind, r.repaired) == (source, target, kind, repaired)
    )
    family, draw = (_COVERS, _triples) if source == "X3C" else (_PACKINGS, _packing)
    return Trial(family, always(draw, partial(objection, reduction)))


def _template(kind: int, many_one: bool) -> Trial:
    """Return the trial of the template reduction of a type."""

    def of(rule: Rule) -> bool:
        template = rule.type == kind and not rule.printed
        return template and (rule.kind == "many-one") == many_one

    return Trial(f"{_TABLES}, limits and orders at random", _edge(of))


def _ends(many_one: bool) -> tuple[list[str], list[str]]:
    """Return the problems that no reduction leads to, and those that none leaves."""
    edges = [
        (str(rule.source), str(rule.target))
        for rule in RULES
        if (rule.kind == "many-one") == many_one
    ]
    sources, targets = ({edge[end] for edge in edges} for end in (0, 1))
    return sorted(sources - targets), sorted(targets - sources)


def _unsplit(rng: Random) -> str | None:
    """Look for k equal rows or more that are not parted into k to 2k - 1 each."""
    k = rng.randint(1, 9)
    rows = rng.randint(k, 60)
    parted = any(g * k <= rows <= g * (2 * k - 1) for g in range(1, rows + 1))
    return None if parted else f"{rows} rows, k = {k}"


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


def _many_triples(rng: Random) -> str | None:
    """Look for more than (3B - 2) times as many triples as a packing has."""
    problem = _packing(rng)
    often = max(sum(i in t for t in problem.sets) for i in range(problem.elements))
    packing = len(largest_packing(problem.sets))
    few = len(problem.sets) <= (3 * often - 2) * packing
    return None if few else f"{problem.to_dict()}: B = {often}, {packing} disjoint"


def _beyond_tree(rng: Random) -> str | None:
    """Lemma 5.3.1, Corollary 5.3.4: look for a tree that weighs less than its stars."""
    table = _table(rng)
    columns = range(len(table[0]))
    parents = [rng.randrange(row) for row in range(1, len(table))]
    weight = sum(
        table[row][c] != table[parent][c]
        for row, parent in enumerate(parents, start=1)
        for c in columns
    )
    stars = sum(len({row[c] for row in table}) > 1 for c in columns)
    return f"{table}, {parents}: {stars} > {weight}" if stars > weight else None


def _beyond_bounds(rng: Random) -> str | None:
    """Theorem 5.2.3: look for an optimum above the size of the table."""
    table = _table(rng)
    n, m = len(table), len(table[0])
    for name, most in (
        ("MIN-e-SUP", n * m), ("MIN-r'-SUP", m), ("MIN-c-DEL", m), ("MIN-c'-SUP", n),
    ):  # fmt: skip
        optimum = optimum_of(Suppression.named(name, table, 2))
        if optimum is not None and optimum > most:
            return f"{table}: {name} is {optimum}"
    return None


def _one_otherwise() -> object:
    """Return MIN-e-SUP of the table of 012, 013 with 1 in the place of i, and e."""
    triples, elements = [{0, 1, 2}, {0, 1, 3}], range(6)
    table = [[int(i not in t) for t in triples] for i in elements]
    least = optimum_of(Suppression.named("MIN-e-SUP", table, 3))
    return least, len(elements) * (len(triples) - 1)


_PATIENTS: Final = (
    (25, "Male", "Yes", 709, "Yes"),
    (25, "Male", "Yes", 709, "No"),
    (25, "Female", "No", 804, "No"),
    (40, "Male", "Yes", 807, "Yes"),
    (40, "Male", "No", 902, "Yes"),
    (40, "Male", "No", 902, "No"),
    (40, "Male", "No", 902, "Yes"),
)
"""Figure 2.6: age, gender, married, area code, cancer."""


def _marginal(*columns: int) -> list[int]:
    """Return how many patients have each combination of values, in order."""
    counts = Counter(tuple(row[c] for c in columns) for row in _PATIENTS)
    return [counts[values] for values in sorted(counts, key=str)]


def _figure_3_1() -> object:
    """Return what each column of the figure loses, and the optimum of its problem."""
    lost = [0] * 4
    for group, stars in (((0, 1, 2), (1, 2, 3)), ((3, 4), (2, 3))):
        for column in stars:
            lost[column] += len(group)
    table = [row[:4] for row in _PATIENTS]
    order = [[0], [1], [2], [3]]
    made = Suppression.named("MIN-c'-PART", table, 2, column_order=order)
    return lost, optimum_of(made)


def _rows_deleted(rng: Random) -> str | None:
    """Lemma 4.3.1, repaired: rows of less than k equals go, and others up to k."""
    table, k = _table(rng), rng.choice([2, 3])
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


def _suppressed(minimise: str) -> Callable[[Random], Suppression]:
    return lambda rng: Suppression(_table(rng), 2, minimise=minimise)


def _figure_2_12() -> object:
    patients = api.generate("k-ambiguity", "people")
    assert isinstance(patients, KAmbiguity)
    return (
        optimum_of(Suppression.named("MIN-e-SUP", patients.table, 2)),
        optimum_of(Suppression.named("MIN-c-DEL", patients.table, 2)),
        optimum_of(patients),
    )


CLAIMS: Final = (
    *(
        _claim(
            number,
            Kind.LEMMA,
            f"{kind} reductions are closed under composition and keep tractability.",
            untested="Complexity, and a theorem of another text.",
        )
        for number, kind in (
            ("Lemma 2.1.14", "Many-one"),
            ("Lemma 2.1.15", "Metric"),
            ("Lemma 2.1.16", "L-"),
        )
    ),
    _claim(
        "Lemma 2.1.17",
        Kind.LEMMA,
        "A many-one reduction by restriction or quasi-restriction is a metric and an "
        "L-reduction between the minimisations, with alpha = beta = 1.",
        undefined="The instances are to be (almost) identical, but that of a "
        "minimisation has no limit of what is minimised, which R may need: e = c n.",
        repair="Right where no formula needs it: types 1 and 3, and 2 with H* and P*.",
        repaired=Trial(
            f"the reductions of types 1 to 3 on {_TABLES}",
            _edge(lambda rule: rule.kind != "many-one" and rule.type < 4),
        ),
    ),
    _claim(
        "Figure 2.6",
        Kind.EXAMPLE,
        "A table of 7 people and 5 attributes, whose e_34 is 804.",
        trial=example(
            lambda: (len(_PATIENTS), {len(row) for row in _PATIENTS}, _PATIENTS[2][3]),
            (7, {5}, 804),
        ),
        nearby=("its list of attributes: four, Married is left out",),
    ),
    _claim(
        "Figures 2.12 to 2.14",
        Kind.EXAMPLE,
        "The seven patients, k = 2: 8 entries are enough, or 3 columns, or 4 entries "
        "for 2-ambiguity.",
        reading="These are the optima.",
        trial=example(_figure_2_12, (8, 3, 4)),
    ),
    _claim(
        "Figure 3.1",
        Kind.EXAMPLE,
        "Age before gender, married, area code: a 2-anonymization of which no column "
        "loses more than the next, and the last one 5.",
        trial=example(_figure_3_1, ([0, 3, 5, 5], 2)),
        nearby=(
            "5 is the least, which the text does not say: no, if x3 and x4 lose all "
            "they have each column loses 2",
        ),
    ),
    _claim(
        "Figure 3.2, marginals",
        Kind.EXAMPLE,
        "The counts of ages, and with area codes and marriage, and of cancer by area.",
        trial=example(
            lambda: [_marginal(*of) for of in ((0,), (0, 3), (0, 2), (4, 3))],
            [[3, 4], [2, 1, 1, 3], [1, 2, 3, 1], [1, 1, 1, 1, 1, 2]],
        ),
    ),
    _claim(
        "Figure 3.2, patient x4",
        Kind.EXAMPLE,
        "x4 is the only unmarried man of forty in area code 807.",
        witness="chaytor06_married",
        repair="The only man of forty in area code 807, and the only married one.",
        repaired=example(
            lambda: [
                [
                    i
                    for i, row in enumerate(_PATIENTS, 1)
                    if row[0] == 40 and row[c] == v
                ]
                for c, v in ((3, 807), (2, "Yes"))
            ],
            [[4], [4]],
        ),
    ),
    _claim(
        "section 3.3.1, k-partitions",
        Kind.STATEMENT,
        "A k-anonymous table is parted into groups of k to 2k - 1 equal rows.",
        trial=Trial("k to 60 equal rows, k up to 9", _unsplit),
    ),
    *(
        _claim(
            number,
            Kind.LEMMA,
            f"A k-anonymous table stays so with {said}.",
            trial=Trial(
                "tables of up to 18 rows with stars", always(_anonymous, _keeps(change))
            ),
        )
        for number, said, change in (
            ("Lemma 3.3.9", "a column of one value more", _with_column),
            ("Lemma 3.3.10", "a group of k equal rows more", _with_group),
            ("Lemma 3.3.11", "all columns deleted that have a star", _without_columns),
            ("Lemma 3.3.12", "all rows deleted that have a star", _without_rows),
        )
    ),
    _claim(
        "section 3.3.2, intersections",
        Kind.STATEMENT,
        "Problems of intersections of r rows and c columns are smaller instances of "
        "others of the family.",
        undefined="Of which problem and instance is not said: what is left outside of "
        "the intersection matters, too.",
    ),
    *(
        _claim(
            f"Lemma 4.1.{kind}",
            Kind.LEMMA,
            f"{said}: the template of type {kind}.",
            reading=reading,
            trial=_template(kind, many_one=True),
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
        _claim(
            f"Table {number}",
            Kind.REDUCTION,
            f"{said} (with its template, {lemma}).",
            reading="The answers of both sides are equal.",
            trial=_in_table(number),
            evidence=_fared_in_table(number),
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
    _claim(
        "Table 4.2",
        Kind.REDUCTION,
        "Many-one reductions add importance orders, by a new column or k new rows "
        "before the table (template: Lemma 4.1.2).",
        reading="Letters H and P: k new rows keep the answer.",
        witness="chaytor06_new_rows",
        repair="If n < k, H* and P* ask for more rows than there are.",
        repaired=_in_table("4.2"),
        evidence=_fared_in_table("4.2"),
    ),
    _claim(
        "Table 4.4",
        Kind.REDUCTION,
        "Many-one reductions lead from deletion to suppression in unions (template: "
        "Lemma 4.1.4).",
        reading="Letter V limits the entries to c n + r m - c r.",
        witness="chaytor06_union",
        repair="V* cuts c and r down to m and n first; the letters of r-c-DEL are "
        "those that the words of the modifications ask for.",
        repaired=_in_table("4.4"),
        evidence=_fared_in_table("4.4"),
        nearby=(
            "the letters as printed: all five of r-c-DEL confuse N, U, V and W, so "
            "that limits the target lacks are set and others are missing",
        ),
    ),
    _claim(
        "section 4.1.2, roots",
        Kind.STATEMENT,
        "Nothing leads to e-SUP, c-DEL, c'-SUP, r-DEL, r'-SUP, and nothing leaves "
        "r-c-e-SUP, r-c-r'-PART, r-c-c'-PART.",
        trial=example(
            lambda: _ends(many_one=True),
            (
                ["c'-SUP", "c-DEL", "e-SUP", "r'-SUP", "r-DEL"],
                ["r-c-c'-PART", "r-c-e-SUP", "r-c-r'-PART"],
            ),
        ),
    ),
    _claim(
        "Lemma 4.1.5, footnote",
        Kind.STATEMENT,
        "With 1 in the place of i in the table the reduction is wrong.",
        trial=example(_one_otherwise, (6, 6)),
        reading="012 and 013 of six elements do not cover, but e = 6 is enough.",
    ),
    *(
        _claim(
            number,
            Kind.COROLLARY if "Corollary" in number else Kind.LEMMA,
            f"Exact cover by triples reduces to {target}.",
            trial=_reduces("X3C", target, "many-one"),
            evidence=fared(f"[Chaytor06] {number}"),
        )
        for number, target in (
            ("Lemma 4.1.5", "e-SUP"),
            ("Corollary 4.1.6", "c-DEL"),
            ("Corollary 4.1.7", "r'-SUP"),
        )
    ),
    _claim(
        "Lemma 4.1.8",
        Kind.LEMMA,
        "A graph of 3q vertices without K_4 partitions into triangles iff c' = |V| - 3 "
        "is enough for its adjacency table, k = 3.",
        witness="chaytor06_keeps_others",
        repair="Right if three vertices with three common neighbours are a triangle. "
        "Exact cover reduces to c'-SUP by cyclic copies of its table.",
        repaired=_reduces("X3C", "c'-SUP", "many-one", repaired=True),
        evidence=fared("[Chaytor06] Lemma 4.1.8"),
    ),
    _claim(
        "Theorem 4.2.1",
        Kind.THEOREM,
        "All decision problems but r-DEL are NP-complete.",
        untested="Complexity. It follows from the repaired reductions; as printed "
        "eight problems lose their proof (the web of reductions).",
        evidence=_LOST,
    ),
    _claim(
        "Corollary 4.2.2",
        Kind.COROLLARY,
        "r-DEL alone has a polynomial algorithm, unless P = NP.",
        untested="Complexity. It follows from Theorem 4.2.1, and Lemma 4.3.1 repaired.",
    ),
    _claim(
        "Lemma 4.3.1",
        Kind.LEMMA,
        "r-DEL is solved by deleting the rows with less than k - 1 equals.",
        witness="chaytor06_deleted_rows",
        repair="Deleted rows need equals as well: others go with them, up to k in all.",
        repaired=Trial(_TABLES, _rows_deleted),
        degenerate="n < k is infeasible.",
    ),
    _claim(
        "section 4.3, one scheme",
        Kind.STATEMENT,
        "An instance of r-DEL has only one possible suppression scheme.",
        witness="chaytor06_many_schemes",
        repair="The rows of less than k - 1 equals always go; which others go with "
        "them is a choice, of one class at most.",
        repaired=Trial(_TABLES, _rows_deleted),
    ),
    *(
        _claim(
            f"Lemma 4.3.{number}",
            Kind.LEMMA,
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
    _claim(
        "Lemmas 4.3.2 to 4.3.4, proofs",
        Kind.STATEMENT,
        "The choices of rows and columns are at most n^r m^c <= 2^n 2^m.",
        witness="chaytor06_powers",
        repair="They are binomials, at most 2^n 2^m. And e <= n c + r (m - c), not "
        "the other way round.",
        repaired=Trial(_SCHEMES, _too_many_schemes),
    ),
    _claim(
        "Theorem 4.3.5",
        Kind.THEOREM,
        "All problems of the family are solved in O(n^2 m^2 2^(12nm)) time.",
        reading="The exponents of the images are within 12nm. Section 4.4 says m for "
        "m^2.",
        hypotheses="k <= n",
        trial=Trial("n and m up to 99", _greater_exponent),
    ),
    _claim(
        "Theorem 4.3.5, proof",
        Kind.STATEMENT,
        "3 (2n) (m + 1) is 6nm + 6m.",
        witness="chaytor06_exponent",
        repair="6nm + 6n, which is at most 12nm as well.",
        repaired=Trial("n and m up to 99", _greater_exponent),
    ),
    *(
        _claim(
            f"Lemma 5.1.1, type {kind}",
            Kind.LEMMA,
            f"{said}, by the template of type {kind}.",
            **told,
        )
        for kind, said, told in (
            (1, "MIN-c-DEL = r-MIN-c-DEL", {"trial": _template(1, many_one=False)}),
            (2, "MIN-c'-SUP = MIN-c'-PART", {"trial": _template(2, many_one=False)}),
            (3, "MIN-e-SUP = c-MIN-e-SUP", {"trial": _template(3, many_one=False)}),
            (
                4,
                "MIN-c-DEL = e-MIN-c-SUP",
                {
                    "undefined": "The limit is e = c n, and c is minimised.",
                    "repair": "e = m n.",
                    "repaired": _template(4, many_one=False),
                },
            ),
        )
    ),
    *(
        _claim(
            f"Table {number}",
            Kind.REDUCTION,
            f"The {count} L-reductions of type {number[-1]}, by the letters of Table "
            f"4.{number[-1]}.",
            reading="Optima are equal.",
            evidence=_fared_in_table(number),
            **told,
        )
        for number, count, told in (
            ("5.1", 22, {"trial": _in_table("5.1")}),
            (
                "5.2",
                16,
                {
                    "witness": "chaytor06_new_rows",
                    "repair": "H* and P* in the place of H and P.",
                    "repaired": _in_table("5.2"),
                },
            ),
            ("5.3", 15, {"trial": _in_table("5.3")}),
            (
                "5.4",
                20,
                {
                    "undefined": "16 make a limit of the minimised quantity, as e = "
                    "c n where c is minimised, or set what the target lacks.",
                    "repair": "A minimised c (r) stands for m (n), the letters are "
                    "those of the words, and V* takes the place of V.",
                    "repaired": _in_table("5.4"),
                },
            ),
        )
    ),
    _claim(
        "section 5.1.2, roots",
        Kind.STATEMENT,
        "Nothing leads to MIN-e-SUP, MIN-c-DEL, MIN-c'-SUP, MIN-r'-SUP, or MIN-r-DEL.",
        trial=example(
            lambda: _ends(many_one=False)[0],
            ["MIN-c'-SUP", "MIN-c-DEL", "MIN-e-SUP", "MIN-r'-SUP", "MIN-r-DEL"],
        ),
    ),
    *(
        _claim(
            f"Lemma 5.1.2 ({part})",
            Kind.LEMMA,
            f"MAX 3SP-B = {formula}.",
            evidence=fared(f"[Chaytor06] Lemma 5.1.2 ({part})"),
            **told,
        )
        for part, formula, told in (
            (
                "1",
                "MIN-e-SUP / (3 (m - 1))",
                {
                    "witness": "chaytor06_packing",
                    "repair": "(n m - MIN-e-SUP) / 3.",
                    "repaired": _reduces("MAX 3SP-B", "MIN-e-SUP", repaired=True),
                },
            ),
            (
                "2",
                "n MIN-r'-SUP / (3 (m - 1))",
                {
                    "witness": "chaytor06_packing",
                    "repair": "No formula can do for this table; another table does, "
                    "one block for every size of a packing.",
                    "repaired": _reduces("MAX 3SP-B", "MIN-r'-SUP", repaired=True),
                },
            ),
            ("3", "m - MIN-c-DEL", {"trial": _reduces("MAX 3SP-B", "MIN-c-DEL")}),
            (
                "4",
                "1 - 3m + MIN-c'-SUP / 3",
                {
                    "reading": "By MAX TP-B = (MIN-c'-SUP + 3) / 3, which is refuted; "
                    "012 of 6 elements gives 3 in place of 1.",
                    "witness": "chaytor06_packing_by_columns",
                    "repair": "(n m - MIN-c'-SUP) / 3 on cyclic copies; there is none "
                    "for MAX TP-B.",
                    "nearby": (
                        "its proof in two steps. "
                        + fared("[Chaytor06] Lemma 5.1.2, proof of (4)").rstrip("."),
                    ),
                    "repaired": _reduces("MAX 3SP-B", "MIN-c'-SUP", repaired=True),
                },
            ),
        )
    ),
    _claim(
        "Lemma 5.1.3",
        Kind.LEMMA,
        "MIN-c-DEL <= (B - 1) MAX 3SP-B: an L-reduction with alpha = B - 1.",
        witness="chaytor06_alpha",
        repair="alpha = 3 (B - 1), which is attained; still APX-hard.",
        repaired=_reduces("MAX 3SP-B", "MIN-c-DEL", "L", repaired=True),
        evidence=fared("[Chaytor06] Lemma 5.1.3"),
    ),
    _claim(
        "Lemma 5.1.3, triples",
        Kind.STATEMENT,
        "There are at most B times as many triples as a packing has.",
        reading="For any triples, as the proof takes it from its reference.",
        witness="chaytor06_many_triples",
        repair="3B - 2 times: every triple meets one of the packing, each of which "
        "meets 3 (B - 1) others at most.",
        repaired=Trial(_PACKINGS, _many_triples),
    ),
    _claim(
        "section 5.1.3, speculation",
        Kind.STATEMENT,
        "There are no L-reductions from MAX 3SP-B to MIN-e-SUP or MIN-r'-SUP.",
        untested="A guess about all reductions.",
    ),
    _claim(
        "Appendix A",
        Kind.STATEMENT,
        "Limits are positive integers.",
        undefined="Reductions of type 1 set r or c to 0.",
        repair="Limits of 0 are allowed.",
        repaired=_in_table("4.1"),
    ),
    _claim(
        "Theorem 5.2.1",
        Kind.THEOREM,
        "All optimal-cost problems that are NP-hard are OptP[O(log n)]-hard.",
        untested="Complexity. Eleven that minimise r have no way there but from "
        "MIN-r-DEL, which is polynomial: open. As printed 26 others lose their proof; "
        "by the repaired reductions all of these have one.",
        evidence=_LOST,
    ),
    _claim(
        "Corollary 5.2.2",
        Kind.COROLLARY,
        "No NP-hard minimisation of the family has an algorithm of bounded absolute "
        "error, unless P = NP.",
        untested="Complexity. It follows from Theorem 5.2.1, with the same gaps.",
    ),
    _claim(
        "Theorem 5.2.3",
        Kind.THEOREM,
        "No NP-hard minimisation of the family has an FPTAS, unless P = NP.",
        untested="Complexity. It follows from NP-hardness and from the bounds below.",
    ),
    _claim(
        "Theorem 5.2.3, bounds",
        Kind.STATEMENT,
        "No solution that minimises e, r', c or c' costs more than nm, m, m or n.",
        trial=Trial(_TABLES, _beyond_bounds),
        nearby=("of r nothing is said: n",),
    ),
    _claim(
        "Theorem 5.2.4",
        Kind.THEOREM,
        "All NP-hard optimisation problems that branch out from MIN-c-DEL in the web "
        "of L-reductions, itself among them, are APX-hard.",
        reading="MIN-c-DEL and the eleven problems that Tables 5.1 to 5.4 lead to.",
        untested="Complexity. As printed all lose their proof with Lemma 5.1.3; by its "
        "repair all have one.",
        evidence=_LOST,
    ),
    _claim(
        "Corollary 5.2.5",
        Kind.COROLLARY,
        "None of these has a PTAS, unless P = NP.",
        untested="Complexity. It follows from Theorem 5.2.4.",
    ),
    _claim(
        "Lemma 5.3.1 and Corollary 5.3.4, trees",
        Kind.STATEMENT,
        "A group has stars in no more columns than any tree on its rows weighs.",
        trial=Trial(_TABLES, _beyond_tree),
    ),
    *(
        _claim(
            number,
            Kind.LEMMA if "Lemma" in number else Kind.COROLLARY,
            f"{problem} has an algorithm of ratio {ratio}.",
            reading=f"{sharper}, by {name}. That trees weigh OPT at most does not "
            "follow by construction; the proof in forest.py is by nearest neighbours.",
            trial=Trial(_TABLES, promise_kept(_suppressed(minimise), [name])),
        )
        for number, problem, ratio, sharper, name, minimise in (
            (
                "Lemma 5.3.1",
                "MIN-e-SUP",
                "3k - 3",
                "3k - 3",
                "forest-entries",
                "entries",
            ),
            (
                "Corollary 5.3.2",
                "MIN-r'-SUP",
                "O(n)",
                "min(n - 1, 3k - 4)",
                "forest-per-row",
                "per_row",
            ),
            (
                "Corollary 5.3.3",
                "MIN-c'-SUP",
                "O(mk)",
                "min(n / k, m (3k - 3))",
                "forest-per-column",
                "per_column",
            ),
            (
                "Corollary 5.3.4",
                "MIN-c-DEL",
                "O(n)",
                "min(n - 1, m)",
                "forest-columns",
                "columns",
            ),
        )
    ),
)
"""The claims of [Chaytor06], in the order of the text."""
