from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, dataclass, fields
from importlib import import_module

import pytest

from atleastk.cli.options import (
    Either,
    Kind,
    Options,
    add_options,
    expect_none,
    option,
    options_of,
)
from atleastk.instances.fields.errors import AtleastkError

WAY = Either("way", required=True)


def even(text):
    if int(text) % 2:
        raise ValueError(f"{text} is odd")
    return int(text)


@dataclass(frozen=True, kw_only=True)
class Shared(Options):
    size: int = option("--size N", "even", even, default=2)
    loud: bool = option("--loud", "loud")


@dataclass(frozen=True, kw_only=True)
class Apart(Options):
    names: Sequence[str] = option(
        "--name NAME",
        heading=("apart", "under a title of its own"),
        action="append",
        default=[],
    )


@dataclass(frozen=True, kw_only=True)
class Own(Apart, Shared):
    file: str = option("FILE", "a file")
    up: bool = option("--up", either=WAY)
    down: bool = option("--down", either=WAY)
    loud: bool = option("-l --loud", "louder than others")


def parsed(*words):
    parser = ArgumentParser()
    add_options(parser, Own)
    return options_of(Own, parser.parse_args(words))


def test_options_are_typed_and_frozen():
    assert parsed("f", "--up") == Own(
        file="f", up=True, down=False, loud=False, size=2, names=[]
    )
    given = parsed("f", "--down", "--size", "4", "-l", "--name", "a", "--name", "b")
    assert (given.size, given.loud, given.names) == (4, True, ["a", "b"])
    with pytest.raises(FrozenInstanceError):
        given.size = 6


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["f"], "one of the arguments --up --down is required"),
        (["f", "--up", "--down"], "--down: not allowed with argument --up"),
        (["f", "--up", "--size", "3"], "argument --size: 3 is odd"),
    ],
)
def test_mistakes_are_told(words, told, capsys):
    with pytest.raises(SystemExit):
        parsed(*words)
    assert told in capsys.readouterr().err


def test_help_tells_own_options_first():
    parser = ArgumentParser()
    add_options(parser, Own)
    shown = parser.format_help()
    assert shown.index("-l, --loud") < shown.index("--size N  ")
    assert shown.index("--size N  ") < shown.index("under a title of its own")
    assert shown.count("louder than others") == 1
    assert "FILE" in shown


def test_options_that_make_no_sense_are_refused():
    given = parsed("f", "--up", "--name", "a")
    expect_none(given, "quiet", ["loud"])
    with pytest.raises(AtleastkError, match="quiet: leave out --name"):
        expect_none(given, "quiet", ["loud", "names"])


JSON = Kind("JSON", (".json",))


@dataclass(frozen=True, kw_only=True)
class Filing(Options):
    files: Sequence[str] = option("FILE", reads="an instance", nargs="+")
    start: str | None = option("--start FILE", reads="a start")
    form: str = option("--to", choices=("json", "text"), default="json")
    output: str | None = option(
        "-o --output OUT",
        writes=lambda options: JSON if options.form == "json" else None,
    )


def test_paths_are_those_of_the_options_that_say_so():
    filing = Filing(files=["a", "b"], start=None, form="json", output="c")
    read = [("an instance", "a"), ("an instance", "b"), ("a start", None)]
    assert filing.paths() == (read, [("c", JSON)])
    text = Filing(files=[], start="d", form="text", output="c")
    assert text.paths() == ([("a start", "d")], [("c", None)])


@pytest.mark.parametrize("command", ["anonymize", "tradeoff"])
def test_help_is_short_and_all_of_it_can_be_had(monkeypatch, command, done):
    monkeypatch.setenv("COLUMNS", "80")
    short = done(command, "--help")
    assert short.count("\n") <= 60
    assert f"Example: atleastk {command}" in " ".join(short.split())
    assert "Chaytor" not in short
    whole = done(command, "nothing.csv", "--help-all")
    options = import_module(f"atleastk.cli.{command}").Options
    flags = [f for one in fields(options) for f in one.metadata.get("flags", ())]
    assert [flag for flag in flags if flag not in whole] == []
    for flag in ("--drop", "--suppress-rows", "--recipe"):
        assert f"  {flag} " in short
    assert set(options.shown) < {one.name for one in fields(options)}


def test_help_all_is_known_where_help_is_short_anyway(done):
    done("solve", "--help-all")
