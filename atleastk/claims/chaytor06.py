"""The claims of [Chaytor06]: suppression that preserves use, and its web of reductions.

[Chaytor06] R. Chaytor, "Utility-Preserving k-Anonymity", 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import combinations
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

__all__ = ["CLAIMS"]

_claim: Final = claims_of_paper("Chaytor06")
Table = tuple[tuple[Any, ...], ...]
_TABLES: Final = "tables of 2 to 5 rows, 2 or 3 columns of 3 values, k = 2, 3"
_LOST: Final = (
    "Which these are: benchmarks/reduction_web.md, by "
    "scripts/reductions/check_reduction_web.py."
)
_TRIPLES: Final = "up to 5 triples of 3 or 6 elements, enough for a cover"


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
    elements = rng.choice([3, 6, 6])
    every = list(combinations(range(elements), 3))
    return ExactCover(
        elements, rng.sample(every, rng.randint(elements // 3, min(5, len(every))))
    )


def _packing(rng: Random) -> SetPacking:
    problem = _triples(rng)
    return SetPacking(problem.elements, problem.sets)


def _reduces(
    source: str, target: str, kind: str = "metric", repaired: bool = False
) -> Trial:
    """Return the trial of a reduction from exact cover or packing by triples."""
    (reduction,) = (
        r
        for r in (*exact_cover.REDUCTIONS, *set_packing.REDUCTIONS)
        if (r.source, r.target, r.kind, r.repaired) == (source, target, kind, repaired)
    )
    draw = _triples if source == "X3C" else _packing
    return Trial(_TRIPLES, always(draw, partial(objection, reduction)))


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
    _claim(
        "Figures 2.12 to 2.14",
        Kind.EXAMPLE,
        "The seven patients, k = 2: 8 entries are enough, or 3 columns, or 4 entries "
        "for 2-ambiguity.",
        reading="These are the optima.",
        trial=example(_figure_2_12, (8, 3, 4)),
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
        "Lemma 4.3.1",
        Kind.LEMMA,
        "r-DEL is solved by deleting the rows with less than k - 1 equals.",
        witness="chaytor06_deleted_rows",
        repair="Deleted rows need equals as well: others go with them, up to k in all.",
        repaired=Trial(_TABLES, _rows_deleted),
        degenerate="n < k is infeasible.",
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
        "Theorem 5.2.4",
        Kind.THEOREM,
        "MIN-c-DEL and the eleven optimal-cost problems it leads to are APX-hard.",
        untested="Complexity. As printed all lose their proof with Lemma 5.1.3; by its "
        "repair all have one.",
        evidence=_LOST,
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
