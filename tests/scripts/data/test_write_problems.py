"""Every problem has a page, and all pages have one form."""

import re

import pytest
from every_problem import SETTLED

from scripts.data import write_problems
from scripts.site import pictures
from scripts.site.contents import DOCS, listed


def page_of(name):
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SETTLED)
def test_every_problem_has_a_page_of_the_form(name):
    told, *parts = page_of(name).split("\n## ")
    bodies = dict(part.split("\n", 1) for part in parts)
    assert tuple(bodies)[: len(write_problems.HEADS)] == write_problems.HEADS
    assert re.search(r"\n\n(?!\W)", told), "what is asked, in words"
    assert re.search(r"^!\[.+\]\(.+\.png\)$", told, re.MULTILINE), "a picture"
    assert "\n$$" in bodies["Formulations"]
    assert "(benchmarks/" in bodies["How far it gets"]
    assert all(body.strip() for body in bodies.values())
    assert name in listed("problems")


@pytest.mark.parametrize("name", SETTLED)
def test_a_page_has_all_parts_that_are_data(name):
    found = re.findall(r"^<!-- (\w+) -->$", page_of(name), re.MULTILINE)
    assert found == [word for part in write_problems.PARTS for word in (part, "end")]


def test_what_a_page_is_not_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(write_problems, "DOCS", tmp_path)
    page = tmp_path / "bin-covering.md"
    page.write_text("# Bins\n\n<!-- methods -->\n\n<!-- end -->\n")
    with pytest.raises(SystemExit, match=r"bin-covering\.md is not what its data say"):
        write_problems.main(["--check"])
    write_problems.main([])
    assert "| `arc-flow` | MILP |" in page.read_text(encoding="utf-8")
    write_problems.main(["--check"])


def test_known_ratios_are_read_from_the_measured_page():
    found = write_problems.ratios()
    assert found["bin-covering", "fold"] == "3, tight"
    assert found["k-anonymity", "approx-cf-1.8"] == "13.3333"
    assert found["generalization", "samarati"] == "1, tight"
    assert found["pair-partition", "mdav"] == "unbounded"


def test_pictures_of_pages_are_those_of_examples():
    drawn = {path.stem for path in pictures.DRAWN.glob("*.png")}
    assert drawn == pictures.shown()
    assert all((DOCS / f"gallery/{name}.py").is_file() for name in drawn)
