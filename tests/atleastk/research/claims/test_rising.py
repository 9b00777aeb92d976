"""The primal-dual method by the text of [Aggarwal10], on cases done by hand."""

from random import Random

from atleastk.research.claims.rising import assigned, disjoint, risen, shared

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
