"""What the classes of a table gained since an earlier release, as an engine counts it.

Rows are compared with all their columns, as texts; a missing value is an empty one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import Name


@dataclass(frozen=True, slots=True)
class Gains:
    """A release beside an earlier one; a class are rows with equal chosen columns.

    Attributes
    ----------
    rows, missing, gained
        The rows of the earlier release, how many of them the later one has not, and
        how many it has beside.
    smallest
        The rows of the smallest class of the earlier release; None if it has no row.
    classes, few
        How many classes have gained rows, and how many of them fewer than k.
    least
        The fewest that one of them has; None if none has any.
    """

    rows: int
    missing: int
    gained: int
    smallest: int | None
    classes: int
    few: int
    least: int | None

    @classmethod
    def of(cls, later: DuckSource, earlier: DuckSource, k: int) -> Self:
        """Count both over all columns; those of the later one's classes are chosen."""
        names: list[Name] = list(later.names)
        for table in (later, earlier):
            table.expect_counts([names])
            table.keep_groups(f"all_{table.view}", names)
        each = [f"g{j}" for j in range(len(names))]
        texts = ", ".join(f"coalesce({g}::VARCHAR, '') AS {g}" for g in each)
        keys = ", ".join(f"g{names.index(name)}" for name in later.chosen)
        both = (
            f"SELECT {texts}, copies AS more, 0 AS before FROM all_{later.view} UNION "
            f"ALL SELECT {texts}, -copies, copies FROM all_{earlier.view}"
        )
        later.run(
            f"CREATE OR REPLACE TABLE grown AS SELECT {', '.join(each)}, sum(more) AS "
            f"more, sum(before) AS before FROM ({both}) GROUP BY {', '.join(each)}"
        )
        for table in (later, earlier):
            later.run(f"DROP TABLE all_{table.view}")
        queries = (
            "SELECT sum(before)::BIGINT, coalesce(-sum(more) FILTER (more < 0), 0)::"
            "BIGINT, coalesce(sum(more) FILTER (more > 0), 0)::BIGINT FROM grown",
            "SELECT min(size)::BIGINT FROM (SELECT sum(before) AS size FROM grown "
            f"WHERE before > 0 GROUP BY {keys})",
            f"SELECT count(*), count(*) FILTER (size < {k}), min(size)::BIGINT FROM "
            "(SELECT sum(more) AS size FROM grown WHERE more > 0 GROUP BY "
            f"{keys})",
        )
        return cls(*(x for query in queries for x in later.run(query).fetchall()[0]))


def fewest_values(source: DuckSource, name: Name) -> int:
    """Return the fewest different values of a column in a class of the chosen ones."""
    columns = (*source.chosen, name)
    source.expect_counts([columns])
    source.keep_groups("valued", columns)
    keys = ", ".join(f"g{j}" for j in range(len(source.chosen)))
    query = f"SELECT count(*) AS many FROM valued GROUP BY {keys}"
    return int(source.run(f"SELECT min(many) FROM ({query})").fetchall()[0][0])
