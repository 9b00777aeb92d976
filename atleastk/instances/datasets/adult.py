"""Adult: the table on which k-anonymity is usually tried, [ParkShim07] among others.

45,222 rows of the US census of 1994 remain of the 48,842 when those with a missing
value are dropped. The columns are the nine of the literature: eight quasi-identifiers
and the salary class, which is the ninth where a paper has nine.

The full data are not shipped: :func:`read_adult` takes the files ``adult.data`` and
``adult.test`` of the UCI repository, or CSV files with a header. Without files there
is a sample of 1,000 rows, the file adult_sample.csv beside this module, drawn by
scripts/data/make_adult_sample.py.

[Adult] B. Becker, R. Kohavi, Adult, UCI Machine Learning Repository, 1996,
doi 10.24432/C5XW20, CC BY 4.0. The sample is derived from it: rows with missing values
and six columns were left out, and 1,000 of the others drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.csv_rows import rows_of
from atleastk.instances.files.files import read_text
from atleastk.instances.k_anonymity import KAnonymity

COLUMNS = (
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "salary-class",
)
"""The columns of the literature; the last is the sensitive value."""

_PUBLISHED = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status"),
    *("occupation", "relationship", "race", "sex", "capital-gain", "capital-loss"),
    *("hours-per-week", "native-country", "salary-class"),
)
"""The columns of the files without a header."""

_MISSING = "?"


def adult(
    k: int,
    columns: int = 8,
    paths: Iterable[Path | str] | None = None,
    *,
    decades: bool = False,
) -> KAnonymity:
    """Return the first columns, of files or of the shipped sample.

    With `decades` the ages are rounded down to tens.
    """
    if not 1 <= columns <= len(COLUMNS):
        raise InvalidInstanceError(
            f"columns: expected 1..{len(COLUMNS)}, got {columns}"
        )
    if paths is None:
        table = files("atleastk.instances.datasets") / "adult_sample.csv"
        text = table.read_text(encoding="utf-8")
        rows = _rows(text, "adult_sample.csv")
    else:
        rows = read_adult(*paths)
    if decades:
        rows = [(str(int(row[0]) // 10 * 10), *row[1:]) for row in rows]
    extent = "a sample of 1,000 rows" if paths is None else f"{len(rows)} rows"
    return KAnonymity(
        [row[:columns] for row in rows],
        k,
        columns=COLUMNS[:columns],
        name=f"Adult k={k}",
        source=f"UCI Adult, doi 10.24432/C5XW20, CC BY 4.0: {extent}",
    )


def read_adult(*paths: Path | str) -> list[tuple[str, ...]]:
    """Return the rows without a missing value, columns as in COLUMNS, of some files.

    A file either has the 15 columns of the UCI repository and no header, or a header
    that names the columns of COLUMNS among others. It may be compressed by gzip.
    """
    rows: list[tuple[str, ...]] = []
    for path in paths:
        rows += _rows(read_text(path), Path(path).name)
    return rows


def _rows(text: str, file: str) -> list[tuple[str, ...]]:
    split = [row for _, row in rows_of(text, file, trimmed=True)]
    # adult.test begins with a remark, which has a bar
    rows = [row for row in split if row and not row[0].startswith("|")]
    if not rows:
        return []
    names: Sequence[str] = _PUBLISHED
    if not rows[0][0].strip().isdecimal():
        names = [name.strip() for name in rows.pop(0)]
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise InvalidInstanceError(
            f"{file}: no column is called {missing[0]}; it needs {COLUMNS}"
        )
    for row in rows:
        if len(row) != len(names):
            raise InvalidInstanceError(
                f"{file}: expected {len(names)} cells a row, got {len(row)}"
            )
    places = [list(names).index(name) for name in COLUMNS]
    cells = (tuple(row[j].strip().removesuffix(".") for j in places) for row in rows)
    return [row for row in cells if _MISSING not in row]
