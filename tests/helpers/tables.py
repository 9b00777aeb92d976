"""The same rows as tables of every library, and rows of any table; drawn rows."""

import random

import numpy as np
import pandas
import polars
import pyarrow

LIBRARIES = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "pyarrow": pyarrow.Table.from_pylist,
    "dicts": list,
    "tuples": lambda rows: [tuple(row.values()) for row in rows],
    "lists": lambda rows: [list(row.values()) for row in rows],
}
"""What makes a table of a list of dicts."""

NAMED = [LIBRARIES[name] for name in ("pandas", "polars", "pyarrow", "dicts")]
"""Those whose columns have names."""


def drawn_rows(rng, n, **cells):
    """Return rows whose cells are drawn from these, one after the other.

    What is a function makes a cell from the number of its row.
    """
    return [
        {
            name: known(i) if callable(known) else rng.choice(known)
            for name, known in cells.items()
        }
        for i in range(n)
    ]


def of_columns(**cells):
    """Return the rows of a table whose columns hold these cells."""
    rows = zip(*cells.values(), strict=True)
    return [dict(zip(cells, row, strict=True)) for row in rows]


def random_people(n, seed):
    """Return rows of three columns to be anonymised, and identifiers."""
    cells = {"age": range(3), "town": "ab", "sex": "mf", "key": lambda i: f"{seed}-{i}"}
    return drawn_rows(random.Random(seed), n, **cells)


def rows_of(table):
    """Return the rows of a table as tuples; missing values are None."""
    match table:
        case pandas.DataFrame():
            rows = table.itertuples(index=False, name=None)
        case polars.DataFrame():
            rows = table.iter_rows()
        case pyarrow.Table():
            rows = (row.values() for row in table.to_pylist())
        case np.ndarray():
            rows = table.tolist()
        case _:
            rows = (r.values() if isinstance(r, dict) else r for r in table)
    return [tuple(None if pandas.isna(cell) else cell for cell in row) for row in rows]


def dicts_of(table):
    """Return the rows of a table by the names of its columns."""
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    names = list(table[0] if names is None else names)
    return [dict(zip(names, row, strict=True)) for row in rows_of(table)]
