import gzip
import json
import random
import sys
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atleastk import AtleastkError, InvalidInstanceError, InvalidResultError
from atleastk.instances.files import files
from atleastk.instances.files.paths import is_lines

DOCUMENT = {"problem": "bin-covering", "sizes": [1, 2, 10**60], "k": 2}
DEEP = "[" * 100_000 + "]" * 100_000


@pytest.mark.parametrize("name", ["a.json", "a.json.gz"])
def test_what_was_written_is_read(tmp_path, name):
    files.write(tmp_path / name, DOCUMENT)
    assert files.read(tmp_path / name) == DOCUMENT


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_lines_are_numbered(tmp_path, name):
    files.write_lines(tmp_path / name, [DOCUMENT, {}])
    assert is_lines(tmp_path / name)
    assert files.read_lines(tmp_path / name) == [(1, DOCUMENT), (2, {})]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.jsonl.bz2"])
def test_objects_come_with_their_places(tmp_path, name):
    path = tmp_path / name
    files.write(path, DOCUMENT)
    place = f"{path}:1" if "jsonl" in name else f"{path}"
    assert files.documents(path) == [(place, DOCUMENT)]


def test_compression_is_recognised_by_content(tmp_path):
    misnamed = tmp_path / "a.json"
    misnamed.write_bytes(gzip.compress(json.dumps(DOCUMENT).encode()))
    assert files.read(misnamed) == DOCUMENT
    plain = tmp_path / "b.json.gz"
    plain.write_text(json.dumps(DOCUMENT))
    assert files.read(plain) == DOCUMENT
    files.write(tmp_path / "c.gz", DOCUMENT)
    files.write(tmp_path / "d.gz", DOCUMENT)
    assert (tmp_path / "c.gz").read_bytes() == (tmp_path / "d.gz").read_bytes()


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"\xff\xfe{}", "not a text in UTF-8 (byte 0xff), it seems to be in UTF-16"),
        (b'{"a": 1,\n "b": }', ":2:7: broken JSON: Expecting value"),
        (b'{"a": 1} {}', ":1:10: broken JSON: Extra data"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": [-Infinity]}', "-Infinity is not JSON"),
        (b'{"a": 1, "b": 2, "a": 1}', 'the key "a" occurs twice in one object'),
        (b'{"a": {"b": 1, "b": 1}}', 'the key "b" occurs twice in one object'),
        (b'{"a": ' + b"9" * 5000 + b"}", "an integer has too many digits"),
        (b"[1]", "expected a JSON object {...}, got a list"),
        (b'"a"', "got a text"),
        (b"null", "got null"),
        (b"1.5", "got a number"),
        (DEEP.encode(), "nested too deeply"),
        (gzip.compress(b"{}" * 999, mtime=0)[:20], "truncated or corrupt"),
        (gzip.compress(b"{}", mtime=0)[:-1] + b"!", "truncated or corrupt"),
        (b"\x1f\x8b\x08garbage", "truncated or corrupt"),
        (b"\x1f\x8b", "truncated or corrupt"),
    ],
)
def test_what_is_wrong_is_told_on_one_line(tmp_path, content, told):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(InvalidInstanceError) as caught:
        files.read(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    assert told in message
    assert "\n" not in message


def test_a_mistake_in_a_line_is_placed(tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"a": 1}\n\n{"a": }\n')
    with pytest.raises(InvalidResultError, match=r"bad.jsonl:3:7: broken JSON"):
        files.read_lines(path, InvalidResultError)
    path.write_text("\n")
    with pytest.raises(InvalidInstanceError, match="the file is empty"):
        files.read_lines(path)


def test_what_is_no_readable_file(tmp_path):
    for path, told in (
        (tmp_path / "none.json", "no such file"),
        (tmp_path, "is a directory, not a file"),
        (tmp_path / "none" / "a.json", "no such file"),
        ("a\0b", "not a file name"),
        ("a" * 5000, "file name too long"),
    ):
        with pytest.raises(InvalidInstanceError, match=told):
            files.read(path)


def test_no_permission(tmp_path, monkeypatch):
    """Told as such; simulated, since an administrator may read everything."""
    path = tmp_path / "secret.json"
    path.write_text("{}")

    def refuse(_self, _mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(InvalidInstanceError, match=r"secret.json: no permission"):
        files.read(path)


def test_what_cannot_be_written(tmp_path):
    with pytest.raises(AtleastkError, match="cannot be written: is a directory"):
        files.write(tmp_path, {})
    with pytest.raises(AtleastkError, match="cannot be written: no such file"):
        files.write(tmp_path / "none" / "a.json", {})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_bytes_do_more_harm_than_an_error(tmp_path_factory, data):
    honest = json.dumps(DOCUMENT).encode()
    mangled = st.tuples(
        st.sampled_from([honest, gzip.compress(honest, mtime=0)]),
        st.integers(0, 200),
        st.binary(max_size=3),
    ).map(lambda t: t[0][: t[1]] + t[2] + t[0][t[1] + len(t[2]) :])
    content = data.draw(st.binary(max_size=60) | mangled)
    path = tmp_path_factory.getbasetemp() / "fuzz.json"
    path.write_bytes(content)
    told = ""
    try:
        document = files.read(path)
    except InvalidInstanceError as error:
        document, told = {}, str(error)
    assert isinstance(document, dict)
    assert "\n" not in told


def test_strictness_is_not_paid_for_item_by_item(tmp_path):
    """Ten megabytes are read with fewer calls than there are items, by far."""
    sizes = random.Random(1).choices(range(10**8, 10**9), k=950_000)
    path = tmp_path / "large.json"
    files.write(path, {"sizes": sizes})
    assert path.stat().st_size > 10**7
    calls = Counter()
    sys.setprofile(lambda _frame, event, _of: calls.update([event]))
    try:
        read = files.read(path)
    finally:
        sys.setprofile(None)
    assert read["sizes"] == sizes
    assert calls.total() < 10_000
