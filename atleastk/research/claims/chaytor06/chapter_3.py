"""[Chaytor06] chapter 3, the family of problems: what keeps a table k-anonymous."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from atleastk.instances.suppression import Suppression
from atleastk.research.claims.chaytor06.drawn import PATIENTS, Table
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.trials import cases, example, optimum_of


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


def _unsplit(rng: Random) -> str | None:
    """Look for k equal rows or more that are not parted into k to 2k - 1 each."""
    k = rng.randint(1, 9)
    rows = rng.randint(k, 60)
    parted = any(g * k <= rows <= g * (2 * k - 1) for g in range(1, rows + 1))
    return None if parted else f"{rows} rows, k = {k}"


def _marginal(*columns: int) -> list[int]:
    """Return how many patients have each combination of values, in order."""
    counts = Counter(tuple(row[c] for c in columns) for row in PATIENTS)
    return [counts[values] for values in sorted(counts, key=str)]


def _figure_3_1() -> object:
    """Return what each column of the figure loses, and the optimum of its problem."""
    lost = [0] * 4
    for group, stars in (((0, 1, 2), (1, 2, 3)), ((3, 4), (2, 3))):
        for column in stars:
            lost[column] += len(group)
    table = [row[:4] for row in PATIENTS]
    order = [[0], [1], [2], [3]]
    made = Suppression.named("MIN-c'-PART", table, 2, column_order=order)
    return lost, optimum_of(made)


TRIALS: Final[Mapping[str, Trial]] = {
    "Figure 3.1": example(_figure_3_1, ([0, 3, 5, 5], 2)),
    "Figure 3.2, marginals": example(
        lambda: [_marginal(*of) for of in ((0,), (0, 3), (0, 2), (4, 3))],
        [[3, 4], [2, 1, 1, 3], [1, 2, 3, 1], [1, 1, 1, 1, 1, 2]],
    ),
    "Figure 3.2, patient x4": example(
        lambda: [
            [i for i, row in enumerate(PATIENTS, 1) if row[0] == 40 and row[c] == v]
            for c, v in ((3, 807), (2, "Yes"))
        ],
        [[4], [4]],
    ),
    "section 3.3.1, k-partitions": Trial("k to 60 equal rows, k up to 9", _unsplit),
    **{
        number: cases("tables of up to 18 rows with stars", _anonymous, _keeps(change))
        for number, change in (
            ("Lemma 3.3.9", _with_column),
            ("Lemma 3.3.10", _with_group),
            ("Lemma 3.3.11", _without_columns),
            ("Lemma 3.3.12", _without_rows),
        )
    },
}
