import io
import zipfile

import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.files.files import read_bytes
from atleastk.instances.files.paths import PACKED, plain_name
from atleastk.instances.files.writing import packed


def archive(members, **more):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", **more) as file:
        for name, text in members.items():
            file.writestr(name, text)
    return data.getvalue()


LOCKED = archive({"a": "1"}).replace(b"\x14\x00\x00\x00", b"\x14\x00\x01\x00")


@pytest.mark.parametrize("end", ["", *PACKED])
def test_there_and_back(tmp_path, end):
    data = b"some text\n" * 1000
    made = packed(tmp_path / f"t.csv{end}", data)
    assert made == packed(f"t.csv{end}", data)
    assert (len(made) < 1000) == bool(end)
    (tmp_path / "t").write_bytes(made)
    assert read_bytes(tmp_path / "t") == data
    assert plain_name(f"folder/t.csv{end}") == "t.csv"


def test_the_file_of_an_archive(tmp_path):
    with zipfile.ZipFile(io.BytesIO(packed("a/out.csv.zip", b"x"))) as made:
        assert made.namelist() == ["out.csv"]
    members = {"folder/": "", "folder/t.csv": "a\n", "__MACOSX/folder/._t.csv": "?"}
    (tmp_path / "t.zip").write_bytes(archive(members))
    assert read_bytes(tmp_path / "t.zip") == b"a\n"


BROKEN = {
    "empty": (archive({}), "the archive holds 0 files, expected one"),
    "two": (archive({"a": "1", "b": "2"}), "the archive holds 2 files, expected one"),
    "cut-zip": (archive({"a": "1" * 99})[:60], "zip"),
    "cut-bz2": (packed("a.bz2", b"1" * 99)[:20], "ended before"),
    "text": (b"BZh91AY&SY is no text", "Invalid data"),
    "cut-gz": (packed("a.gz", b"1" * 99)[:20], "ended before"),
    "locked": (LOCKED, "passw"),
}
"""What is no file, and a part of what is told of it."""


@pytest.mark.parametrize(("data", "told"), BROKEN.values(), ids=BROKEN)
def test_what_cannot_be_unpacked(tmp_path, data, told):
    (tmp_path / "t").write_bytes(data)
    with pytest.raises(
        InvalidInstanceError, match="t: cannot be read: the packed"
    ) as e:
        read_bytes(tmp_path / "t")
    assert told in str(e.value)
    assert "\n" not in str(e.value)
