import re
import tomllib
from pathlib import Path

import pytest
from every_problem import SETTLED

from atleastk.cli import docs
from atleastk.cli.parsing import COMMANDS

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def shown(done):
    return lambda words="": done(f"docs {words}").splitlines()


@pytest.mark.parametrize(
    ("word", "page", "heading"),
    [
        ("interval-covering", "interval-covering.md", "Interval covering"),
        ("rectangle-tiling-grid", "rectangle-tiling-grid.md", "RTILE"),
        ("hierarchies", "protection.md", "Hierarchies"),
        ("Least squares", "clusters.md", "Least squares"),
        ("study", "studies.md", "Studies that go on"),
        ("districts", "connected-partition.md", "Connected partition"),
        ("tolerance", "maps.md", "Partition a map"),
        ("max-p", "maps.md", "Partition a map"),
        ("Redistricting", "maps.md", "Partition a map"),
        ("SUDA", "inspect.md", "Look at a table before"),
        ("microaggregation", "filing.md", "Means in place of numbers"),
        ("clique partitioning", "pair-partition.md", "Pair partition"),
        ("k-member", "clusters.md", "Publish clusters in place of rows"),
        ("t closeness", "protection.md", "Sensitive values"),
        ("facility location", "r-gather.md", "r-gather"),
    ],
)
def test_a_word_has_a_place(word, page, heading, shown):
    """Words of others lead to ours."""
    title, path, _, *paragraph = shown(word)
    assert (title, Path(path).name) == (heading, page)
    text = Path(path).read_text(encoding="utf-8")
    assert paragraph[0] in text.splitlines()


def test_every_word_of_the_glossary_leads_where_it_says(shown):
    rows = re.findall(
        r"^\| (.+) \| \[(.+)\]\((\S+)\) \|$",
        (ROOT / "docs/glossary.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert len(rows) > 10
    every = [word for words, *_ in rows for word in words.split(", ")]
    assert len(set(every)) == len(every)
    for words, heading, page in rows:  # one word of each, as every one reads all pages
        word = words.split(", ")[-1]
        title, path, *_ = shown(word)
        assert (title, Path(path).name) == (heading, page.split("#")[0]), word


def test_an_unknown_word_may_be_meant_for_one_of_others(refused):
    assert 'did you mean "redistricting"?' in refused("docs", "redistrcting")


def test_a_comment_of_code_is_no_heading(shown):
    title, path, *_ = shown("recipe")
    assert Path(path).name == "filing.md"
    assert f"# {title}" in Path(path).read_text(encoding="utf-8")
    assert not title.startswith("What was asked")


def test_the_paragraph_that_tells_of_a_word_is_shown(shown):
    told = "\n".join(shown("shapefile")).partition("\nalso:")[0]
    assert "shapefile" in told.casefold()


@pytest.mark.parametrize("word", [*SETTLED, *COMMANDS])
def test_every_problem_and_command_has_one(word, shown):
    assert Path(shown(word)[1]).is_file()


def test_without_a_word_all_pages_are_listed(shown):
    listed = [line.split("  ", 1) for line in shown()]
    assert [Path(path) for path, _ in listed] == sorted(ROOT.glob("docs/*.md"))
    assert [title for _, title in listed] == [
        Path(path).read_text(encoding="utf-8").split("\n")[0][2:] for path, _ in listed
    ]


def test_others_are_named(shown):
    *_, last = shown("k-anonymity")
    assert re.fullmatch(r"  \.\.\. \d+ more", last)


def test_what_is_nowhere_is_said(refused):
    near = 'no page has "k-anonimity"; did you mean "k-anonymity"? '
    told = f"atleastk: error: {near}atleastk docs lists all pages\n"
    assert refused("docs k-anonimity") == told


def test_without_pages_it_says_so(tmp_path, monkeypatch, refused):
    monkeypatch.setattr(docs, "__file__", str(tmp_path / "atleastk/cli/docs.py"))
    refused("docs bins")


def test_the_wheel_has_all_pages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    held = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    pages = [path.name for path in sorted(ROOT.glob("docs/*.md"))]
    assert held == {f"docs/{name}": f"atleastk/docs/{name}" for name in pages}
