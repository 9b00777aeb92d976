"""What the classes of a table gained since an earlier release, as an engine counts it.

Rows are compared with all their columns, by the texts that memory has for them
(`atleastk.doors.anonymizing.growth`); a missing value is an empty one, unless a release
has both in the column.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from atleastk.frames.duckdb_source import DuckSource
from atleastk.frames.frame import Name
from atleastk.frames.pieces import FLOATS

_FIGURES: Final = ("rows", "missing", "gained", "k", "classes", "few", "least")
"""What is counted, as in `atleastk.doors.anonymizing.growth.Growth`."""


def gains(later: DuckSource, earlier: DuckSource, k: int) -> dict[str, int | None]:
    """Count two releases over all columns; classes are those of the later one."""
    names: list[Name] = list(later.names)
    for table in (later, earlier):
        table.expect_counts([names])
        table.keep_groups(f"all_{table.view}", names)
    each = [f"g{j}" for j in range(len(names))]
    have = [_having_both(table, each) for table in (later, earlier)]
    kinds = [[table.layout.kinds[x] for x in names] for table in (later, earlier)]
    merged = [not any(both) for both in zip(*have, strict=True)]
    keys = ", ".join(f"g{names.index(name)}" for name in later.chosen)
    here, there = (
        ", ".join(map(_text, each, mine, others, merged))
        for mine, others in (kinds, kinds[::-1])
    )
    both = (
        f"SELECT {here}, copies AS more, 0 AS before FROM all_{later.view} UNION ALL "
        f"SELECT {there}, -copies, copies FROM all_{earlier.view}"
    )
    later.run(
        f"CREATE OR REPLACE TABLE grown AS SELECT {', '.join(each)}, sum(more) AS more,"
        f" sum(before) AS before FROM ({both}) GROUP BY {', '.join(each)}"
    )
    for table in (later, earlier):
        later.run(f"DROP TABLE all_{table.view}")
    queries = (
        "SELECT coalesce(sum(before), 0)::BIGINT, coalesce(-sum(more) FILTER (more < 0)"
        ", 0)::BIGINT, coalesce(sum(more) FILTER (more > 0), 0)::BIGINT FROM grown",
        "SELECT coalesce(min(size), 0)::BIGINT FROM (SELECT sum(before) AS size FROM "
        f"grown WHERE before > 0 GROUP BY {keys})",
        f"SELECT count(*), count(*) FILTER (size < {k}), min(size)::BIGINT FROM "
        f"(SELECT sum(more) AS size FROM grown WHERE more > 0 GROUP BY {keys})",
    )
    found = (x for query in queries for x in later.rows(query)[0])
    return dict(zip(_FIGURES, found, strict=True))


def _text(g: str, kind: str, beside: str, merged: bool) -> str:
    """Return the text of a column of one release, beside that of another type.

    `merged`: a missing value is an empty text.
    """
    text = f"{g}::VARCHAR"
    if kind in FLOATS:
        whole = f"abs({g}) < 1e38 AND {g} = trunc({g})"
        cases = f"WHEN {whole} THEN {g}::HUGEINT::VARCHAR ELSE {g}::DOUBLE::VARCHAR"
        text = f"CASE WHEN isnan({g}) THEN NULL {cases} END"
    elif kind == "BOOLEAN":
        text = f"CASE {g} WHEN true THEN 'True' WHEN false THEN 'False' END"
    elif kind == "TIMESTAMP":
        text = f"regexp_replace(strftime({g}, '%Y-%m-%d %H:%M:%S.%f'), '\\.0+$', '')"
    elif kind == "VARCHAR" and beside.endswith((*FLOATS, "INT", "INTEGER")):
        text = f"regexp_replace({g}, '^(-?[0-9]+)\\.0$', '\\1')"
    return f"coalesce({text}, '') AS {g}" if merged else f"{text} AS {g}"


def _having_both(table: DuckSource, columns: Sequence[str]) -> Sequence[bool]:
    """Return which columns have both missing values and empty texts."""
    each = (f"bool_or({g} IS NULL) AND bool_or({g}::VARCHAR = '')" for g in columns)
    query = f"SELECT {', '.join(each)} FROM all_{table.view}"
    return table.rows(query)[0]


def fewest_values(source: DuckSource, name: Name) -> int:
    """Return the fewest different values of a column in a class of the chosen ones."""
    columns = (*source.chosen, name)
    source.expect_counts([columns])
    source.keep_groups("valued", columns)
    keys = ", ".join(f"g{j}" for j in range(len(source.chosen)))
    query = f"SELECT count(*) AS many FROM valued GROUP BY {keys}"
    return int(source.rows(f"SELECT min(many) FROM ({query})")[0][0])
