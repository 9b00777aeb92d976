"""Results with one thing changed: refused, or exactly what is only claimed is said."""

import json
from copy import copy, deepcopy
from itertools import chain

import pytest

import atleastk
from atleastk import InvalidResultError
from atleastk.models.completed import completed
from atleastk.runs import registry
from scripts import second_checker

NAMES = sorted(registry.PROBLEMS)
OTHERS = [None, True, -1, 0, 3, 10**400, 1.5, "x", [], [[]], [[0, 0]], {}]


def plain(result):
    return json.loads(result.to_json())


def with_costs(found):
    """Yield the instances with a solution, their results, and these as documents."""
    for instance, result in found:
        if result.cost is not None:
            yield instance, result, plain(result)


def verdict_of(instance, document):
    try:
        return atleastk.check(instance, document)
    except InvalidResultError:
        return None


def is_true(verdict, claim, truth):
    if not verdict.feasible:
        return True
    possible = truth.cost is not None
    if verdict.cost is not None and not (possible and verdict.cost >= truth.cost):
        return False
    if not verdict.proved or not possible:
        return True
    return claim["status"] != "INFEASIBLE" and claim["bound"] <= truth.cost


def changed(document, path, value):
    """Return the document with another value in a place; the rest is not copied."""
    if not path:
        return value
    first, *more = path
    whole = copy(document)
    whole[first] = changed(document[first], more, value)
    return whole


def places(value, path=()):
    """Yield every place of a document; of lists, which loops read, both ends."""
    keys = value if isinstance(value, dict) else ()
    if isinstance(value, list) and value:
        keys = sorted({0, len(value) - 1})
    for key in keys:
        yield (*path, key)
        yield from places(value[key], (*path, key))


def value_at(document, path):
    for key in path:
        document = document[key]
    return document


@pytest.mark.parametrize("name", NAMES)
def test_a_cost_that_is_not_that_of_the_groups_is_refused(solved, name):
    for instance, result, document in with_costs(solved(name)):
        for step in (-1, 1):
            cost = {"cost": result.cost + step}
            for more in ({}, {"bound": result.cost + step}, {"bound": None}):
                for status in ("OPTIMAL", "FEASIBLE"):
                    tampered = {**document, **cost, **more, "status": status}
                    verdict = verdict_of(instance, tampered)
                    assert verdict is None or not verdict.feasible


@pytest.mark.parametrize("name", NAMES)
def test_a_false_bound_is_never_proved(solved, name):
    for instance, result, document in with_costs(solved(name)):
        whole = completed(instance, atleastk.Solution.of([range(instance.n)]))
        worse = atleastk.check(instance, whole)
        if not worse.feasible or worse.cost <= result.cost:
            continue
        false = {**document, **whole.to_dict(), "cost": worse.cost}
        false.pop("certified_bound", None)
        claims = [{**false, "bound": bound} for bound in (result.cost + 1, worse.cost)]
        for claim in claims:
            status = "OPTIMAL" if claim["bound"] == worse.cost else "FEASIBLE"
            for trust in (None, "heuristic", "proved", "agreed"):
                told = {**claim, "status": status, "trust": trust}
                verdict = atleastk.check(instance, {**told, "certificate": None})
                assert verdict.feasible
                assert not verdict.proved
                assert verdict.claimed[0].startswith(f"bound {claim['bound']}")
                assert "claimed, not proved here" in verdict.claimed[0]
                assert all("bound" not in line for line in verdict.verified)
            if result.certificate is not None:
                verdict = atleastk.check(instance, {**claim, "status": status})
                assert not verdict.feasible


def test_what_cannot_be_rechecked_is_not_certified():
    instance = atleastk.KAnonymity([["a"], ["a"], ["b"], ["c"]], 2)
    document = plain(atleastk.solve(instance, certify=True))
    weights = [10**30 * weight for weight in document["certificate"]["weights"]]
    huge = {"kind": "weights", "scale": 10**30, "weights": weights}
    verdict = atleastk.check(instance, {**document, "certificate": huge})
    assert verdict.violations == (
        "the result claims to be certified, but its certificate cannot be re-checked: "
        "the weights are too large to re-check the certificate",
    )
    told = {**document, "certificate": huge, "trust": "proved"}
    part = {**told, "certified_bound": document["bound"] - 1}
    assert atleastk.check(instance, part).violations == verdict.violations
    verdict = atleastk.check(instance, told)
    assert verdict.feasible
    assert not verdict.proved


@pytest.mark.parametrize("name", NAMES)
def test_a_false_infeasibility_is_never_proved(solved, name):
    nothing = dict.fromkeys(("groups", "cost", "bound"))
    for instance, result, document in with_costs(solved(name)):
        claim = {**document, **nothing, "status": "INFEASIBLE"}
        claim.pop("certified_bound", None)
        claim.pop("deals", None)
        if result.certificate is not None:
            assert not atleastk.check(instance, claim).feasible
        claim |= {"certificate": None, "trust": "proved"}
        verdict = atleastk.check(instance, claim)
        assert verdict.feasible
        assert not verdict.proved
        assert verdict.claimed[0] == "infeasible: claimed, not proved here"


