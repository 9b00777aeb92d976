"""[Du09] section 3, rectangles: Theorem 4 and the images of 3DM."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.research.claims.claim import Kind, Trial, claim
from atleastk.research.claims.du09.shared import of_matchings
from atleastk.research.claims.map_images import IMAGES
from atleastk.research.claims.trials import optimum_of, promise
from atleastk.runs import api

_KD_TREES: Final = (
    *("kd-balanced", "kd-smallest-side", "kd-alternating", "kd-random"),
    "guillotine",
)


def _points(rng: Random) -> RectangleTiling:
    side = rng.randint(1, 5)
    points = [
        (rng.randrange(side), rng.randrange(side), rng.randint(1, 6))
        for _ in range(rng.randint(1, 9))
    ]
    total = sum(weight for *_, weight in points)
    cover = rng.choice(["plane", "points"])
    return RectangleTiling(points, rng.randint(1, total), cover=cover)


def _tight_kd(rng: Random) -> str | None:
    instance: Any = api.generate("rectangle-tiling", "tight-kd", k=rng.randint(2, 12))
    cost = optimum_of(instance)
    return (
        None if cost == instance.k else f"{instance.to_dict()}: the optimum is {cost}"
    )


CLAIMS: Final = (
    claim(
        "section 3, rectangles",
        "To partition the plane into rectangles, or the points into disjoint "
        "rectangles, is one problem.",
        reading="Sections 1 and 3 define it in these two ways, and do not say that "
        "they are the same.",
        counter_example="du09 plane_or_points",
        ours=True,
        repair="They are two problems, and both are here by the field cover.",
    ),
    claim(
        "section 3, 3DM to rectangles",
        "The image of a 3DM is partitioned into rectangles of three points iff "
        "there is a matching.",
        kind=Kind.REDUCTION,
        trial=Trial(
            "3DM of 1 to 3 elements a side and n to 2n triples, to cover the plane or "
            "the points, and of weights 1 only",
            of_matchings(IMAGES[4:7]),
        ),
        evidence="All 3DM of one or two elements a side and 10 of three: the solutions "
        "of cost 3 of 268 images choose all matchings (182 have one), and nothing "
        "else; each of the three.",
    ),
    claim(
        "section 3, 3DM to RTILE",
        "A similar reduction shows 4/3 for RTILE: p tiles of weight 3 iff there "
        "is a matching, and else one of 4 or more.",
        kind=Kind.REDUCTION,
        trial=Trial(
            "3DM of 1 to 3 elements a side and n to 2n triples",
            of_matchings(IMAGES[7:]),
        ),
        evidence="All 3DM of one or two elements a side and 10 of three: the solutions "
        "of cost 3 of 268 images choose all matchings (182 have one), and nothing "
        "else.",
    ),
    claim(
        "Theorem 4",
        "A kd-tree that cuts wherever both sides keep k costs at most 5 OPT.",
        reading="At most kappa + 4 (k - 1), for any rule that chooses among the cuts.",
        trial=promise("1 to 9 points of a 5 x 5 grid", _points, *_KD_TREES),
    ),
    claim(
        "section 3, four points",
        "Four points of weight k - 1 about one of k may be tiled at cost k, "
        "while the kd-tree costs 5k - 4.",
        kind=Kind.EXAMPLE,
        counter_example="du09 four_arms",
        repair="Two more points on every arm make the optimum k: family tight-kd.",
        repaired=Trial("k from 2 to 12", _tight_kd),
    ),
)
