"""The check of the reductions to maps: what it refutes, and a short run."""

from dataclasses import replace

import pytest

from atleastk.instances.reductions import corridor_gadgets
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)


@pytest.fixture
def check(script):
    return script("reductions.check_map_reductions")


@pytest.fixture
def gadgets(script):
    return list(script("reductions.map_gadgets").every_gadget())


@pytest.fixture
def images(script):
    return script("reductions.map_images")


def test_every_gadget_has_its_states(check, gadgets):
    """All of them, and no other."""
    names = [gadget.name for gadget in gadgets]
    assert len(set(names)) == len(names) > 30
    for gadget in gadgets:
        assert check.wrong_states(gadget) == 0, gadget.name


def test_sizes_of_the_gadgets_of_graphs(gadgets):
    """With the connectors that lead away, of two nodes each."""
    sizes = {gadget.name: len(gadget.inner) for gadget in gadgets}
    assert sizes["connector"] == 2
    assert sizes["triple"] == 3 + 3 * 2
    assert sizes["crossover"] == 41 + 4 * 2
    assert sizes["crossover, centre fanned out"] == 44 + 4 * 2
    assert [sizes[f"cap of degree {d}"] for d in range(3)] == [1 + 3, 6, 9]


def test_wrong_gadgets_are_found(check, gadgets):
    """With a state missing from its list, one too many, and a group missing."""
    for gadget in gadgets:
        if gadget.expected:
            fewer = frozenset(sorted(gadget.expected, key=sorted)[1:])
            assert check.wrong_states(replace(gadget, expected=fewer)) == 1
            assert check.wrong_states(replace(gadget, groups=())) > 0
        more = gadget.expected | {frozenset({-1})}
        assert check.wrong_states(replace(gadget, expected=more)) == 1


def test_every_image_of_small_problems(check, images):
    """Up to two triples; some have a matching."""
    problems = list(check.small_problems(2))
    assert len(problems) == 2 + 1 + 8 + 28
    for image in images.IMAGES:
        report = check.checked(image, problems)
        assert report.refuted is None, report
        assert (report.checked, report.yes) == (len(problems), 1 + 4)


def test_random_problems(check, images):
    """Every second one is planted; they are as many as asked for, and repeatable."""
    problems = list(check.random_problems(10, 8, seed=1))
    assert problems == list(check.random_problems(10, 8, seed=1))
    assert len(problems) == 10
    assert all(images.matchings(problem) for problem in problems[1::2])
    for image in images.IMAGES:
        if image.name in ("cubic graph", "tiling, plane"):
            assert check.checked(image, problems[:4]).refuted is None


def test_matchings_are_all(images):
    """Of the eight triples of two elements, four pairs."""
    every = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    found = images.matchings(ThreeDimensionalMatching(2, every))
    assert found == {frozenset((i, 7 - i)) for i in range(4)}
    assert images.matchings(ThreeDimensionalMatching(2, every[:4])) == set()


def test_a_wrong_way_back_is_refuted(images):
    """Yes is not enough: what comes back must be a matching, and all must."""
    problem = ThreeDimensionalMatching(1, [(0, 0, 0)])
    for image in images.IMAGES:
        nothing = replace(image, back=lambda _problem, _groups: None)
        assert "gives None" in images.objection(nothing, problem)
        no = replace(image, cover=lambda target: images.Cover([], range(target.n)))
        assert "only" in images.objection(no, problem)


def test_a_wrong_crossing_is_refuted(images, check, monkeypatch):
    """With nothing in the middle, opposite corners no longer differ."""
    image = next(image for image in images.IMAGES if image.name == "tiling, points")
    problem = ThreeDimensionalMatching(2, [(0, 0, 0), (0, 1, 0), (1, 1, 1)])
    assert images.objection(image, problem) is None
    right = corridor_gadgets.crossing

    def hollow(x, y):
        return right(x, y) | {(x + 1, y + 1): 0}

    monkeypatch.setattr(
        "atleastk.instances.reductions.rectangle_tiling.crossing", hollow
    )
    assert images.objection(image, problem) is not None


def test_a_run(check, tmp_path):
    """The report names every gadget and every image."""
    check.main(
        ["--triples", "1", "--planar", "1", "--random", "1", "--out", str(tmp_path)]
    )
    text = (tmp_path / "reductions_maps.md").read_text()
    assert "| crossover | 49 | 114 | 4 | 0 |" in text
    assert text.count("| holds |") == 8
    assert "refuted:" not in text


def test_refutations_end_in_an_error(check, tmp_path, monkeypatch):
    """And the report names the instance."""
    monkeypatch.setattr(check, "objection", lambda _image, _problem: "so it is")
    arguments = ["--triples", "0", "--planar", "0", "--random", "0"]
    with pytest.raises(SystemExit, match="WRONG"):
        check.main([*arguments, "--out", str(tmp_path)])
    text = (tmp_path / "reductions_maps.md").read_text()
    assert "refuted: n = 1, (): so it is" in text
