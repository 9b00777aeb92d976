"""What a host reads: the workflow, the forms, and one version everywhere."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FORMS = sorted(ROOT.glob(".github/**/*.yml"))


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def test_the_hosted_run_is_the_one_of_here():
    workflow = read(".github/workflows/ci.yml")
    assert re.findall(r"- run: (.*)", workflow) == [".ci/run"]
    oldest = tomllib.loads(read("pyproject.toml"))["project"]["requires-python"]
    assert f'"{oldest.removeprefix(">=")}"' in workflow


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_forms_are_yaml(form):
    yaml = pytest.importorskip("yaml")
    parsed = yaml.safe_load(form.read_text(encoding="utf-8"))
    if form.parent.name == "ISSUE_TEMPLATE":
        assert {"name", "description", "body"} <= parsed.keys()
        named = [part["id"] for part in parsed["body"]]
        assert len(set(named)) == len(named)


def test_all_five_papers_are_cited():
    yaml = pytest.importorskip("yaml")
    papers = yaml.safe_load(read("CITATION.cff"))["references"]
    firsts = {paper["authors"][0]["family-names"] for paper in papers}
    assert firsts == {"Aggarwal", "Chakaravarthy", "Chaytor", "Du", "Park"}
    assert all(paper["title"] and paper["year"] for paper in papers)


def test_the_version_is_the_same_everywhere():
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    assert f"\nversion: {version}\n" in read("CITATION.cff")
    assert f"\n## {version}" in read("CHANGELOG.md")
