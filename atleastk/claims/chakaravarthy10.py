"""The claims of [Chakaravarthy10]: k-anonymity with few columns.

[Chakaravarthy10] V. T. Chakaravarthy, V. Pandit, Y. Sabharwal, "On the Complexity of
the k-Anonymization Problem", 2010.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random
from typing import Final

from atleastk import api
from atleastk.claims.claim import Kind, Trial, claims_of_paper
from atleastk.claims.sources import objection
from atleastk.claims.trials import always, fared, optimum_of
from atleastk.instances.k_anonymity import KAnonymity
from atleastk.instances.reductions.vertex_cover import (
    REDUCTIONS,
    CubicVertexCover,
    base_cost,
    cover_back,
    to_k_anonymity,
)
from atleastk.models.k_anonymity import cells_of, suppressed
from atleastk.packages import nx
from atleastk.solvers.brute_force import k_anonymity as judge
from atleastk.solvers.brute_force.combinatorial import is_vertex_cover

__all__ = ["CLAIMS"]

_claim: Final = claims_of_paper("Chakaravarthy10")
_CUBIC: Final = "random cubic graphs of 4 and 6 vertices"
_TABLES: Final = "tables of k to 7 rows, 1 to 3 columns of 2 or 3 values, k = 2, 3"


def _graph(rng: Random) -> CubicVertexCover:
    n = rng.choice([4, 6])
    edges = nx.random_regular_graph(3, n, seed=rng.randrange(2**31)).edges
    return CubicVertexCover(n, tuple(sorted(tuple(sorted(edge)) for edge in edges)))


def _table(rng: Random) -> KAnonymity:
    k, values = rng.choice([2, 2, 3]), rng.choice([2, 3])
    n, m = rng.randint(k, 7), rng.randint(1, 3)
    return KAnonymity([[rng.randrange(values) for _ in range(m)] for _ in range(n)], k)


def _reduces(kind: str) -> Trial:
    (reduction,) = (r for r in REDUCTIONS if r.kind == kind)
    return Trial(_CUBIC, always(_graph, partial(objection, reduction)))


def _no_cover_back(graph: CubicVertexCover) -> str | None:
    """Claims 2 to 4: every solution gives a cover of no more than it costs extra."""
    table = to_k_anonymity(graph)
    for name in ("approx-cf", "approx-dr", "approx-gr"):
        made = api.approximate(table, name)
        assert made.cost is not None
        assert made.solution is not None
        cover = cover_back(graph, cells_of(suppressed(table, made.solution)))
        extra = made.cost - base_cost(graph)
        if not is_vertex_cover(graph, cover) or len(cover) > extra:
            return f"{name}: extra {extra}, {cover}"
    return None


def _patterns_miss(instance: KAnonymity) -> str | None:
    """Compare the program over patterns with all partitions."""
    best = judge.optimum(instance)
    found = api.solve(instance, method="patterns", workers=1).cost
    wanted = None if best is None else best[0]
    return None if found == wanted else f"patterns {found}, partitions {wanted}"


def _rare_rows_cost_more(instance: KAnonymity) -> str | None:
    """Suppress rows of less than k equals, and others up to k; compare with 2m OPT."""
    rows, k = [tuple(row) for row in instance.table], instance.k
    classes = Counter(rows)
    hidden = sum(size for size in classes.values() if size < k)
    if 0 < hidden < k:
        need = k - hidden
        hidden += min(
            need if size >= k + need else size for size in classes.values() if size >= k
        )
    optimum = optimum_of(instance)
    assert optimum is not None
    return f"{hidden} rows, the optimum {optimum}" if hidden > 2 * optimum else None


CLAIMS: Final = (
    _claim(
        "Theorem 3.1",
        Kind.REDUCTION,
        "A cubic graph of r vertices and e edges has a cover of t vertices iff its "
        "table of three columns, k = 7, has a solution of 27 r + 2 e + 14 + t.",
        reading="The optimum is 27 r + 2 e + 14 and that of the cover.",
        trial=_reduces("metric"),
        evidence="All connected cubic graphs of 4 to 10 vertices. "
        + fared("[Chakaravarthy10] Theorem 3.1"),
    ),
    _claim(
        "Claims 2 to 4",
        Kind.LEMMA,
        "Any solution gives a cover of at most as many vertices as it costs extra.",
        reading="Solutions of three approximation algorithms; imperfect vertices, and "
        "one end of every edge that is left.",
        trial=Trial(_CUBIC, always(_graph, _no_cover_back)),
    ),
    _claim(
        "Theorem 3.2",
        Kind.THEOREM,
        "The reduction is an L-reduction.",
        reading="alpha = 61 + 14 / VC, which the text does not give; beta = 1.",
        trial=_reduces("L"),
        evidence="All connected cubic graphs of 4 to 10 vertices. "
        + fared("[Chakaravarthy10] Theorem 3.2"),
    ),
    _claim(
        "Corollary 3.3",
        Kind.COROLLARY,
        "From 100/99 for cubic graphs follows 6238/6237 = 1 + 1 / (99 * 63).",
        reading="It takes MIN-e <= 63 VC.",
        witness="chakaravarthy10_not_63",
        repair="63 holds for covers of 7 vertices and more, and small ones are easy, "
        "so the corollary stands; any factor below 6040/6039 is hard.",
        nearby=("61 + 14 / VC in place of 63: holds, and K_{3,3} attains it",),
    ),
    _claim(
        "section 4, patterns",
        Kind.STATEMENT,
        "There are (|S| + 1)^(m + 1) patterns of m columns and stars.",
        reading="As the text spells the exponent; both are constants there.",
        witness="chakaravarthy10_patterns",
        repair="(|S| + 1)^m, and nothing else changes.",
    ),
    _claim(
        "section 4, program",
        Kind.STATEMENT,
        "The best of the integer programs over sets of open patterns is the optimum.",
        reading="As one program, with a variable for every open pattern.",
        trial=Trial(_TABLES, always(_table, _patterns_miss)),
    ),
    _claim(
        "section 5, all cells",
        Kind.STATEMENT,
        "Suppressing all cells is within O(m) of the optimum.",
        reading="Within m times, for any number of rows.",
        witness="chakaravarthy10_all_cells",
        repair="Suppress the rows of less than k equals, and others if they are few, "
        "2k - 1 at most: all rows of groups that are not equal pay, so 2m OPT holds.",
        repaired=Trial(_TABLES, always(_table, _rare_rows_cost_more)),
        nearby=(
            "any constant times m: no, n zeros and a one cost n + 1 against 2",
            "tables without two equal rows: every row pays a cell, so m OPT holds",
        ),
    ),
)
"""The claims of [Chakaravarthy10], in the order of the text."""
