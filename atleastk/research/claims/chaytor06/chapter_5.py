"""[Chaytor06] chapter 5, approximation: Tables 5.1 to 5.4, packing, forests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.records import Records
from atleastk.instances.suppression import Suppression
from atleastk.packages import nx
from atleastk.research.claims.chaytor06.drawn import (
    PACKINGS,
    TABLES,
    reduces,
    small_packing,
    small_table,
)
from atleastk.research.claims.chaytor06.web import (
    ends,
    fared_in_table,
    in_table,
    template,
)
from atleastk.research.claims.claim import Trial
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


_TABLES: Final = "5.1", "5.2", "5.3", "5.4"

TRIALS: Final[Mapping[str, Trial]] = {
    **{
        f"Lemma 5.1.1, type {kind}": template(kind, many_one=False)
        for kind in range(1, 5)
    },
    **{f"Table {number}": in_table(number) for number in _TABLES},
    "section 5.1.2, roots": example(
        lambda: ends(many_one=False)[0],
        ["MIN-c'-SUP", "MIN-c-DEL", "MIN-e-SUP", "MIN-r'-SUP", "MIN-r-DEL"],
    ),
    "Lemma 5.1.2 (1)": reduces("MAX 3SP-B", "MIN-e-SUP", repaired=True),
    "Lemma 5.1.2 (2)": reduces("MAX 3SP-B", "MIN-r'-SUP", repaired=True),
    "Lemma 5.1.2 (3)": reduces("MAX 3SP-B", "MIN-c-DEL"),
    "Lemma 5.1.2 (4)": reduces("MAX 3SP-B", "MIN-c'-SUP", repaired=True),
    "Lemma 5.1.3": reduces("MAX 3SP-B", "MIN-c-DEL", "L", repaired=True),
    "Lemma 5.1.3, triples": Trial(PACKINGS, _many_triples),
    "Appendix A": in_table("4.1"),
    "Theorem 5.2.3, bounds": Trial(TABLES, _beyond_bounds),
    "section 5.3, DECOMPOSE-COMPONENT": Trial(
        "trees of 3k - 2 to 3k + 3 rows, k from 2 to 5", _unbroken
    ),
    "Lemma 5.3.1, cost by weight": Trial(TABLES, _beyond_tree),
    "Lemma 5.3.1, weight": Trial(TABLES, _above_optimum),
    "Lemma 5.3.1 and Corollary 5.3.4, trees": Trial(TABLES, _beyond_tree),
    **{
        number: promise(TABLES, _suppressed(cost), f"forest-{cost}")
        for number, cost in (
            ("Lemma 5.3.1", "entries"),
            ("Corollary 5.3.2", "per-row"),
            ("Corollary 5.3.3", "per-column"),
            ("Corollary 5.3.4", "columns"),
        )
    },
}

_REDUCTIONS: Final = (*(f"Lemma 5.1.2 ({part})" for part in range(1, 5)), "Lemma 5.1.3")

EVIDENCE: Final[Mapping[str, str]] = {
    **{f"Table {number}": fared_in_table(number) for number in _TABLES},
    **{number: fared(f"[Chaytor06] {number}") for number in _REDUCTIONS},
    "Lemma 5.1.2 (4)": " Its proof in two steps: ".join(
        fared(f"[Chaytor06] Lemma 5.1.2{place}") for place in (" (4)", ", proof of (4)")
    ),
}
