import hashlib
import json
import re
from dataclasses import replace

import pytest

import atleastk
from atleastk import InvalidResultError, Status, Trust
from atleastk.research.collecting.citing import citation, claim_citation


def test_an_optimum(optimal):
    sentence, _, entry, *rest = citation(optimal).splitlines()
    certificate = json.dumps(optimal.certificate, sort_keys=True, separators=(",", ":"))
    assert sentence.startswith("Optimum 12 of the bin-covering instance of sha256 ")
    assert optimal.instance_sha256 in sentence
    assert hashlib.sha256(certificate.encode()).hexdigest() in sentence
    assert f"atleastk {atleastk.__version__}." in sentence
    assert entry == f"@misc{{atleastk-bin-covering-{optimal.instance_sha256[:12]},"
    assert rest[-1] == "}"


def test_that_there_is_no_solution():
    nothing = atleastk.solve(atleastk.BinCovering([1, 1], 3), workers=1)
    assert citation(nothing).startswith("No solution of the bin-covering instance")


def test_what_has_no_certificate_says_so(optimal):
    bare = replace(optimal, certificate=None, trust=Trust.PROVED)
    assert ": proved; no certificate; method" in citation(bare)


def test_what_is_not_proved_is_not_cited(optimal):
    still = replace(optimal, status=Status.FEASIBLE, bound=11, trust=Trust.HEURISTIC)
    with pytest.raises(InvalidResultError, match="it is FEASIBLE: only what is proved"):
        citation(still)


def test_a_claim_is_cited_with_the_year():
    (claim,) = atleastk.claims("du09-lemma-1-proof")
    told = claim_citation(claim)
    (year,) = re.findall(r"^  year = \{(\d{4})\},$", told, re.MULTILINE)
    assert int(year) >= 2026
