"""The site, without Sphinx: its menus, the pages that are made, and its check."""

import json
import re

import pytest

import atleastk
from atleastk import public
from atleastk.cli.parsing import COMMANDS
from scripts.site import check, commands, contents, formats, python, records, releases


def test_every_page_has_one_place_within_two_clicks():
    places = contents.contents()
    below = [page for pages in places.values() for page in pages]
    assert sorted(below) == sorted(contents.pages() - {contents.ROOT_PAGE})


def test_menus_are_added_to_the_text_of_a_page():
    text = contents.with_contents("gather", "# Gather\n")
    below = "/clusters\n/pack\n/assign\n/notebooks/places\n"
    assert text.endswith(f":hidden:\n\n{below}```\n")
    assert contents.with_contents("clusters", "# Clusters\n") == "# Clusters\n"


def test_every_command_and_option_is_told():
    page = commands.page()
    assert all(f"## atleastk {command}\n" in page for command in COMMANDS)
    assert "### atleastk library " in page
    assert r"| `-k K` |" in page
    assert "| `--suppress-rows N` |" in page
    assert "141  whoever read standard output has left" in page


def test_every_field_of_an_instance_is_told():
    told = {
        part.partition("\n")[0]: set(re.findall(r"^\| `(\w+)` \| \S.* \|$", part, re.M))
        for part in formats.page().split("\n## ")[1:]
    }
    remarks = {"problem", "name", "source", "comment"}
    assert told == {
        problem.name: set(problem.instance.json_schema()["properties"]) - remarks
        for problem in atleastk.problems()
    }
    assert "| `intact` | list of (whole number >= 0) | `[]` |" in formats.page()
    assert (
        "| `k` | whole number >= 1 |  | The least level of a group. |" in formats.page()
    )


def test_every_public_name_has_one_page():
    text = "".join(python.pages().values())
    names = set(public.__all__) - {"__version__", "library"}
    assert all(text.count(f":: atleastk.{name}\n") == 1 for name in names)


def test_what_is_not_closed_has_a_page_of_what_was_tried():
    still = [each for each in atleastk.library.values() if not each.is_closed]
    pages = records.pages()
    assert set(pages) == {"open.md", *(f"open/{each.name}.md" for each in still)}
    for record in still:
        page = pages[f"open/{record.name}.md"]
        assert f"(open/{record.name}.md)" in pages["open.md"]
        assert f"It is *{record.status}*" in page
        assert page.count(f"| {record.known.cost} | {record.known.bound} |") >= 1
        tried = page.partition("## What was tried")[2]
        assert tried.count("| auto |") + tried.count(":compact |") == len(
            record.efforts
        )


def test_pages_of_what_is_closed_by_now_go(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "DOCS", tmp_path)
    closed = tmp_path / "made/open/closed-long-ago.md"
    closed.parent.mkdir(parents=True)
    closed.touch()
    contents.write_made()
    assert not closed.exists()
    assert (tmp_path / "made/open.md").exists()


@pytest.mark.parametrize(
    ("markup", "wrong"),
    [
        ('<img src="there.png"><a href="page.html#part">', []),
        ('<a href="https://example.org">', []),
        ('<link rel="canonical" href="https://example.org">', []),
        ('<script src="https://example.org/a.js">', ["fetches"]),
        ('<link rel="stylesheet" href="//example.org/a.css">', ["fetches"]),
        ('<a href="nowhere.html">', ["is not there"]),
    ],
)
def test_what_is_fetched_or_missing_is_found(markup, wrong, tmp_path, capsys):
    (tmp_path / "there.png").touch()
    (tmp_path / "page.html").write_text(markup, encoding="utf-8")
    assert check.main(tmp_path) == len(wrong)
    *found, summary = capsys.readouterr().out.splitlines()
    assert len(found) == len(wrong)
    assert all(word in line for word, line in zip(wrong, found, strict=True))
    assert summary == "1 pages, 0.0 MB"


@pytest.mark.parametrize("example", sorted(contents.DOCS.glob("gallery/*.py")), ids=str)
def test_every_example_says_which_picture_is_shown(example):
    text = example.read_text(encoding="utf-8")
    assert re.match(r'"""\n(.+)\n=+\n\n', text)
    assert text.count("\npicture = ") == 1


@pytest.mark.parametrize("path", sorted(contents.DOCS.glob("notebooks/*")), ids=str)
def test_a_notebook_stands_without_its_outputs(path):
    """The site runs it, and ends with an error where it does."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3
    assert {(str(c["outputs"]), c["execution_count"]) for c in cells} == {("[]", None)}


def test_style_sheets_fetch_nothing(tmp_path):
    (tmp_path / "a.css").write_text('body { background: url("https://example.org") }')
    assert len(list(check.problems(tmp_path))) == 1


def test_sites_of_versions_stand_side_by_side_the_newest_first(tmp_path):
    site, pages = tmp_path / "site", tmp_path / "pages"
    site.mkdir()
    with pytest.raises(SystemExit, match="holds no site"):
        releases.add(site, pages)
    (site / "index.html").write_text("one")
    for version in ("0.9", "0.10", "0.2.1", "0.9"):
        releases.add(site, pages, version)
        (site / "index.html").write_text(f"after {version}")
    assert releases.versions_in(pages) == ["0.10", "0.9", "0.2.1"]
    assert (pages / "0.9" / "index.html").read_text() == "after 0.2.1"
    index = (pages / "index.html").read_text()
    assert 'url=0.10/index.html"' in index
    assert all(f"{version}/index.html" in index for version in ("0.9", "0.2.1"))
    assert list(check.problems(pages)) == []
