import pytest

from atleastk.instances.fields.errors import quoted
from atleastk.instances.fields.visible import visible, visible_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\x00\x07\x7f\x9b", r"\x00\x07\x7f\x9b"),
        ("abc\u202egpj.exe", r"abc\u202egpj.exe"),
        ("two\u2028lines", r"two\u2028lines"),
        ("half\ud800", r"half\ud800"),
        ("Zürich, 東京, \\n", "Zürich, 東京, \\n"),
    ],
)
def test_a_line(text, shown):
    assert visible(text) == shown
    assert quoted(text) == f'"{shown}"'


def test_lines_keep_their_ends_and_tabs():
    assert visible_lines("a\tb\nc\x1b\r\n") == "a\tb\nc\\x1b\\r\n"
