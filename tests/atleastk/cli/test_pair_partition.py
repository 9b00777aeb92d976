"""Pair partition on the command line: what it offers, and what it says it does not."""

from dataclasses import replace

import pytest

from atleastk.cli.main import main
from atleastk.runs import registry

OFFERED = [
    "solve instance.json --certify",
    "solve instance.json --agree",
    "solve instance.json --method pairs",
    "check instance.json result.json --require proof",
    "approximate instance.json --all",
    "plot instance.json result.json -o picture.png",
    "problems pair-partition",
]
NOT_OFFERED = [
    "prove instance.json result.json -o proof.vipr",
    "prove instance.json result.json --to veripb -o proof",
    "convert pair-partition sizes.csv -k 3",
    "adversary mdav",
    "adversary all --problem pair-partition",
    "library export --folder library -o model.mps",
]


@pytest.fixture(autouse=True)
def _files(here, done):
    """An instance, its result, and a library that holds it."""
    for words in (
        "generate pair-partition uniform --n 9 -o instance.json",
        "solve instance.json -o result.json",
        "library add instance.json --folder library",
    ):
        done(words)


@pytest.mark.parametrize("words", OFFERED)
def test_what_is_offered(words, done):
    done(words)


@pytest.mark.parametrize("words", NOT_OFFERED)
def test_what_is_not_offered_is_refused_in_a_line(words, monkeypatch, capsys):
    """All parts that may be None are: no proof, no format, no adversary, no model."""
    parts = dict.fromkeys(("certify", "ground", "tiny", "formulations", "refuted"))
    bare = replace(registry.PROBLEMS["pair-partition"], **parts)
    monkeypatch.setattr(registry, "PROBLEMS", {**registry.PROBLEMS, bare.name: bare})
    assert main(words.split()) == 2
    written = capsys.readouterr()
    assert (written.out, written.err.count("\n")) == ("", 1)
