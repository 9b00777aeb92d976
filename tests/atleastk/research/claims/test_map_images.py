from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest

from atleastk.instances.reductions import corridor_gadgets
from atleastk.instances.reductions.three_dimensional_matching import (
    ThreeDimensionalMatching,
)
from atleastk.research.claims.catalogue import claims_of
from atleastk.research.claims.examining import examine
from atleastk.research.claims.map_images import IMAGES, Cover, objection
from atleastk.solvers.brute_force.combinatorial import exact_covers

EVERY = [*product(range(2), repeat=3)]
CROSSED = [EVERY[0], EVERY[7], EVERY[1]]


def small_problems():
    """Return all of up to two triples, and some of three and four."""
    rng = Random(5)
    larger = [CROSSED, *(rng.sample(EVERY, size) for size in (3, 3, 4))]
    return [
        *(
            ThreeDimensionalMatching(n, triples)
            for n in (1, 2)
            for size in range(3)
            for triples in combinations(product(range(n), repeat=3), size)
        ),
        *(ThreeDimensionalMatching(2, triples) for triples in larger),
    ]


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: image.name)
def test_every_image_of_small_problems(image):
    problems = small_problems()
    assert len(problems) == 2 + 1 + 8 + 28 + 4
    solvable = [any(exact_covers(p.sets, p.elements)) for p in problems]
    assert sum(solvable[:-4]) == 1 + 4
    assert any(solvable[-4:])
    for problem in problems:
        assert objection(image, problem) is None, problem


def test_a_wrong_way_back_is_refuted():
    problem = ThreeDimensionalMatching(1, [(0, 0, 0)])
    for image in IMAGES:
        nothing = replace(image, back=lambda _problem, _groups: None)
        assert "gives None" in objection(nothing, problem)
        no = replace(image, cover=lambda target: Cover([], range(target.n)))
        assert "only" in objection(no, problem)


def test_a_wrong_crossing_is_refuted(monkeypatch):
    image = next(image for image in IMAGES if image.name == "tiling, points")
    problem = ThreeDimensionalMatching(2, [(0, 0, 0), (0, 1, 0), (1, 1, 1)])
    assert objection(image, problem) is None
    right = corridor_gadgets.crossing

    def hollow(x, y):
        return right(x, y) | {(x + 1, y + 1): 0}

    monkeypatch.setattr(
        "atleastk.instances.reductions.rectangle_tiling.crossing", hollow
    )
    assert objection(image, problem) is not None


def test_an_objection_speaks_against_the_claims(monkeypatch):
    monkeypatch.setattr(
        "atleastk.research.claims.du09.shared.objection",
        lambda _image, _problem: "so it is",
    )
    claims = [claim for claim in claims_of(["Du09"]) if "3DM to" in claim.number]
    assert len(claims) == 3
    for claim in claims:
        told = examine(claim, cases=1).against
        assert "'triples'" in told
        assert told.endswith("so it is")


def test_another_cost_speaks_against_the_claims(monkeypatch):
    monkeypatch.setattr(
        "atleastk.research.claims.du09.shared.optimum_of",
        lambda image: 2 if image.n else None,
    )
    claim = next(claim for claim in claims_of(["Du09"]) if "3DM to" in claim.number)
    assert "the image costs 2" in examine(claim, cases=1).against
