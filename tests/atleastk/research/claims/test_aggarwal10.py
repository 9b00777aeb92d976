"""The claims of [Aggarwal10] on reductions: wrong ones are refuted."""

from dataclasses import replace

import pytest

from atleastk.instances.reductions import cellular_clustering, r_gather
from atleastk.research.claims.catalogue import claims_of
from atleastk.research.claims.examining import examine

(GATHERING,), (CELLULAR,) = r_gather.REDUCTIONS, cellular_clustering.REDUCTIONS


FORMULAS = ("aggarwal10-section-2.1", "section_2_gather.OF_FORMULAS")
SETS = ("aggarwal10-theorem-3.2", "section_3_cellular.OF_SETS")


def all_four(_formula):
    return r_gather.to_r_gather(r_gather.ALL_FOUR)


@pytest.mark.parametrize(
    ("claimed", "wrong", "told"),
    [
        (FORMULAS, replace(GATHERING, back=lambda *_: None), "the way back gives None"),
        (
            FORMULAS,
            replace(GATHERING, forward=all_four),
            "satisfiable is True, the radius 2",
        ),
        (
            SETS,
            replace(CELLULAR, cost=lambda _, cost: cost - 1),
            "sets, not as the cost",
        ),
        (SETS, replace(CELLULAR, back=lambda *_: ()), "the way back gives ()"),
    ],
)
def test_a_wrong_reduction_is_refuted(claimed, wrong, told, monkeypatch):
    name, of = claimed
    (claim,) = (claim for claim in claims_of(["Aggarwal10"]) if claim.name == name)
    monkeypatch.setattr(f"atleastk.research.claims.aggarwal10.{of}", (wrong,))
    finding = examine(claim, cases=30)
    assert finding.against is not None
    assert told in finding.against
