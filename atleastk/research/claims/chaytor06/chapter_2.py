"""[Chaytor06] chapter 2, background: reductions, and the table of seven patients."""

from __future__ import annotations

from typing import Final

from atleastk.instances.k_ambiguity import KAmbiguity
from atleastk.instances.suppression import Suppression
from atleastk.research.claims.chaytor06.drawn import PATIENTS, TABLES
from atleastk.research.claims.chaytor06.web import broken_reduction
from atleastk.research.claims.claim import Kind, Trial, claim
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


CLAIMS: Final = (
    *(
        claim(
            number,
            f"{kind} reductions are closed under composition and keep tractability.",
            kind=Kind.LEMMA,
            untested="Complexity, and a theorem of another text.",
        )
        for number, kind in (
            ("Lemma 2.1.14", "Many-one"),
            ("Lemma 2.1.15", "Metric"),
            ("Lemma 2.1.16", "L-"),
        )
    ),
    claim(
        "Lemma 2.1.17",
        "A many-one reduction by restriction or quasi-restriction is a metric and an "
        "L-reduction between the minimisations, with alpha = beta = 1.",
        undefined="The instances are to be (almost) identical, but that of a "
        "minimisation has no limit of what is minimised, which R may need: e = c n.",
        repair="Right where no formula needs it: types 1 and 3, and 2 with H* and P*.",
        repaired=Trial(
            f"the reductions of types 1 to 3 on {TABLES}",
            broken_reduction(lambda rule: rule.kind != "many-one" and rule.type < 4),
        ),
    ),
    claim(
        "Figure 2.6",
        "A table of 7 people and 5 attributes, whose e_34 is 804.",
        trial=example(
            lambda: (len(PATIENTS), {len(row) for row in PATIENTS}, PATIENTS[2][3]),
            (7, {5}, 804),
        ),
        nearby=("its list of attributes: four, Married is left out",),
    ),
    claim(
        "Figures 2.12 to 2.14",
        "The seven patients, k = 2: 8 entries are enough, or 3 columns, or 4 entries "
        "for 2-ambiguity.",
        reading="These are the optima.",
        trial=example(_figure_2_12, (8, 3, 4)),
    ),
)
