import random
from itertools import product

import pytest

from atleastk import CertificateError, NotApplicableError
from atleastk.models.proofs import knapsack
from atleastk.models.proofs.knapsack import Lemma
from scripts.veripb_checker import checked


def lemmas(count):
    rng = random.Random(5)
    for _ in range(count):
        n, least = rng.randint(1, 8), rng.randint(0, 40)
        sizes = [rng.randint(1, 20) for _ in range(n)]
        weights = [rng.randint(-6, 9) for _ in range(n)]
        most = least + rng.randint(-3, 12)
        found = [
            sum(y for y, x in zip(weights, chosen, strict=True) if x)
            for chosen in product((0, 1), repeat=n)
            if least <= sum(s for s, x in zip(sizes, chosen, strict=True) if x) <= most
        ]
        yield sizes, weights, least, most, max(found, default=None)


@pytest.mark.parametrize("more", [0, 1, 5])
def test_proofs_hold(more):
    for sizes, weights, least, most, greatest in lemmas(60):
        top = (-99 if greatest is None else greatest) + more
        lemma = Lemma((), sizes, weights, least, most, top)
        rows, lines = checked(lemma.formula(["A head."]), list(lemma.proof()))
        assert rows == 3
        assert lines >= 1


def test_a_false_lemma_has_no_proof():
    for sizes, weights, least, most, greatest in lemmas(60):
        if greatest is not None:
            lemma = Lemma((), sizes, weights, least, most, greatest - 1)
            with pytest.raises(CertificateError, match="weighs more"):
                list(lemma.proof())


def test_long_proofs_are_refused(monkeypatch):
    monkeypatch.setattr(knapsack, "_MOST_NODES", 3)
    lemma = Lemma((), [7, 7, 6, 6, 3, 2, 2], [1, 1, 1, 1, -1, -1, -1], 11, 11, 0)
    with pytest.raises(NotApplicableError, match="more than 3 nodes"):
        list(lemma.proof())
