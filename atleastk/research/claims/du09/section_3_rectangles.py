"""[Du09] section 3, rectangles: Theorem 4 and the images of 3DM."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from atleastk.instances.rectangle_tiling import RectangleTiling
from atleastk.research.claims.claim import Trial
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


TRIALS: Final[Mapping[str, Trial]] = {
    "section 3, 3DM to rectangles": Trial(
        "3DM of 1 to 3 elements a side and n to 2n triples, to cover the plane or "
        "the points, and of weights 1 only",
        of_matchings(IMAGES[4:7]),
    ),
    "section 3, 3DM to RTILE": Trial(
        "3DM of 1 to 3 elements a side and n to 2n triples",
        of_matchings(IMAGES[7:]),
    ),
    "Theorem 4": promise("1 to 9 points of a 5 x 5 grid", _points, *_KD_TREES),
    "section 3, four points": Trial("k from 2 to 12", _tight_kd),
}
