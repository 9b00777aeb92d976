from dataclasses import fields
from importlib import import_module

import pytest


def test_help_tells_own_options_first(monkeypatch, done):
    """An option that a command has anew is told once; titles stand below."""
    monkeypatch.setenv("COLUMNS", "80")
    shown = done("solve --help")
    assert shown.index("FILE") < shown.index("--target COST")
    assert shown.index("--target COST ") < shown.index("--memory-limit GB ")
    assert shown.count("  --time-limit S") == 1
    assert "  --time-limit S        seconds for every instance\n" in shown
    shown = done("inspect --help")
    assert shown.index("--input-limit GB ") < shown.index("large tables:")
    assert shown.index("large tables:") < shown.index("--engine NAME ")


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
