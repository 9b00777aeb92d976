"""What connected groups are worth along an order: two programs against all sets."""

import json
import random
from itertools import combinations

import pytest

import atleastk
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.generators.pair_partition import network
from atleastk.instances.pair_partition import PairPartition
from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.models.certificates.pair_boundary import greatest_worth
from atleastk.models.certificates.pair_partition import (
    check_certificate,
    proved,
    worth_along,
)
from scripts import second_checker
from scripts.sweeps.drawn_pairs import MODERATE, random_pairs


def listed_worth(instance, weights, scale):
    """Return what a group is worth at most, of all sets."""
    sets = (
        group
        for size in range(instance.k, instance.n + 1)
        for group in combinations(range(instance.n), size)
    )
    return max(
        (
            sum(weights[i] for i in group) - scale * instance.cost_of(group)
            for group in sets
            if is_admissible(instance, group)
        ),
        default=None,
    )


def second_worth(instance, weights, scale, order):
    document = {**second_checker.DEFAULTS, **json.loads(json.dumps(instance.to_dict()))}
    with second_checker.counted():
        pairs = second_checker.pairs_of(document)
        return second_checker.worth_along(document, pairs, weights, scale, order)


def test_orders_of_all_kinds_tell_the_greatest_worth():
    """With windows, costs of both signs, and weights of any size."""
    tried = windowed = edged = 0
    for seed in range(3000):
        rng = random.Random(seed)
        instance = random_pairs(rng, MODERATE)
        along = instance.connected and instance.pays_along
        if not along or instance.objective != "sum":
            continue
        top = max((abs(cost) for *_, cost in instance.costs or ()), default=1)
        edged += instance.edges is not None
        weights = [rng.randint(-top, 3 * top) for _ in range(instance.n)]
        scale, order = rng.randint(1, 3), rng.sample(range(instance.n), instance.n)
        wanted = listed_worth(instance, weights, scale)
        assert greatest_worth(instance, weights, scale, order, 10**6) == wanted, seed
        assert second_worth(instance, weights, scale, order) == wanted, seed
        tried += wanted is not None
        windowed += wanted is not None and not instance.splits_freely
    assert tried > 100
    assert windowed > 30
    assert edged > 10


def test_connected_optima_of_a_sparse_graph_are_certified():
    """Nobody enumerates the connected groups of 40 nodes and 48 pairs."""
    instance = network(1, n=40, parts=5, density=1)
    result = atleastk.solve(instance, certify=True, workers=1)
    assert result.trust == "certified"
    proof = result.certificate
    assert sorted(proof["order"]) == list(range(40))
    document, written = instance.to_dict(), json.loads(result.to_json())
    assert second_checker.check(json.loads(json.dumps(document)), written)
    unordered = {name: held for name, held in proof.items() if name != "order"}
    with pytest.raises(NotApplicableError):
        proved(instance, unordered, 1000)
    for broken in (
        {"group": proof["group"] - 1},
        {"weights": [weight + 1 for weight in proof["weights"]]},
        {"order": proof["order"][1:]},
        {"order": [*proof["order"][1:], proof["order"][1]]},
    ):
        with pytest.raises(CertificateError):
            check_certificate(instance, {**proof, **broken}, result.bound)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"connected": True, "objective": "squares"},
        {"connected": True, "edges": [(0, 2), (1, 2)]},
    ],
)
def test_orders_are_for_sums_of_groups_that_what_they_pay_for_connects(fields):
    """The pair of 0 and 1 would go unseen where no edge brings them together."""
    instance = PairPartition(items=3, costs=[(0, 1, 3)], k=2, **fields)
    with pytest.raises(CertificateError, match="what they pay for connects"):
        worth_along(instance, [1, 1, 1], 1, [0, 2, 1])
    proof = {"kind": "weights", "scale": 1, "weights": [1, 1, 1], "group": 3}
    document = {"problem": "pair-partition", **instance.to_dict()}
    read = second_checker.read_instance(json.loads(json.dumps(document)))
    with pytest.raises(second_checker.WrongError):
        second_checker.bound_of_pairs(read, {**proof, "order": [0, 2, 1]}, 1)


def test_edges_that_cost_nothing_connect_along_an_order():
    fields = {"items": 3, "k": 2, "connected": True, "edges": [(0, 1), (1, 2)]}
    instance = PairPartition(costs=[(0, 1, 3)], **fields)
    assert worth_along(instance, [1, 1, 1], 1, [0, 1, 2]) == 2
    listed = {"kind": "listed", "scale": 1, "weights": [0] * 3, "group": 0, "tree": 1}
    read = second_checker.read_instance(json.loads(json.dumps(instance.to_dict())))
    with second_checker.counted(), pytest.raises(second_checker.ERRORS):
        second_checker.bound_of_pairs(read, {**listed, "order": [0, 1, 2]}, 0)
    far = PairPartition(costs=[(0, 2, 3)], **fields)
    assert not far.pays_along


def test_wide_boundaries_are_too_much():
    pairs = [(i, j, 1) for i, j in combinations(range(18), 2)]
    instance = PairPartition(items=18, costs=pairs, k=2, connected=True)
    with pytest.raises(NotApplicableError, match="too large"):
        greatest_worth(instance, [1] * 18, 1, range(18), 10**6)
