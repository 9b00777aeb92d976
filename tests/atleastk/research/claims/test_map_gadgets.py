from dataclasses import replace

from atleastk.research.claims.catalogue import claims_of
from atleastk.research.claims.examining import examine
from atleastk.research.claims.map_gadgets import every_gadget, wrong_states

GADGETS = list(every_gadget())


def test_every_gadget_has_its_states():
    names = [gadget.name for gadget in GADGETS]
    assert len(set(names)) == len(names) == 39
    for gadget in GADGETS:
        assert wrong_states(gadget) == 0, gadget.name


def test_sizes_of_the_gadgets_of_graphs():
    sizes = {gadget.name: len(gadget.inner) for gadget in GADGETS}
    assert (sizes["connector"], sizes["triple"]) == (2, 3 + 3 * 2)
    assert sizes["crossover"] == 41 + 4 * 2
    assert sizes["crossover, centre fanned out"] == 44 + 4 * 2
    assert [sizes[f"cap of degree {d}"] for d in range(3)] == [1 + 3, 6, 9]


def test_wrong_gadgets_are_found():
    for gadget in GADGETS:
        if gadget.expected:
            fewer = frozenset(sorted(gadget.expected, key=sorted)[1:])
            assert wrong_states(replace(gadget, expected=fewer)) == 1
            assert wrong_states(replace(gadget, groups=())) > 0
        more = gadget.expected | {frozenset({-1})}
        assert wrong_states(replace(gadget, expected=more)) == 1


def test_a_wrong_gadget_speaks_against_the_claim(monkeypatch):
    wrong = replace(GADGETS[0], groups=())
    monkeypatch.setattr(
        "atleastk.research.claims.du09.section_2_maps.every_gadget", lambda: [wrong]
    )
    (claim,) = (claim for claim in claims_of(["Du09"]) if "gadgets" in claim.number)
    assert "['connector']: states" in str(examine(claim, cases=1).against)
