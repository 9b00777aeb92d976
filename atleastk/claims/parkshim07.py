"""The claims of [ParkShim07]: k-anonymity by suppression, its greedy algorithms.

[ParkShim07] H. Park, K. Shim, "Approximate Algorithms for k-Anonymity", SIGMOD 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import log
from random import Random
from typing import Any, Final, NamedTuple

from atleastk import api
from atleastk.claims.claim import Kind, Trial, claims_of_paper
from atleastk.claims.trials import (
    always,
    example,
    optimum_of,
    partitions,
    promise_kept,
)
from atleastk.instances.datasets.adult import adult
from atleastk.instances.k_anonymity import KAnonymity

__all__ = ["CLAIMS"]

_claim: Final = claims_of_paper("ParkShim07")
Row = tuple[Any, ...]
Rows = Sequence[Row]
Group = frozenset[int]
"""Rows by their numbers."""

_TABLES: Final = "tables of k to 7 rows, 1 to 4 columns of 3 values, k up to 3"
_FIGURE_1: Rows = (
    ("20~29", "Single", "USA", "Male"),
    ("30~39", "Divorce", "China", "Female"),
    ("20~29", "Single", "USA", "Female"),
    ("30~39", "Separation", "Korea", "Female"),
)
_FIGURE_2: Rows = (
    ("20~29", "Single", "USA", "Female", "Master"),
    ("20~29", "Single", "USA", "Female", "Doctor"),
    ("20~29", "Single", "China", "Male", "Master"),
    ("20~29", "Single", "China", "Male", "Doctor"),
    ("20~29", "Divorce", "USA", "Male", "Master"),
    ("20~29", "Divorce", "USA", "Male", "Doctor"),
    ("30~39", "Single", "USA", "Male", "Master"),
    ("30~39", "Single", "USA", "Male", "Doctor"),
)


_BITS: Rows = tuple(map(tuple, ("1010", "1110", "0110")))


def _length(rows: Rows, group: Iterable[int]) -> int:
    """Return a(S): in how many columns the rows of a group differ."""
    return sum(
        len(set(column)) > 1 for column in zip(*(rows[i] for i in group), strict=True)
    )


def _diameter(rows: Rows, group: Iterable[int]) -> int:
    """Return d(S): in how many columns two rows of a group differ at most."""
    pairs = combinations([rows[i] for i in group], 2)
    return max(
        (sum(a != b for a, b in zip(u, v, strict=True)) for u, v in pairs), default=0
    )


def _of_size(rows: Rows, k: int) -> list[list[Group]]:
    """Return all (k, 2k - 1)-partitions."""
    return list(partitions(tuple(range(len(rows))), k, 2 * k - 1))


def _cost(rows: Rows, groups: Iterable[Group]) -> int:
    """Return how many cells a partition suppresses."""
    return sum(len(group) * _length(rows, group) for group in groups)


def _total(
    measure: Callable[[Rows, Group], int], rows: Rows, groups: Iterable[Group]
) -> int:
    return sum(measure(rows, group) for group in groups)


Case = tuple[Rows, int]
"""A table and k, with k rows at least."""


def _table(rng: Random) -> Case:
    k = rng.choice([1, 2, 2, 2, 3, 3])
    n, m = rng.randint(k, 7), rng.randint(1, 4)
    rows = tuple(tuple(rng.randrange(3) for _ in range(m)) for _ in range(n))
    return rows, k


def _instance(rng: Random) -> KAnonymity:
    rows, k = _table(rng)
    return KAnonymity(rows, k)


def _transformed(case: Case) -> str | None:
    """Compare the least cost over all partitions with that over groups to 2k - 1."""
    rows, k = case
    every = partitions(tuple(range(len(rows))), k, len(rows))
    least = min(_cost(rows, groups) for groups in every)
    small = min(_cost(rows, groups) for groups in _of_size(rows, k))
    return None if least == small else f"{least} with larger groups, {small} without"


class _Judged(NamedTuple):
    """A (k, 2k - 1)-partition, what it costs, and its total of a measure."""

    k: int
    cost: int
    total: int
    optimum: int
    least: int
    """The least total of any such partition."""


def _no_partition(
    measure: Callable[[Rows, Group], int], breaks: Callable[[_Judged], bool]
) -> Trial:
    """Return the trial that no (k, 2k - 1)-partition of a table breaks a rule."""

    def wrong(case: Case) -> str | None:
        rows, k = case
        every = _of_size(rows, k)
        optimum = min(_cost(rows, groups) for groups in every)
        least = min(_total(measure, rows, groups) for groups in every)
        for groups in every:
            cost, total = _cost(rows, groups), _total(measure, rows, groups)
            judged = _Judged(k, cost, total, optimum, least)
            if breaks(judged):
                return f"{groups}: {judged}"
        return None

    return Trial(_TABLES, always(_table, wrong))


def _out_of_bounds(factor: Callable[[int], int]) -> Callable[[_Judged], bool]:
    """Return whether a best one is not k least <= k total <= OPT <= factor total."""

    def breaks(of: _Judged) -> bool:
        low, high = of.k * of.total, factor(of.k) * of.total
        kept = of.k * of.least <= low <= of.optimum <= high
        return of.cost == of.optimum and not kept

    return breaks


def _beyond_ratio(factor: Callable[[int], int]) -> Callable[[_Judged], bool]:
    """Return whether a partition costs more than factor total / least times OPT."""
    return lambda of: of.cost * of.least > factor(of.k) * of.total * of.optimum


def _subsets(rows: Rows, k: int) -> list[Group]:
    return [
        frozenset(chosen)
        for size in range(k, min(2 * k - 1, len(rows)) + 1)
        for chosen in combinations(range(len(rows)), size)
    ]


def _frequent(rows: Rows, k: int) -> list[Group]:
    """Return F_FQ: the rows of every frequent itemset, and all rows."""
    closures = {_containing(rows, group) for group in _subsets(rows, k)}
    return [*closures, frozenset(range(len(rows)))]


def _containing(rows: Rows, group: Group) -> Group:
    """Return T_S: the rows that agree with a group wherever it agrees."""
    first = rows[min(group)]
    kept = [c for c in range(len(first)) if len({rows[i][c] for i in group}) == 1]
    return frozenset(
        i for i, row in enumerate(rows) if all(row[c] == first[c] for c in kept)
    )


def _cover(rows: Rows, k: int, rng: Random) -> Iterator[tuple[Group, Group, Group]]:
    """Run GEN-COVER-FQ, free choices drawn; yield S, its part S^R, and what is new."""
    left = set(range(len(rows)))
    sets = _frequent(rows, k)
    while left:
        ratios = {s: _new_ratio(rows, s, left, 2 * k - 1) for s in sets if s & left}
        least = min(ratios.values())
        chosen = rng.choice(
            sorted((s for s in ratios if ratios[s] == least), key=sorted)
        )
        new = sorted(chosen & left)
        rng.shuffle(new)
        if len(chosen) <= 2 * k - 1:
            part = chosen
        elif len(new) > 2 * k - 1:
            part = frozenset(new[: 2 * k - 1])
        else:
            old = sorted(chosen - left)
            rng.shuffle(old)
            part = frozenset(new + old[: max(0, k - len(new))])
        yield chosen, part, frozenset(left)
        left -= part


def _new_ratio(rows: Rows, group: Group, left: Iterable[int], most: int) -> Fraction:
    return Fraction(_length(rows, group), min(len(group.intersection(left)), most))


def _unequal_ratios(rng: Random) -> str | None:
    """Lemma 4.9: look for a choice whose part has another ratio."""
    rows, k = _table(rng)
    for chosen, part, left in _cover(rows, k, rng):
        ratios = [_new_ratio(rows, s, left, 2 * k - 1) for s in (chosen, part)]
        if ratios[0] != ratios[1]:
            return f"{rows}, k = {k}: {sorted(chosen)} and {sorted(part)}, {ratios}"
    return None


def _not_of_gen_cover(rng: Random) -> str | None:
    """Lemma 4.10: look for a part that GEN-COVER would not choose."""
    rows, k = _table(rng)
    subsets = _subsets(rows, k)
    for _chosen, part, left in _cover(rows, k, rng):
        ratio = _new_ratio(rows, part, left, 2 * k - 1)
        for other in subsets:
            if other & left and _new_ratio(rows, other, left, 2 * k - 1) < ratio:
                return f"{rows}, k = {k}: {sorted(other)} is better than {sorted(part)}"
    return None


def _cover_too_long(rng: Random) -> str | None:
    """Look for a greedy cover above 1 + ln 2k times the least length sum."""
    rows, k = _table(rng)
    cover = [part for _chosen, part, _left in _cover(rows, k, rng)]
    total = _total(_length, rows, cover)
    least = min(_total(_length, rows, groups) for groups in _of_size(rows, k))
    if total <= (1 + log(2 * k)) * least:
        return None
    return f"{rows}, k = {k}: the cover has {total}, the best partition {least}"


def _ill_converted(rng: Random) -> str | None:
    """Look for a cover that CONVERT makes dearer, or no (k, 2k - 1)-partition of."""
    rows, k = _table(rng)
    subsets = _subsets(rows, k)
    cover: list[set[int]] = []
    while len(set().union(*cover)) < len(rows):
        cover.append(set(rng.choice(subsets)))
    before = sum(_length(rows, group) for group in cover)
    for row in range(len(rows)):
        while len(holding := [group for group in cover if row in group]) > 1:
            one, other = holding[:2]
            if max(len(one), len(other)) > k:
                max(one, other, key=len).remove(row)
            else:
                cover = [g for g in cover if g is not one and g is not other]
                cover.append(one | other)
    sizes = [len(group) for group in cover]
    after = sum(_length(rows, group) for group in cover)
    if k <= min(sizes) and max(sizes) <= 2 * k - 1 and after <= before:
        return None
    return f"{rows}, k = {k}: sizes {sizes}, {after} stars a group, {before} before"


def _above_optimum(case: Case) -> str | None:
    """Lemma 4.16: compare OPT-LB, the least length of every row, with the optimum."""
    rows, k = case
    sets = _frequent(rows, k)
    bound = sum(
        min(_length(rows, s) for s in sets if row in s) for row in range(len(rows))
    )
    optimum = optimum_of(KAnonymity(rows, k))
    assert optimum is not None
    return f"OPT-LB {bound}, the optimum {optimum}" if bound > optimum else None


def _is_feasible(instance: KAnonymity) -> str | None:
    made = api.approximate(instance, "approx-dr")
    return None if made.cost is not None else "APPROX-DR finds no solution"


def _example_3_9() -> object:
    every = _of_size(_FIGURE_2, 4)
    least = min(_total(_diameter, _FIGURE_2, groups) for groups in every)
    of_least = {
        _cost(_FIGURE_2, g) for g in every if _total(_diameter, _FIGURE_2, g) == least
    }
    return min(_cost(_FIGURE_2, g) for g in every), least, of_least


def _example_4_5() -> object:
    every = _of_size(_FIGURE_2, 4)
    best = [frozenset(range(4)), frozenset(range(4, 8))]
    least = min(_total(_length, _FIGURE_2, groups) for groups in every)
    return least, _total(_length, _FIGURE_2, best), _cost(_FIGURE_2, best)


def _example_4_6() -> object:
    least = {
        size: min(_length(_FIGURE_2, s) for s in combinations(range(8), size))
        for size in (4, 5, 6, 7)
    }
    best = min(Fraction(length, size) for size, length in least.items())
    left = {6, 7}
    second = {
        size: min(
            _new_ratio(_FIGURE_2, frozenset(s), left, 7)
            for s in combinations(range(8), size)
            if left & set(s)
        )
        for size in (4, 5, 6, 7)
    }
    last_four = _new_ratio(_FIGURE_2, frozenset(range(4, 8)), left, 7)
    others = min(ratio for size, ratio in second.items() if size > 4)
    return least, best, last_four == second[4], others > last_four


def _example_4_8() -> object:
    def kept(group: Group) -> int:
        return len(_FIGURE_1[0]) - _length(_FIGURE_1, group)

    pairs = [frozenset(pair) for pair in combinations(range(4), 2)]
    return [(kept(pair), sorted(_containing(_FIGURE_1, pair))) for pair in pairs]


def _example_4_13() -> object:
    """Count the frequent itemsets of Figure 1, k = 2, and size the closed ones."""
    itemsets = {
        frozenset((c, _FIGURE_1[row][c]) for c in columns)
        for row in range(4)
        for size in range(1, 5)
        for columns in combinations(range(4), size)
    }
    support = {
        items: sum(all(row[c] == v for c, v in items) for row in _FIGURE_1)
        for items in itemsets
    }
    frequent = [items for items in itemsets if support[items] >= 2]
    closed = [
        items
        for items in frequent
        if not any(
            items < other and support[other] == support[items] for other in frequent
        )
    ]
    return len(frequent), sorted(len(items) for items in closed)


def _dearest_by_trees(rng: Random) -> str | None:
    """Figures 12, 13: look for a table of Adult where APPROX-GR is not the worst."""
    m, k = rng.randint(3, 8), rng.choice([2, 4, 8, 16])
    rows = [list(row[:m]) for row in rng.sample(adult(2).table, 500)]
    costs = {
        name: api.approximate(KAnonymity(rows, k), name).cost
        for name in ("approx-gr", "approx-cf", "approx-dr")
    }
    trees = costs.pop("approx-gr")
    dearer = trees is not None and all(cost and trees > cost for cost in costs.values())
    return None if dearer else f"k = {k}, {m} columns: APPROX-GR {trees}, {costs}"


CLAIMS: Final = (
    _claim(
        "Example 3.2",
        Kind.EXAMPLE,
        "A suppressor maps 1010, 1110, 0110 to three rows **10; Example 4.2: their "
        "suppression length is 2, and 6 cells are suppressed.",
        trial=example(
            lambda: (
                _length(_BITS, range(3)),
                _cost(_BITS, [frozenset(range(3))]),
            ),
            (2, 6),
        ),
    ),
    _claim(
        "section 3.2, group sizes",
        Kind.STATEMENT,
        "A partition into groups of k and more becomes one of k to 2k - 1 rows without "
        "more stars.",
        trial=Trial(_TABLES, always(_table, _transformed)),
        degenerate="k = 1: every row is alone; n < k is left out.",
    ),
    _claim(
        "Lemma 3.7",
        Kind.LEMMA,
        "k min d <= k d(best) <= OPT <= 3 k^2 d(best), for the sum d of the diameters.",
        reading="For every best partition of groups of k to 2k - 1 rows.",
        trial=_no_partition(_diameter, _out_of_bounds(lambda k: 3 * k * k)),
    ),
    _claim(
        "Corollary 3.8",
        Kind.COROLLARY,
        "A partition of diameter sum within alpha of the least costs 3 alpha k OPT at "
        "most.",
        reading="For every (k, 2k - 1)-partition, with its own alpha.",
        trial=_no_partition(_diameter, _beyond_ratio(lambda k: 3 * k)),
    ),
    _claim(
        "Example 3.9",
        Kind.EXAMPLE,
        "The table of Figure 2, k = 4: the optimum is 24 cells; the least diameter sum "
        "is 4, and its partition costs 32.",
        trial=example(_example_3_9, (24, 4, {32})),
    ),
    _claim(
        "Figure 2",
        Kind.EXAMPLE,
        "Part (b) is an optimal 4-anonymization of the eight rows of part (a).",
        reading="As printed, row by row.",
        witness="parkshim07_nine_rows",
        repair="Four rows instead of five; the optimum of 24 cells is right.",
        repaired=example(lambda: optimum_of(KAnonymity(_FIGURE_2, 4)), 24),
    ),
    _claim(
        "Lemma 4.3",
        Kind.LEMMA,
        "k min a <= k a(best) <= OPT <= (2k - 1) a(best), for the sum a of the "
        "suppression lengths.",
        reading="For every best partition of groups of k to 2k - 1 rows.",
        trial=_no_partition(_length, _out_of_bounds(lambda k: 2 * k - 1)),
    ),
    _claim(
        "Corollary 4.4",
        Kind.COROLLARY,
        "A partition of suppression length sum within alpha of the least costs 2 alpha "
        "OPT at most.",
        reading="For every (k, 2k - 1)-partition, with its own alpha.",
        trial=_no_partition(_length, _beyond_ratio(lambda _k: 2)),
    ),
    _claim(
        "Example 4.5",
        Kind.EXAMPLE,
        "Figure 4 has the least suppression length sum of Figure 2's table, 6, and the "
        "least cost, 24.",
        trial=example(_example_4_5, (6, 6, 24)),
    ),
    _claim(
        "section 4.2, GEN-COVER",
        Kind.STATEMENT,
        "The greedy cover has a suppression length sum within 1 + ln 2k of the least.",
        reading="Whatever it chooses among equals.",
        trial=Trial(_TABLES, _cover_too_long),
    ),
    _claim(
        "Example 4.6",
        Kind.EXAMPLE,
        "On Figure 2's table, k = 4, groups of 4, 5, 6 and 7 rows have lengths of 3, "
        "4, 4 and 5 at least; the first choice has ratio 4/6, the second the last four "
        "rows.",
        trial=example(
            _example_4_6, ({4: 3, 5: 4, 6: 4, 7: 5}, Fraction(4, 6), True, True)
        ),
    ),
    _claim(
        "section 4.2, CONVERT",
        Kind.STATEMENT,
        "It makes a (k, 2k - 1)-partition of a cover without a greater length sum.",
        reading="Of any cover. Its time is O(k) more a step than stated: sets are "
        "merged.",
        trial=Trial(_TABLES, _ill_converted),
    ),
    *(
        _claim(
            number,
            Kind.THEOREM,
            f"{name.upper()} costs 2 (1 + ln 2k) OPT at most.",
            trial=Trial(_TABLES, promise_kept(_instance, [name])),
        )
        for number, name in (
            ("Theorem 4.7", "approx-naive"),
            ("Theorem 4.11", "approx-fq"),
            ("Theorem 4.14", "approx-cf"),
        )
    ),
    _claim(
        "Example 4.8",
        Kind.EXAMPLE,
        "Figure 8: what the pairs of Figure 1's rows keep, and the rows that have it.",
        trial=example(
            _example_4_8,
            [
                (0, [0, 1, 2, 3]),
                (3, [0, 2]),
                (0, [0, 1, 2, 3]),
                (1, [1, 2, 3]),
                (2, [1, 3]),
                (1, [1, 2, 3]),
            ],
        ),
    ),
    _claim(
        "Lemma 4.9",
        Kind.LEMMA,
        "GEN-COVER-FQ chooses S and takes S^R of the same ratio.",
        reading="Whatever is chosen among equals. The proof leaves out the case of "
        "k - 1 new rows, where its argument for fewer holds.",
        trial=Trial(_TABLES, _unequal_ratios),
    ),
    _claim(
        "Lemma 4.10",
        Kind.LEMMA,
        "What GEN-COVER-FQ takes GEN-COVER may choose.",
        trial=Trial(_TABLES, _not_of_gen_cover),
    ),
    _claim(
        "Example 4.13",
        Kind.EXAMPLE,
        "Figure 1 has 10 itemsets of support 2, and three of them are closed.",
        trial=example(_example_4_13, (10, [1, 2, 3])),
        degenerate="The empty itemset is not counted.",
    ),
    _claim(
        "Theorem 4.14, proof",
        Kind.STATEMENT,
        "A frequent itemset that is not closed has a greater ratio than its closure.",
        reading="F_FQ holds sets of rows, and a(S) is that of the rows.",
        witness="parkshim07_not_closed",
        repair="The ratios are equal, for the sets of rows are; so the theorem holds.",
        nearby=("a(S) read off the itemset, m less its size: then it holds",),
    ),
    _claim(
        "section 4.4, beta",
        Kind.STATEMENT,
        "Without sets of m / beta stars or more the ratio grows at most beta times.",
        reading="The sets that are left are all that may be chosen from.",
        witness="parkshim07_uncovered",
        repair="The whole table stays in the family; the proof is in greedy_cover.py.",
        repaired=Trial(_TABLES, promise_kept(_instance, ["approx-cf-1.8"])),
    ),
    _claim(
        "Lemma 4.16",
        Kind.LEMMA,
        "OPT-LB is at most the optimum.",
        trial=Trial(_TABLES, always(_table, _above_optimum)),
    ),
    _claim(
        "section 4.5, APPROX-DR",
        Kind.ALGORITHM,
        "It goes on until all records are covered.",
        witness="parkshim07_last_record",
        repair="The last 1 to k - 1 records go where they cost least.",
        repaired=Trial(_TABLES, always(_instance, _is_feasible)),
    ),
    _claim(
        "Figures 12 and 13, APPROX-GR",
        Kind.FINDING,
        "APPROX-GR suppresses the most cells of all on Adult.",
        reading="More than APPROX-CF and APPROX-DR on 500 rows of the shipped sample, "
        "k = 2, 4, 8, 16.",
        trial=Trial(
            "samples of 500 rows of Adult, the first 3 to 8 columns", _dearest_by_trees
        ),
        evidence="Both figures in full, Adult, Census-income and Letter, all "
        "algorithms and our bound: at all 42 points it is the dearest, 29 to 347 % "
        "above the bound, the others 1.5 to 45 %. benchmarks/ratios_figure12.md and "
        "ratios_figure13.md, by the studies scripts/studies/figure12.toml and "
        "figure13.toml with ATLEASTK_DATA=FOLDER.",
    ),
)
"""The claims of [ParkShim07], in the order of the text."""
