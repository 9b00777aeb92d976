import pytest

from atleastk import Hierarchy, InvalidInstanceError
from atleastk.instances.hierarchies.files import bytes_of, read_noted

CHAINS = (("a, b", "x", "*"), ('c"', "x", "*"), ("d", "y", "*"))


@pytest.mark.parametrize(
    "text",
    [
        'a, b;x;*\n"c""";x;*\nd;y;*\n',
        '"a, b","x","*"\r\n"c""","x","*"\r\nd,y,*',
        '\ufeffa, b;x;*\r\n\r\n"c""";x;*\r\nd;y;*\r\n\r\n',
    ],
)
def test_layouts(tmp_path, text):
    path = tmp_path / "h.csv"
    path.write_bytes(text.encode())
    assert read_noted(path).hierarchy.chains == CHAINS


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a line with a value"),
        ("a;x;*\n\nb;*\n", r"h\.csv:3: 2 labels, expected 3 as in line 1"),
        ("a;x;*\nb;x;*\na;y;*\n", r"h\.csv:3: the value 'a' has a chain already"),
        ("a;x;y;*\nb;x;z;*\n", r"h\.csv:2: 'x' of level 1 becomes 'z' here"),
        ("a;x\n\nb;*\n", r"h\.csv:3: expected one label at the top, got '\*'"),
        ("a;x\nb;x\n\nc;X\n", r"h\.csv:4: expected one label at the top, got 'X'"),
        ("v;top\na;*\nb;*\n", r"h\.csv:2: .* if line 1 is a header, delete it"),
        ("\nv;l1\na;all\nb;all\n", r"h\.csv:3: .* if line 2 is a header, delete"),
        ("a\nb\n", r"h\.csv:2: expected one label at the top, got 'b'"),
        ('a;"x\n', r"h\.csv:1: "),
    ],
)
def test_errors_name_file_line_and_reason(tmp_path, text, message):
    path = tmp_path / "h.csv"
    path.write_text(text)
    with pytest.raises(InvalidInstanceError, match=message) as caught:
        read_noted(path)
    assert "\n" not in str(caught.value)


def test_what_is_noted(tmp_path):
    path = tmp_path / "h.csv"
    path.write_text("a;x\n\na;x\nb;y\nb;y\n")
    found = read_noted(path)
    assert found.hierarchy.chains == (("a", "x", "*"), ("b", "y", "*"))
    assert found.notes == (
        f"{path}:3: line 1 once more, and 1 more such",
        f'{path}:4: ends in "y", line 1 in "x": * is added as the top',
    )
    path.write_text("a;x;*\nb;y;*\n")
    assert read_noted(path).notes == ()


def test_a_missing_file(tmp_path):
    with pytest.raises(InvalidInstanceError, match="absent"):
        read_noted(tmp_path / "absent.csv")


@pytest.mark.parametrize(
    "chains",
    [
        CHAINS,
        (("", "", "*"), ("x;y", "[0, 1)", "*"), ("line\nend", "z", "*")),
        (("a,b,c,d", "*"), ("sep=,", "*"), (" ", "*")),
        (("1,5", "1,2", "*"),),
    ],
)
def test_what_is_written_is_read_again(tmp_path, chains):
    path = tmp_path / "h.csv"
    path.write_bytes(bytes_of(Hierarchy(chains)))
    assert read_noted(path).hierarchy.chains == chains


@pytest.mark.parametrize("lines", ["f;f m;m M;m", "f;f F;f m;m", "a;x b;*", "f;f f;f"])
def test_whoever_takes_a_level_needs_no_top(tmp_path, lines):
    path = tmp_path / "h.csv"
    path.write_text("\n".join(lines.split()))
    made = read_noted(path, needs_top=False)
    pairs = dict(line.split(";") for line in lines.split())
    assert {chain[0]: chain[1] for chain in made.hierarchy.chains} == pairs