@pytest.mark.parametrize("name", NAMES)
def test_trust_and_status_by_themselves_prove_nothing(solved, name):
    for instance, result in solved(name):
        for status in atleastk.Status:
            for trust in (None, *atleastk.Trust):
                for certificate in (result.certificate, None):
                    claim = {
                        **plain(result),
                        "status": str(status),
                        "trust": None if trust is None else str(trust),
                        "certificate": certificate,
                    }
                    verdict = verdict_of(instance, claim)
                    if verdict is None:
                        continue
                    assert is_true(verdict, claim, result)
                    if trust == "certified" and certificate is None:
                        assert not verdict.feasible
                    if trust in ("proved", "agreed") and verdict.feasible:
                        assert verdict.claimed[-1].startswith(f"trust {trust}: claimed")


@pytest.mark.parametrize("name", NAMES)
def test_groups_that_are_tampered_with_are_refused(solved, name):
    for instance, result in solved(name):
        if not result.groups:  # there are none, or deals
            continue
        document = plain(result)
        groups = document["groups"]
        forged = [
            [*groups, []],
            [*groups, groups[0]],
            groups[1:],
            [groups[0][1:], *groups[1:]],
            [[*groups[0], groups[0][0]], *groups[1:]],
            [[*groups[0], instance.n], *groups[1:]],
            [[*groups[0], -1], *groups[1:]],
        ]
        for wrong in forged:
            assert not atleastk.check(instance, {**document, "groups": wrong}).feasible
        for g, group in enumerate(groups):
            for h in {*range(len(groups))} - {g}:
                moved = deepcopy(groups)
                moved[h].append(moved[g].pop())
                verdict = atleastk.check(instance, {**document, "groups": moved})
                again = verdict.cost == result.cost and len(group) > 1
                assert not verdict.feasible or again


@pytest.mark.parametrize("name", NAMES)
def test_the_fingerprint_is_the_instance_s(solved, name):
    for instance, result in solved(name):
        document = plain(result)
        for sha256 in ("", "0" * 64, result.instance_sha256.upper()):
            claim = {**document, "instance_sha256": sha256}
            verdict = atleastk.check(instance, claim)
            assert any("of another instance" in line for line in verdict.violations)
        for other in chain.from_iterable(map(solved, NAMES)):
            if other[0] != instance:
                assert not atleastk.check(other[0], document).feasible


@pytest.mark.parametrize("name", NAMES)
def test_whatever_stands_in_a_field_a_verdict_is_given(solved, name):
    """In every place of the document, the certificate and its lists among them.

    A false claim is never proved, and what is no result is one line.
    """
    for instance, result in solved(name):
        document = plain(result)
        document["versions"] = {}
        for path in places(document):
            old = value_at(document, path)
            near = [old - 1, old + 1, -old] if type(old) is int else []
            for value in (*near, *OTHERS):
                claim = changed(document, path, value)
                verdict = verdict_of(instance, claim)
                if verdict is not None:
                    assert is_true(verdict, claim, result), (path, value)


def test_a_certificate_of_less_than_the_bound(solved):
    instance, result = solved("k-anonymity")[0]
    document = plain(result) | {"trust": "proved"}
    part = document | {"certified_bound": result.cost - 1}
    verdict = atleastk.check(instance, part)
    assert verdict.feasible
    assert not verdict.proved
    told = (*verdict.verified[1:], *verdict.claimed[:1])
    assert [line.partition(":")[0] for line in told] == [
        f"bound {result.cost - 1}, so nothing costs less",
        f"bound {result.cost}, so optimal",
    ]
    described = json.loads(json.dumps(instance.to_dict()))
    assert not second_checker.check(described, part)
    assert atleastk.prove(instance, atleastk.Result.from_dict(part))
    for wrong in (
        {"certified_bound": result.cost},
        {"certificate": None},
        {"trust": "certified"},
        {"status": "INFEASIBLE", "cost": None, "groups": None},
        {"certificate": document["certificate"] | {"weights": [0] * 9}},
    ):
        assert verdict_of(instance, part | wrong) is None or not (
            verdict_of(instance, part | wrong).feasible
        )
        with pytest.raises(second_checker.ERRORS):
            second_checker.check(described, part | wrong)


def test_a_bound_makes_no_wrong_cost_optimal():
    """The certificate proves the bound all the same."""
    instance = atleastk.BinCovering(sizes=[7, 7, 2, 2], k=9)
    right = atleastk.solve(instance, certify=True)
    assert "bound 9, so optimal: proved" in " ".join(
        atleastk.check(instance, right).verified
    )
    wrong = {**right.to_dict(), "groups": [[0], [1, 2, 3]]}
    verdict = atleastk.check(instance, atleastk.Result.from_dict(wrong))
    assert not verdict.feasible
    told = " ".join(verdict.verified)
    assert "bound 9, so nothing costs less: proved" in told
