"""Groups above a worth, and certificates that list them: two programs, all sets."""

import json
import random
from itertools import combinations

import numpy as np
import pytest

import atleastk
from atleastk.instances.fields.errors import CertificateError, NotApplicableError
from atleastk.instances.generators.pair_partition import network
from atleastk.models.admissible.pair_partition import is_admissible
from atleastk.models.certificates import pair_partition as certificates
from atleastk.models.certificates.pair_sets import GroupPrices, groups_above
from scripts import second_checker
from scripts.sweeps.drawn_pairs import MODERATE, random_pairs


def all_worths(instance, prices, least):
    """Return the groups worth more than a number, by trying all sets."""
    sizes = range(instance.k, instance.most_size + 1)
    sets = (group for s in sizes for group in combinations(range(instance.n), s))
    found = {}
    for group in filter(lambda some: is_admissible(instance, some), sets):
        cost = instance.cost_of(group)
        worth = sum(prices.weights[i] for i in group) - prices.scale * cost
        for triple, paid in zip(prices.triples, prices.of_triples, strict=True):
            worth -= paid if len({*triple} & {*group}) >= 2 else 0
        if worth > least:
            found[group] = (worth, cost)
    return found


def written(instance):
    return {**second_checker.DEFAULTS, **json.loads(json.dumps(instance.to_dict()))}


def second_worths(instance, prices, least):
    document = written(instance)
    pairs = second_checker.pairs_of(document)
    read = second_checker.group_prices_of(prices.to_dict(), instance.n)
    with second_checker.counted():
        return {
            tuple(sorted(group)): (worth, cost)
            for worth, cost, group in second_checker.groups_worth(
                document, pairs, read, least, instance.most_size
            )
        }


def random_prices(instance, rng):
    n, top = instance.n, max(1, int(np.abs(instance.matrix).max(initial=0)))
    weights = np.array([rng.randint(-top, 2 * top) for _ in range(n)], dtype=np.int64)
    every = [*combinations(range(n), 3)]
    triples = rng.sample(every, min(len(every), rng.randint(0, 3)))
    paid = np.array([rng.randint(0, top) for _ in triples], dtype=np.int64)
    named = np.array(triples, dtype=np.int64).reshape(-1, 3)
    return GroupPrices(rng.randint(1, 4), weights, 0, named, paid)


def test_all_groups_above_a_worth_are_found_by_both_checkers():
    """With windows, costs of both signs, and worths that few or many groups have."""
    found = large = 0
    for seed in range(300):
        rng = random.Random(seed)
        instance = random_pairs(rng, MODERATE)
        prices = random_prices(instance, rng)
        reach = prices.scale * max(1, instance.total)
        least = rng.choice((-reach, -reach // 4, 0, reach // 8))
        wanted = all_worths(instance, prices, least)
        ours = {}
        for has, costs in groups_above(instance, prices, least, 10**6):
            worths = prices.worth(has, costs)
            for row, worth, cost in zip(has, worths, costs, strict=True):
                ours[tuple(np.flatnonzero(row).tolist())] = (worth, cost)
        assert ours == wanted, seed
        assert second_worths(instance, prices, least) == wanted, seed
        found += bool(wanted)
        large += any(len(group) > instance.k + 3 for group in wanted)
    assert found > 100
    assert large > 30


@pytest.fixture(scope="module")
def listed():
    """A dense graph whose linear program is below its optimum, and its certificate."""
    instance = network(1, n=14, parts=4, density=4)
    result = atleastk.solve(instance, certify=True, workers=1)
    assert result.trust == "certified"
    assert result.certificate["kind"] == "listed"
    return instance, json.loads(result.to_json())


def test_gaps_of_prices_are_certified_by_trees_of_listed_groups(listed):
    instance, document = listed
    proof, bound = document["certificate"], document["bound"]
    written = json.loads(json.dumps(instance.to_dict()))
    assert second_checker.check(written, document)
    certificates.check_certificate(instance, proof, bound)
    with pytest.raises(CertificateError):
        certificates.check_certificate(instance, proof, bound + 1)
    claim = {**document, "cost": bound + 1, "bound": bound + 1}
    with pytest.raises(second_checker.WrongError):
        second_checker.check(written, claim)


def first_leaf(tree):
    while "pair" in tree:
        tree = tree["together"]
    return tree


@pytest.mark.parametrize("name", ["weights", "group", "tree", "pair"])
def test_forged_lists_are_refused(listed, name):
    instance, document = listed
    document = json.loads(json.dumps(document))
    proof = document["certificate"]
    if name == "weights":
        proof["weights"][0] += proof["scale"] * (instance.total + 1)
    elif name == "group":
        proof["group"] -= proof["scale"]
    elif name == "tree":
        first_leaf(proof["tree"])["weights"][0] -= 10**6
    else:
        proof["tree"] = {"pair": [0, 0], "together": proof["tree"], "apart": {}}
    with pytest.raises(CertificateError):
        certificates.check_certificate(instance, proof, document["bound"])
    written = json.loads(json.dumps(instance.to_dict()))
    with pytest.raises(second_checker.WrongError):
        second_checker.check(written, document)


def test_pairs_below_nothing_that_do_not_connect_are_counted():
    """The only group is worth 9; its item at the other end is not reached at once."""
    costs, edges = [[0, 2, -9]], [[0, 1], [1, 2]]
    far = atleastk.PairPartition(items=3, k=3, costs=costs, connected=True, edges=edges)
    proof = {"kind": "weights", "scale": 1, "weights": [0, 0, 0], "group": 5}
    with pytest.raises(CertificateError, match="worth 9"):
        certificates.check_certificate(far, proof, -5)
    with (
        second_checker.counted(),
        pytest.raises(second_checker.WrongError, match="worth more"),
    ):
        second_checker.bound_of_pairs(written(far), proof, -5)


def test_long_lists_are_too_much(listed, monkeypatch):
    instance, document = listed
    proof, bound = document["certificate"], document["bound"]
    monkeypatch.setattr(certificates, "MOST_LISTED", 0)
    with pytest.raises(NotApplicableError, match="too many"):
        certificates.check_certificate(instance, proof, bound)


def test_candidates_that_no_group_needs_are_not_added(listed):
    """With all candidates of the sets that are extended it takes 9,800 items."""
    instance, document = listed
    prices = GroupPrices.parsed(document["certificate"], instance)
    assert len(certificates.listed(instance, prices, document["bound"], 8_500)[0])
