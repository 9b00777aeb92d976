import random

import pytest

import atleastk
from atleastk.instances.k_anonymity import KAnonymity


def run(name="some n=3", **fields):
    plain = {"name": name, "status": "FEASIBLE", "limit": 10.0, "first": None}
    return {**plain, **fields}


@pytest.fixture
def published(script):
    return script("benchmarks.published_tables")


def rows(n=40):
    rng = random.Random(1)
    return [tuple(str(rng.randrange(2)) for _ in range(8)) for _ in range(n)]


@pytest.mark.parametrize("k", [2, 3, 7])
def test_the_greedy_is_a_solution(published, k):
    instance = KAnonymity(rows(25), k)
    assert published.greedy(instance, 60.0)["cost"] >= atleastk.solve(instance, 5).bound


def test_the_greedy_joins_what_the_group_loses_least_to(published):
    table = [[0, 0, 0], [1, 1, 0], [1, 1, 1], [0, 0, 0], [1, 1, 2]]
    assert published.greedy(KAnonymity(table, 2), 60.0)["cost"] == 3
    assert published.greedy(KAnonymity(table, 2), -1.0) is None


def test_every_wish_has_what_keeps_it(published):
    wishes = list(published.wishes(rows(), 0, 1.0, 1))
    assert len(wishes) == 7
    assert all(wish.cost is not None for wish in wishes)


def test_the_report_tells_runs_beside_what_is_cheap(published):
    letter = KAnonymity(rows(9), 3, name="Letter k=3")
    plain = run("Letter k=3", cost=1000, bound=900)
    wish = published.Wish(letter, 0, "men and women apart", 12)
    greedy = {"cost": 1200, "seconds": 0.5}
    lines = list(published.report([plain], [greedy], [wish], [plain], "the command"))
    text = "\n".join(lines)
    assert "$ the command" in text
    assert "| Letter | 3 | 1,000 | 900 | 10.0% | none |" in text
    assert "| 1,200 | 0.5 |" in text
    assert "| men and women apart | 12 |" in text


def test_wishes_are_told_without_other_tables(published):
    wish = published.Wish(None, 1, "plain, padded", 12)
    told = run(cost=11, bound=10, first=0.25)
    text = "\n".join(published.report([], [], [wish], [told], "the command"))
    assert "greedy" not in text
    assert "| some n=3 | 1 | 11 | 10 | 9.1% | 0.25 | plain, padded | 12 |" in text
