from examples.shared import TABLE

from atleastk import Suppression

INSTANCES = [
    Suppression(TABLE, 2, limits={"per_row": 1}),
    Suppression(TABLE, 2, minimise="rows", limits={"columns": 1}),
    Suppression(TABLE, 2, minimise="columns", deletion=True),
    Suppression(TABLE, 2, minimise="k", limits={"rows": 4}),
    Suppression(TABLE, 2, minimise="none", limits={"entries": 9}),
    *(
        Suppression(TABLE, 2, minimise=what)
        for what in ("entries", "rows", "columns", "per_row", "per_column")
    ),
    Suppression(TABLE, 5, limits={"entries": 1}),
]
EMPTY = [
    Suppression([], 3, minimise=what)
    for what in ("entries", "rows", "columns", "per_row", "per_column", "none")
]
