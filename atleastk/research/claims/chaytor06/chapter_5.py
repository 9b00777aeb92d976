"""[Chaytor06] chapter 5, approximation: Tables 5.1 to 5.4, packing, forests."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.packages import nx
from atleastk.research.claims.chaytor06.tables import TABLES, small_table
from atleastk.research.claims.chaytor06.triples import PACKINGS, reduces, small_packing
from atleastk.research.claims.chaytor06.web import (
    LOST,
    ends,
    fared_in_table,
    in_table,
    template,
)
from atleastk.research.claims.claim import Kind, Trial, claim
from atleastk.research.claims.trials import (
    example,
    fared,
    least_cost,
    optimum_of,
    promise,
)
from atleastk.solvers.brute_force.combinatorial import largest_packing
from atleastk.solvers.tables.forest import forest


def _many_triples(rng: Random) -> str | None:
    """Look for more than (3B - 2) times as many triples as a packing has."""
    problem = small_packing(rng)
    often = max(sum(i in t for t in problem.sets) for i in range(problem.elements))
    packing = len(largest_packing(problem.sets))
    few = len(problem.sets) <= (3 * often - 2) * packing
    return None if few else f"{problem.to_dict()}: B = {often}, {packing} disjoint"


def _beyond_tree(rng: Random) -> str | None:
    """Lemma 5.3.1, Corollary 5.3.4: look for a tree that weighs less than its stars."""
    table = small_table(rng)
    columns = range(len(table[0]))
    parents = [rng.randrange(row) for row in range(1, len(table))]
    weight = sum(
        table[row][c] != table[parent][c]
        for row, parent in enumerate(parents, start=1)
        for c in columns
    )
    stars = sum(len({row[c] for row in table}) > 1 for c in columns)
    return f"{table}, {parents}: {stars} > {weight}" if stars > weight else None


def _unbroken(rng: Random) -> str | None:
    """Look for a tree above 3k - 3 rows that has no two parts of k, row u in both."""
    k = rng.randint(2, 5)
    n = rng.randint(3 * k - 2, 3 * k + 3)
    tree = nx.Graph((row, rng.randrange(row)) for row in range(1, n))
    for u in tree:
        sums = {0}
        for part in nx.connected_components(nx.restricted_view(tree, [u], [])):
            sums |= {held + len(part) for held in sums}
        if any(k <= held <= n - k for held in sums):
            return None
    return f"k = {k}, {sorted(tree.edges)}: in one piece"


def _above_optimum(rng: Random) -> str | None:
    """Look for a forest of nearest rows that weighs more than the fewest entries."""
    table, k = small_table(rng), rng.choice([2, 3])
    if len(table) < k:
        return None
    records = Records.of(table, len(table[0]))
    parents = forest(records, k).tolist()
    codes = records.codes
    weight = sum(
        int((codes[row] != codes[parent]).sum())
        for row, parent in enumerate(parents)
        if parent >= 0
    )
    optimum = least_cost(KAnonymity(table, k))
    return f"{table}: {weight} > {optimum}" if weight > optimum else None


def _beyond_bounds(rng: Random) -> str | None:
    """Theorem 5.2.3: look for an optimum above the size of the table."""
    table = small_table(rng)
    n, m = len(table), len(table[0])
    for name, most in (
        ("MIN-e-SUP", n * m), ("MIN-r'-SUP", m), ("MIN-c-DEL", m), ("MIN-c'-SUP", n),
    ):  # fmt: skip
        optimum = optimum_of(Suppression.named(name, table, 2))
        if optimum is not None and optimum > most:
            return f"{table}: {name} is {optimum}"
    return None


def _suppressed(cost: str) -> Callable[[Random], Suppression]:
    minimise = cost.replace("-", "_")
    return lambda rng: Suppression(small_table(rng), 2, minimise=minimise)


CLAIMS: Final = (
    *(
        claim(
            f"Lemma 5.1.1, type {kind}",
            f"{said}, by the template of type {kind}.",
            kind=Kind.LEMMA,
            **fields,
        )
        for kind, said, fields in (
            (1, "MIN-c-DEL = r-MIN-c-DEL", {"trial": template(1, many_one=False)}),
            (2, "MIN-c'-SUP = MIN-c'-PART", {"trial": template(2, many_one=False)}),
            (3, "MIN-e-SUP = c-MIN-e-SUP", {"trial": template(3, many_one=False)}),
            (
                4,
                "MIN-c-DEL = e-MIN-c-SUP",
                {
                    "undefined": "The limit is e = c n, and c is minimised.",
                    "repair": "e = m n.",
                    "repaired": template(4, many_one=False),
                },
            ),
        )
    ),
    *(
        claim(
            f"Table {number}",
            f"The {count} L-reductions of type {number[-1]}, by the letters of Table "
            f"4.{number[-1]}.",
            reading="Optima are equal.",
            evidence=fared_in_table(number),
            **fields,
        )
        for number, count, fields in (
            ("5.1", 22, {"trial": in_table("5.1")}),
            (
                "5.2",
                16,
                {
                    "counter_example": "chaytor06 new_rows",
                    "repair": "H* and P* in the place of H and P.",
                    "repaired": in_table("5.2"),
                },
            ),
            ("5.3", 15, {"trial": in_table("5.3")}),
            (
                "5.4",
                20,
                {
                    "undefined": "16 make a limit of the minimised quantity, as e = "
                    "c n where c is minimised, or set what the target lacks.",
                    "repair": "A minimised c (r) stands for m (n), the letters are "
                    "those of the words, and V* takes the place of V.",
                    "repaired": in_table("5.4"),
                },
            ),
        )
    ),
    claim(
        "section 5.1.2, roots",
        "Nothing leads to MIN-e-SUP, MIN-c-DEL, MIN-c'-SUP, MIN-r'-SUP, or MIN-r-DEL.",
        trial=example(
            lambda: ends(many_one=False)[0],
            ["MIN-c'-SUP", "MIN-c-DEL", "MIN-e-SUP", "MIN-r'-SUP", "MIN-r-DEL"],
        ),
    ),
    *(
        claim(
            f"Lemma 5.1.2 ({part})",
            f"MAX 3SP-B = {formula}.",
            evidence=fared(f"[Chaytor06] Lemma 5.1.2 ({part})"),
            **fields,
        )
        for part, formula, fields in (
            (
                "1",
                "MIN-e-SUP / (3 (m - 1))",
                {
                    "counter_example": "chaytor06 packing",
                    "repair": "(n m - MIN-e-SUP) / 3.",
                    "repaired": reduces("MAX 3SP-B", "MIN-e-SUP", repaired=True),
                },
            ),
            (
                "2",
                "n MIN-r'-SUP / (3 (m - 1))",
                {
                    "counter_example": "chaytor06 packing",
                    "repair": "No formula can do for this table; another table does, "
                    "one block for every size of a packing.",
                    "repaired": reduces("MAX 3SP-B", "MIN-r'-SUP", repaired=True),
                },
            ),
            ("3", "m - MIN-c-DEL", {"trial": reduces("MAX 3SP-B", "MIN-c-DEL")}),
            (
                "4",
                "1 - 3m + MIN-c'-SUP / 3",
                {
                    "reading": "By MAX TP-B = (MIN-c'-SUP + 3) / 3, which is refuted; "
                    "012 of 6 elements gives 3 in place of 1.",
                    "counter_example": "chaytor06 packing_by_columns",
                    "repair": "(n m - MIN-c'-SUP) / 3 on cyclic copies; there is none "
                    "for MAX TP-B.",
                    "nearby": (
                        "its proof in two steps. "
                        + fared("[Chaytor06] Lemma 5.1.2, proof of (4)").rstrip("."),
                    ),
                    "repaired": reduces("MAX 3SP-B", "MIN-c'-SUP", repaired=True),
                },
            ),
        )
    ),
    claim(
        "Lemma 5.1.3",
        "MIN-c-DEL <= (B - 1) MAX 3SP-B: an L-reduction with alpha = B - 1.",
        counter_example="chaytor06 alpha",
        repair="alpha = 3 (B - 1), which is attained; still APX-hard.",
        repaired=reduces("MAX 3SP-B", "MIN-c-DEL", "L", repaired=True),
        evidence=fared("[Chaytor06] Lemma 5.1.3"),
    ),
    claim(
        "Lemma 5.1.3, triples",
        "There are at most B times as many triples as a packing has.",
        reading="For any triples, as the proof takes it from its reference.",
        counter_example="chaytor06 many_triples",
        repair="3B - 2 times: every triple meets one of the packing, each of which "
        "meets 3 (B - 1) others at most.",
        repaired=Trial(PACKINGS, _many_triples),
    ),
    claim(
        "section 5.1.3, speculation",
        "There are no L-reductions from MAX 3SP-B to MIN-e-SUP or MIN-r'-SUP.",
        untested="A guess about all reductions.",
    ),
    claim(
        "Appendix A",
        "Limits are positive integers.",
        undefined="Reductions of type 1 set r or c to 0.",
        repair="Limits of 0 are allowed.",
        repaired=in_table("4.1"),
    ),
    claim(
        "Theorem 5.2.1",
        "All optimal-cost problems that are NP-hard are OptP[O(log n)]-hard.",
        untested="Complexity. Eleven that minimise r have no way there but from "
        "MIN-r-DEL, which is polynomial: open. As printed 26 others lose their proof; "
        "by the repaired reductions all of these have one.",
        evidence=LOST,
    ),
    claim(
        "Corollary 5.2.2",
        "No NP-hard minimisation of the family has an algorithm of bounded absolute "
        "error, unless P = NP.",
        untested="Complexity. It follows from Theorem 5.2.1, with the same gaps.",
    ),
    claim(
        "Theorem 5.2.3",
        "No NP-hard minimisation of the family has an FPTAS, unless P = NP.",
        untested="Complexity. It follows from NP-hardness and from the bounds below.",
    ),
    claim(
        "Theorem 5.2.3, bounds",
        "No solution that minimises e, r', c or c' costs more than nm, m, m or n.",
        trial=Trial(TABLES, _beyond_bounds),
        nearby=("of r nothing is said: n",),
    ),
    claim(
        "Theorem 5.2.4",
        "All NP-hard optimisation problems that branch out from MIN-c-DEL in the web "
        "of L-reductions, itself among them, are APX-hard.",
        reading="MIN-c-DEL and the eleven problems that Tables 5.1 to 5.4 lead to.",
        untested="Complexity. As printed all lose their proof with Lemma 5.1.3; by its "
        "repair all have one.",
        evidence=LOST,
    ),
    claim(
        "Corollary 5.2.5",
        "None of these has a PTAS, unless P = NP.",
        untested="Complexity. It follows from Theorem 5.2.4.",
    ),
    claim(
        "section 5.3, DECOMPOSE-COMPONENT",
        "A tree of more than 3k - 3 rows is broken into two components of k or more.",
        reading="Components have no row in common, and k >= 2.",
        counter_example="chaytor06 star",
        repair="The components share no edge, but one row may belong to both trees: it "
        "is counted in one of them, as [Aggarwal05] has it with Steiner points.",
        repaired=Trial("trees of 3k - 2 to 3k + 3 rows, k from 2 to 5", _unbroken),
        evidence="All 11,670 trees of 4 to 8 rows for k = 2, of 7 and 8 for k = 3, "
        "each row joined to one before it: all break as repaired, 698 at no edge.",
        degenerate="k = 1: a tree of one row is above 0.",
    ),
    claim(
        "Lemma 5.3.1, cost by weight",
        "The cost of a forest divided by its weight is OPT at most.",
        reading="For the trees of FOREST, none of them above 3k - 3 rows.",
        counter_example="chaytor06 cost_by_weight",
        repair="It is at most the size of the greatest tree, by the charge of its "
        "rows; the proof needs no more of it.",
        repaired=Trial(TABLES, _beyond_tree),
    ),
    claim(
        "Lemma 5.3.1, weight",
        "A forest weighs OPT at most, since its cost divided by its weight does.",
        reading="For any trees of k rows or more, none above 3k - 3.",
        counter_example="chaytor06 weight",
        repair="An edge of FOREST is no longer than the distance from its root to the "
        "(k - 1)-th nearest row, which that row pays in every solution: so the edges "
        "weigh OPT at most.",
        repaired=Trial(TABLES, _above_optimum),
    ),
    claim(
        "Lemma 5.3.1 and Corollary 5.3.4, trees",
        "A group has stars in no more columns than any tree on its rows weighs.",
        trial=Trial(TABLES, _beyond_tree),
    ),
    *(
        claim(
            number,
            f"{problem} has an algorithm of ratio {ratio}.",
            reading=f"{sharper}, by forest-{cost}. That trees weigh OPT at most does "
            "not follow by construction; the proof in forest.py is by nearest "
            "neighbours.",
            trial=promise(TABLES, _suppressed(cost), f"forest-{cost}"),
        )
        for number, problem, ratio, sharper, cost in (
            ("Lemma 5.3.1", "MIN-e-SUP", "3k - 3", "3k - 3", "entries"),
            ("Corollary 5.3.2", "MIN-r'-SUP", "O(n)", "min(n - 1, 3k - 4)", "per-row"),
            (
                "Corollary 5.3.3",
                "MIN-c'-SUP",
                "O(mk)",
                "min(n / k, m (3k - 3))",
                "per-column",
            ),
            ("Corollary 5.3.4", "MIN-c-DEL", "O(n)", "min(n - 1, m)", "columns"),
        )
    ),
)
