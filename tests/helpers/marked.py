"""Values that are easily found again in bytes, however a format writes them."""

import bz2
import datetime
import gzip
import io
import pickle
import re
import struct
import zipfile
import zlib

import polars
import pyarrow

WHOLE = 777_777_771
REAL = 77_777.123_456
DAY = datetime.date(2077, 7, 6)
MOMENT = datetime.datetime(2077, 7, 7, 7, 7, 7)
WORD = "markedwordthatislongenough"
BINARY = b"markedbytesthatarelongenough"
"""What is found; longer than what is kept in place of a reference to a buffer."""

_EPOCHS = (1582, 10, 14), (1960, 1, 1), (1970, 1, 1)
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRST"


def _of_real(number):
    yield struct.pack("<d", number)
    yield struct.pack(">d", number)
    power = 0
    while number / 16**power >= 1:
        power += 1
    yield struct.pack(">Q", (64 + power) << 56 | int(number / 16**power * 2**56))


def _of_whole(number):
    yield struct.pack("<q", number)
    if number < 2**31:
        yield from (struct.pack("<i", number), struct.pack(">i", number))
    yield from _of_real(float(number))


def _in_digits(number, base):
    text = ""
    while number:
        text, number = _DIGITS[number % base] + text, number // base
    return text.encode()


def _of_time(moment, units):
    yield str(moment).encode()
    yield moment.__reduce__()[1][0]
    for epoch in _EPOCHS:
        since = moment - type(moment)(*epoch)
        for unit in units:
            yield from _of_whole(since // unit)


_SECOND = datetime.timedelta(seconds=1)
_FORMS = {
    "whole": (_in_digits(WHOLE, 10), _in_digits(WHOLE, 30), *_of_whole(WHOLE)),
    "real": (str(REAL).encode(), *_of_real(REAL)),
    "day": tuple(_of_time(DAY, [datetime.timedelta(days=1), _SECOND])),
    "moment": tuple(_of_time(MOMENT, [_SECOND, _SECOND / 1000, _SECOND / 1_000_000])),
    "word": (WORD.encode(), WORD.encode("utf-16-le")),
    "bytes": (BINARY, re.escape(BINARY.decode()).encode()),
}


def traces(*data):
    """Return what is found in bytes, or in what they hold packed."""
    parts = [part for one in data for part in _unpacked(one)]
    return {
        name
        for name, forms in _FORMS.items()
        if any(form in part for form in forms for part in parts)
    }


def traces_of(frame):
    """Return what is found in a table of any library, pickled or by its buffers."""
    found = [pickle.dumps(frame), pickle.dumps(frame, 2)]
    if isinstance(frame, polars.DataFrame):
        for level in ("oldest", "newest"):
            data, how = io.BytesIO(), getattr(polars.CompatLevel, level)()
            frame.write_ipc(data, compat_level=how, compression="uncompressed")
            found.append(data.getvalue())
    if isinstance(frame, polars.DataFrame | pyarrow.Table):
        found += buffers_of(pyarrow.table(frame))
    return traces(*found)


def buffers_of(table):
    """Return the whole buffers of all columns of pyarrow, dictionaries and all."""
    arrays = [chunk for column in table.columns for chunk in column.chunks]
    found = [str(table.schema).encode(), table.schema.serialize().to_pybytes()]
    for array in arrays:
        found += [one.to_pybytes() for one in array.buffers() if one is not None]
        if pyarrow.types.is_dictionary(array.type):
            arrays.append(array.dictionary)
    return found


def _unpacked(data):
    yield data
    if data.startswith(b"PK"):
        archive = zipfile.ZipFile(io.BytesIO(data))
        yield from map(archive.read, archive.namelist())
    elif data.startswith(b"\x1f\x8b"):
        yield gzip.decompress(data)
    elif data.startswith(b"BZh"):
        yield bz2.decompress(data)
    elif data.startswith(b"$FL3"):
        for found in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", data):
            yield _inflated(data[found.start() :])


def _inflated(data):
    try:
        return zlib.decompressobj().decompress(data)
    except zlib.error:  # the two bytes were others
        return b""
