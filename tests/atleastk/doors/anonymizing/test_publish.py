import csv
import io
import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from atleastk import InvalidInstanceError, KAnonymizer, NotApplicableError
from atleastk.doors.anonymizing.anonymize import anonymity, anonymize
from atleastk.frames.open_frame import framed

pytestmark = pytest.mark.usefixtures("quick")

NAN = float("nan")
NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)
EAST = NOON.astimezone(timezone(timedelta(hours=2)))

FLOATS = [0.0, -0.0, 1.5, NAN, None]
TIMES = [NOON, NOON + timedelta(microseconds=1), None]
TEXTS = ["", " ", "a", " a", "a ", "A", "1", "1.0", "nan", "None", 'a"b', "a\nb", None]
OBJECTS = [
    [1, 1.0, True, "1"],
    [0, 0.0, -0.0, False, None],
    [Decimal("1.0"), Decimal("1.00"), Decimal("-0"), Decimal(0), Decimal("NaN")],
    [NOON, EAST, NOON.replace(tzinfo=None), date(2020, 1, 1)],
    [b"a", "a", "b'a'"],
    [10**5000, 10**5000 + 1, 1],
    [np.int64(1), np.float64(1), np.float32(0.1), 0.1, np.True_, np.str_("a")],
    [(1, 0.0), (True, 0.0), (1, -0.0)],
    [complex(0, 0.0), complex(0, -0.0), Fraction(1, 2), 0.5],
    [None, NAN, "", "nan", np.datetime64("NaT")],
]


def drawn(pool, seed, n=12):
    rng = random.Random(seed)
    return {"x": rng.choices(pool, k=n), "y": rng.choices(pool[:2], k=n)}


def least_class(rows):
    return min(Counter(map(tuple, rows)).values())


def texts(data):
    return list(csv.reader(io.StringIO(data, newline="")))[1:]


def bits(table):
    """Return the rows of a table of pyarrow such that all that differs does."""
    return list(
        zip(*([repr(c) for c in t.to_pylist()] for t in table.columns), strict=True)
    )


def parquet_of(write):
    buffer = io.BytesIO()
    write(buffer)
    return parquet.read_table(buffer)


def readings_of(frame):
    match frame:
        case pandas.DataFrame():
            yield texts(frame.to_csv(index=False))
            yield bits(parquet_of(frame.to_parquet))
        case polars.DataFrame():
            yield texts(frame.write_csv())
            yield bits(parquet_of(frame.write_parquet))
        case pyarrow.Table():
            buffer = io.BytesIO()
            arrow_csv.write_csv(frame, buffer)
            yield texts(buffer.getvalue().decode())
            yield bits(parquet_of(lambda out: parquet.write_table(frame, out)))


@pytest.mark.parametrize("make", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
@pytest.mark.parametrize("pool", [FLOATS, TIMES, TEXTS, [True, False, None]])
@pytest.mark.parametrize("seed", range(3))
def test_tables_of_one_type_a_column(make, pool, seed):
    made = anonymize(make(drawn(pool, seed)), 3)
    for reading in readings_of(made.frame):
        assert least_class(reading) >= 3


@pytest.mark.parametrize("pool", OBJECTS)
@pytest.mark.parametrize("seed", range(3))
def test_columns_of_any_objects(pool, seed):
    columns = drawn(pool, seed)
    made = anonymize(pandas.DataFrame(columns, dtype=object), 3)
    assert least_class(texts(made.frame.map(short).to_csv(index=False))) >= 3
    made = anonymize(list(zip(*columns.values(), strict=True)), 3)
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([(), *(map(short, row) for row in made.frame)])
    assert least_class(texts(buffer.getvalue())) >= 3


def short(cell):
    return hex(cell) if type(cell) is int and cell.bit_length() > 10_000 else cell


def kinds():
    floats = [0.0, -0.0, 0.0, -0.0, None]
    for dtype in ("float16", "float32", "float64", "longdouble", "complex"):
        yield dtype, pandas.Series([0.0, -0.0, 0.0, -0.0, 1.0], dtype=dtype)
    for dtype in ("Float32", "Float64", pandas.ArrowDtype(pyarrow.float32())):
        yield str(dtype), pandas.Series(floats, dtype=dtype)
    yield "sparse", pandas.Series(pandas.arrays.SparseArray([0.0, -0.0] * 2 + [1.0]))
    ends = [*((cell, 1.0) for cell in floats[:4]), NAN]
    yield "interval", pandas.Series(pandas.arrays.IntervalArray.from_tuples(ends))
    for kind in (polars.Float32, polars.Float64):
        yield str(kind), polars.Series(floats, dtype=kind)
    for kind in (pyarrow.float16(), pyarrow.float32(), pyarrow.float64()):
        yield str(kind), pyarrow.array(floats, kind)
    yield "dictionary", pyarrow.array(floats).dictionary_encode()


@pytest.mark.parametrize("cells", [pytest.param(c, id=name) for name, c in kinds()])
def test_zeros_of_two_signs(cells):
    table = {pandas.Series: pandas.DataFrame, polars.Series: polars.DataFrame}.get(
        type(cells), pyarrow.table
    )({"x": cells})
    column = framed(table).column("x")
    assert column.codes.tolist() == [0, 1, 0, 1, 2]
    assert str(column.values[1]).startswith(("-0", "(-0"))


def test_views_of_bytes_are_hidden():
    table = pyarrow.table({"x": pyarrow.array([b"a", b"b"], pyarrow.binary_view())})
    assert anonymize(table, 2).frame.column("x").to_pylist() == [None, None]


def test_what_cannot_be_compared():
    kind = pandas.ArrowDtype(pyarrow.list_(pyarrow.int8()))
    lists = pandas.array([[1], [1]], dtype=kind)
    for table in (pandas.DataFrame({"x": lists}), [((10**5000,),)], [([],)]):
        with pytest.raises(InvalidInstanceError, match="cannot be compared"):
            anonymity(table)


def test_new_rows_join_classes_of_their_own_values():
    """1 and True are equal in Python, and no file takes one for the other."""
    old = pandas.DataFrame({"x": [1, 1, True, True]}, dtype=object)
    fitted = KAnonymizer(2).fit(old)
    new = pandas.DataFrame({"x": [True, 1]}, dtype=object)
    assert fitted.transform(new)["x"].map(repr).tolist() == ["True", "1"]
    with pytest.raises(NotApplicableError, match="1 rows fit no published class"):
        fitted.transform(pandas.DataFrame({"x": [1.0]}, dtype=object))
