"""[Chaytor06] chapter 2, background: reductions, and the table of seven patients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.suppression import Suppression
from atleastk.research.claims.chaytor06.drawn import PATIENTS, TABLES
from atleastk.research.claims.chaytor06.web import broken_reduction
from atleastk.research.claims.claim import Trial
from atleastk.research.claims.trials import example, optimum_of
from atleastk.runs import api


def _figure_2_12() -> object:
    patients = api.generate("k-ambiguity", "people")
    assert isinstance(patients, KAmbiguity)
    return (
        optimum_of(Suppression.named("MIN-e-SUP", patients.table, 2)),
        optimum_of(Suppression.named("MIN-c-DEL", patients.table, 2)),
        optimum_of(patients),
    )


TRIALS: Final[Mapping[str, Trial]] = {
    "Lemma 2.1.17": Trial(
        f"the reductions of types 1 to 3 on {TABLES}",
        broken_reduction(lambda rule: rule.kind != "many-one" and rule.type < 4),
    ),
    "Figure 2.6": example(
        lambda: (len(PATIENTS), {len(row) for row in PATIENTS}, PATIENTS[2][3]),
        (7, {5}, 804),
    ),
    "Figures 2.12 to 2.14": example(_figure_2_12, (8, 3, 4)),
}
