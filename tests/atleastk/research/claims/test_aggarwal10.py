"""The claims of [Aggarwal10]: wrong reductions are refuted, its method by hand."""

from dataclasses import replace
from random import Random

import pytest

from atleastk.instances.reductions import cellular_clustering, r_gather
from atleastk.research.claims.catalogue import claims_of
from atleastk.research.claims.examining import examine
from atleastk.research.claims.rising import assigned, disjoint, risen, shared

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


LINE = [[abs(p - q) for q in range(3)] for p in range(3)]


def test_three_points_of_a_line_share_the_fee_of_the_middle():
    alphas, clusters = risen(LINE, [9, 3, 9])
    assert alphas == [2, 2, 2]  # 1 for the radius, and a third of the fee
    assert [(c.centre, c.radius, sorted(c.connected)) for c in clusters] == [
        (1, 1, [0, 1, 2])
    ]


def test_a_cluster_without_a_fee_opens_when_its_edges_get_tight():
    alphas, clusters = risen(LINE, [0, 0, 0])
    assert alphas == [0, 0, 0]
    assert all(c.radius == 0 for c in clusters)
    assert [sorted(points) for _, points in assigned(clusters)] == [[0], [1], [2]]


def test_shared_clusters_have_r_points_and_are_made_disjoint():
    clusters = shared(LINE, 2, assigned(risen(LINE, [0, 0, 0])[1]))
    assert [sorted(c.points) for c in clusters] == [[0, 1], [0, 1], [1, 2]]
    ((_root, group, heads),) = disjoint(Random(0), 2, clusters)
    assert sorted(group) == [0, 1, 2]  # 2 is left over, and below 2r with 0 and 1
    assert len(heads) == 1
