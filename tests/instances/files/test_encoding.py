import codecs

import pytest

from atleastk import AtleastkError, InvalidInstanceError
from atleastk.cli.main import main
from atleastk.frames.open_frame import read_frame
from atleastk.instances.files.encoding import Encoding, decode, encode, encoding_named

TEXT = "größe,Œuvre\nü,ß\n"


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
@pytest.mark.parametrize("given", [None, "family", "name"])
def test_marks_tell_and_are_kept(tmp_path, mark, name, given):
    data = mark + TEXT.encode(name)
    named = {"family": name.removesuffix("-le").removesuffix("-be"), "name": name}
    assert decode(tmp_path, data, named.get(given)) == (TEXT, Encoding(name, mark))
    assert encode(tmp_path, TEXT, Encoding(name, mark)) == data


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("cp1252", "cp1252"),
        ("utf-16", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("utf-8-sig", "utf-8"),
    ],
)
def test_given_encodings(tmp_path, given, name):
    data = TEXT.encode(name)
    assert decode(tmp_path, data, encoding_named(given)) == (TEXT, Encoding(name))


@pytest.mark.parametrize(
    ("data", "name", "text"),
    [
        (TEXT.encode("cp1252"), "cp1252", TEXT),
        (b"\x81\xe9\n", "iso8859-1", "\x81é\n"),
        (TEXT.encode("cp1252") + b"\x9d", "iso8859-1", None),
        (bytes(range(1, 256)), "iso8859-1", None),
    ],
)
def test_guesses_change_no_byte(tmp_path, data, name, text):
    found, encoding = decode(tmp_path, data, None)
    assert encoding.name == name
    assert encoding.doubt.startswith("byte 0x")
    assert text in (None, found)
    assert encode(tmp_path, found, encoding) == data


def test_what_does_not_fit(tmp_path):
    path = tmp_path / "t.csv"
    with pytest.raises(InvalidInstanceError, match="byte 0xe9 in line 2 is not ascii"):
        decode(path, b"a\n\xe9", "ascii")
    with pytest.raises(AtleastkError, match='"€" is no character of iso8859-1, in whi'):
        encode(path, "1\n2 €\n", Encoding("iso8859-1"))
    for name in ("klingon", "base64", "rot13"):
        with pytest.raises(LookupError):
            encoding_named(name)


def test_a_table_of_any_encoding(tmp_path, capsys):
    table, out = tmp_path / "t.csv", tmp_path / "out.csv"
    table.write_bytes("größe\nü\nü\n".encode("cp1252"))
    words = ["anonymize", str(table), "-k", "2", "-o", str(out)]
    assert main(words) == 0
    told = "byte 0xf6 in line 1 is not utf-8; read as cp1252, which is a guess"
    assert capsys.readouterr().err == f"atleastk: {table}: {told}: see --encoding\n"
    assert out.read_bytes() == table.read_bytes()
    assert main([*words, "--encoding", "latin1"]) == 0
    assert capsys.readouterr().err == ""
    assert main([*words, "--marker", "☂", "--columns", "größe"]) == 0
    table.write_bytes("größe\nü\nß\n".encode("cp1252"))
    assert main([*words, "--marker", "☂"]) == 2
    assert '"☂" is no character of cp1252' in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--encoding", "klingon"])
    assert 'expected an encoding, such as utf-8 or cp1252, got "klingon"' in (
        capsys.readouterr().err
    )


def test_text_of_two_bytes_a_character(tmp_path):
    data = codecs.BOM_UTF16_LE + "a;b\r\n1;2\r\n".encode("utf-16-le")
    (tmp_path / "t.csv").write_bytes(data)
    frame = read_frame(tmp_path / "t.csv")
    assert (frame.names, frame.delimiter) == (("a", "b"), ";")
    frame.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == data
