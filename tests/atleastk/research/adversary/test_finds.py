from dataclasses import replace

import atleastk
from atleastk import BinCovering, Trust
from atleastk.research.adversary.finds import Exhausted, Fault, Found
from atleastk.research.collecting.record import named
from atleastk.runs import api
from atleastk.runs.registry import instance_from_dict

INSTANCE = BinCovering([5, 4, 3, 3, 2, 2], 5, "excess")


def found():
    result = api.solve(INSTANCE, certify=True)
    told = "one bin", INSTANCE, 6, result.cost, result
    return Found(*told, False, 1.5, 1.2, Exhausted(), 1, 1, 0)


def test_a_certificate_of_less_than_the_optimum_is_not_recorded():
    """Who reads the record takes it for a proof of the optimum."""
    find = found()
    assert find.to_dict()["certificate"] == find.result.certificate
    bound = find.result.cost - 1
    less = replace(find.result, trust=Trust.PROVED, certified_bound=bound)
    assert replace(find, result=less).to_dict()["certificate"] is None


def test_what_is_proposed_says_what_it_is():
    proposal = found().proposal
    assert proposal.sha256 == INSTANCE.sha256
    optimum = found().result.cost
    assert proposal.name == f"bin-covering worst one bin 6 {optimum}"
    assert named(proposal.name) == f"bin-covering-worst-one-bin-6-{optimum}"
    assert f"one bin costs 6, the optimum is {optimum}" in proposal.source
    again = instance_from_dict(proposal.to_dict())
    assert (again.name, again.source) == (proposal.name, proposal.source)


def test_worse_than_all_known_is_more_than_rounding():
    find = found()
    assert not replace(find, known=find.ratio).is_worst_known
    assert replace(find, known=find.ratio - 0.01).is_worst_known


def test_a_fault_has_no_ratio():
    record = Fault("mine", INSTANCE, "went wrong", 3).to_dict()
    assert record["ratio"] is None
    assert (record["algorithm"], record["fault"]) == ("mine", "went wrong")
    assert atleastk.from_dict(record["instance"]) == INSTANCE
