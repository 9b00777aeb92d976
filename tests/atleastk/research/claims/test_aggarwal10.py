"""The claims of [Aggarwal10] on reductions: wrong ones are refuted."""

from dataclasses import replace

import pytest

from atleastk.instances.reductions import cellular_clustering, r_gather
from atleastk.research.claims.catalogue import claims_of
from atleastk.research.claims.examining import examine

(GATHERING,), (CELLULAR,) = r_gather.REDUCTIONS, cellular_clustering.REDUCTIONS


@pytest.mark.parametrize(
    ("name", "of", "wrong", "told"),
    [
        (
            "aggarwal10-section-2.1",
            "section_2_gather.OF_FORMULAS",
            replace(GATHERING, back=lambda _formula, _groups: None),
            "the way back gives None",
        ),
        (
            "aggarwal10-section-2.1",
            "section_2_gather.OF_FORMULAS",
            replace(
                GATHERING, forward=lambda _: r_gather.to_r_gather(r_gather.ALL_FOUR)
            ),
            "satisfiable is True, the radius 2",
        ),
        (
            "aggarwal10-theorem-3.2",
            "section_3_cellular.OF_SETS",
            replace(CELLULAR, cost=lambda _system, cost: cost - 1),
            "sets, not as the cost",
        ),
        (
            "aggarwal10-theorem-3.2",
            "section_3_cellular.OF_SETS",
            replace(CELLULAR, back=lambda _system, _groups: ()),
            "the way back gives ()",
        ),
    ],
)
def test_a_wrong_reduction_is_refuted(name, of, wrong, told, monkeypatch):
    (claim,) = (claim for claim in claims_of(["Aggarwal10"]) if claim.name == name)
    monkeypatch.setattr(f"atleastk.research.claims.aggarwal10.{of}", (wrong,))
    finding = examine(claim, cases=30)
    assert finding.against is not None
    assert told in finding.against
