"""Pair partition: costs, violations and certificates, by hand."""

import random
from itertools import accumulate, pairwise

import pytest

from atleastk import InvalidInstanceError, solve
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.certificates import pair_partition as certificates
from atleastk.models.pair_partition import check
from atleastk.models.results.solution import Solution

LINE = PairPartition(points=[[0], [1], [7], [9], [10]], k=2)
"""Best as (0, 1) and (7, 9, 10): 1 + 4 + 1 + 9 = 15."""

FRIENDS = [1, -1, 0, 1, 0], [0, 0, 1, 1, -1]


def test_costs_by_hand():
    groups = Solution.of([[0, 1], [2, 3, 4]])
    assert check(LINE, groups).cost == 15
    squares = PairPartition(points=LINE.points, k=2, objective="squares")
    assert check(squares, groups).cost == 1 // 2 + 14 // 3


def test_squares_may_be_of_points_whose_pairs_cost_more_than_64_bits():
    """They cost as much as is summed, for groups of any size; sums of pairs do not."""
    rng = random.Random(1)
    points = [[rng.randrange(2**23), rng.randrange(2**23)] for _ in range(4_000)]
    instance = PairPartition(points=points, k=3, objective="squares")
    assert instance.total > 2**63
    order = rng.sample(range(4_000), 4_000)
    for sizes in ([4_000], [1_000] * 4, [3] * 1_332 + [4]):
        ends = [*accumulate(sizes, initial=0)]
        groups = Solution.of([order[a:b] for a, b in pairwise(ends)])
        exact = sum(map(instance.cost_of, groups.groups))
        assert check(instance, groups).cost == exact
    with pytest.raises(InvalidInstanceError, match="larger units"):
        PairPartition(points=points, k=3)
    with pytest.raises(InvalidInstanceError, match="larger units"):
        PairPartition(points=points, k=2_000, objective="squares")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"k": 3}, "group 0 has 2 items, fewer than k = 3"),
        ({"groups": (3, 4)}, "2 groups, where there have to be 3 to 4"),
        ({"together": [[1, 2]]}, "items [1, 2] are not together"),
        ({"apart": [[2, 4]]}, "of the items [2, 4] two are in one group"),
        (
            {"require": [{"of": "items", "at_most": 2}]},
            "group 1 holds 3 of items, more than 2",
        ),
        ({"require": [{"of": ["a", "b", "a", "b", "b"], "at_least": 1}]}, None),
        (
            {"require": [{"of": [1, 0, 2, 0, 0], "at_least": 2}]},
            "group 0 holds 1 of require[0].of, fewer than 2",
        ),
        (  # 0 or 3 are with 1, and 2 or 3 with 4
            {"require": [{"of": s, "at_least": 0} for s in FRIENDS]},
            None,
        ),
        (
            {"require": [{"of": [0, -1, 1, 0, 1], "at_least": 0}]},
            "group 0 holds -1 of require[0].of, fewer than 0",
        ),
        (
            {"require": [{"of": [1, 1, -1, -1, 0], "at_most": 1}]},
            "group 0 holds 2 of require[0].of, more than 1",
        ),
    ],
)
def test_violations_are_named(fields, message):
    asked = PairPartition(**{"points": LINE.points, "k": 2, **fields})
    violated = check(asked, Solution.of([[0, 1], [2, 3, 4]])).violations
    assert violated == (() if message is None else (message,))


def test_groups_that_fall_apart_are_named():
    path = PairPartition(items=4, costs=[(0, 1, 1), (2, 3, 1)], k=2, connected=True)
    violated = check(path, Solution.of([[0, 2], [1, 3]])).violations
    assert violated[0] == "group 0 is not connected"
    edged = PairPartition(
        points=[[0], [9], [1], [9]], k=2, connected=True, edges=[(0, 2), (1, 3)]
    )
    assert not check(edged, Solution.of([[0, 2], [1, 3]])).violations
    violated = check(edged, Solution.of([[0, 1], [2, 3]])).violations
    assert violated == ("group 0 is not connected", "group 1 is not connected")


def proves(weights, group, bound, instance=LINE, scale=1):
    document = {"kind": "weights", "scale": scale, "weights": weights, "group": group}
    certificates.check_certificate(instance, document, bound)


def test_weights_prove_what_they_sum_to_and_no_more():
    """Of (0, 1), (3, 4) and (2, 3) each weighs what it costs: 1, 1 and 4."""
    proves([0, 1, 3, 1, 0], 0, 5)
    with pytest.raises(CertificateError, match="proves the bound 5, not 6"):
        proves([0, 1, 3, 1, 0], 0, 6)
    with pytest.raises(CertificateError, match=r"group \[3, 4\] is worth 3, more"):
        proves([0, 1, 3, 1, 3], 0, 8)
    with pytest.raises(CertificateError, match=r"is worth"):
        proves([9, 9, 9, 9, 9], 1, 15)


def test_counting_refutes_only_what_cannot_be():
    count = {"kind": "count"}
    few = PairPartition(items=3, costs=[], k=2, groups=(2, 2))
    certificates.check_certificate(few, count, None)
    for bound in (None, 0):
        with pytest.raises(CertificateError):
            certificates.check_certificate(LINE, count, bound)


@pytest.mark.parametrize(
    ("asked", "counts"),
    [
        ({"of": [3, -1, 0, 0], "at_least": 1}, range(1, 3)),
        ({"of": [3, -1, 0, 0], "at_most": 1}, range(2, 5)),
        ({"of": [3, -1, 0, 0], "at_most": -1}, range(1, 1)),
        ({"of": [-3, 1, 0, 0], "at_most": -1}, range(1, 5)),
        ({"of": [-3, 1, 0, 0], "at_least": 1}, range(1, 1)),
        ({"of": [-3, 1, 0, 0], "at_least": -1}, range(1, 5)),
    ],
)
def test_amounts_of_both_signs_count_groups_no_more_than_they_may(asked, counts):
    found = PairPartition(items=4, costs=[], k=1, require=[asked]).counts
    assert [*found] == [*counts]


def test_groups_are_not_split_where_a_part_may_lack_a_friend():
    """Both of the first two are with the third: so all three are in one group."""
    friends = [[-1, 0, 1, 0], [0, -1, 1, 0]]
    asked = PairPartition(
        points=[[0], [9], [5], [6]],
        k=1,
        objective="squares",
        require=[{"of": of, "at_least": 0} for of in friends],
    )
    assert asked.most_size == 4
    assert solve(asked).groups == ((0, 1, 2), (3,))


def test_a_certificate_that_takes_too_long_is_refused():
    with pytest.raises(NotApplicableError, match="weights are too large"):
        proves([2**60] * 5, 0, 0)
    certificate = {"scale": 1, "weights": [0, 1, 3, 1, 0], "group": 0}
    with pytest.raises(NotApplicableError, match="certificate is too large"):
        certificates.proved(LINE, certificate, 3)
