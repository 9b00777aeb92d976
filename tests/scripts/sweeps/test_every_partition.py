"""Pair partition against every partition of few items; the sweep tries more."""

import pytest

from scripts.sweeps.every_partition import best_cost, main, mismatches

LINE = {"points": [[0], [1], [7], [9], [10]], "k": 2}


@pytest.mark.parametrize("block", range(4))
def test_methods_and_checkers_agree_with_every_partition(block):
    for seed in range(10**6 + 50 * block, 10**6 + 50 * block + 50):
        assert not list(mismatches(seed)), seed


@pytest.mark.parametrize(
    ("fields", "best"),
    [
        ({}, 15),
        ({"objective": "squares"}, 4),
        ({"k": 6}, None),
        ({"groups": [1, 1]}, 1 + 49 + 81 + 100 + 36 + 64 + 81 + 4 + 9 + 1),
        ({"apart": [[3, 4]]}, 1 + 81 + 64 + 9),
        ({"together": [[1, 2]]}, 1 + 49 + 36 + 1),
        ({"require": [{"of": "items", "at_most": 2}]}, None),
        ({"require": [{"of": [1, 0, 1, 0, 0], "at_most": 1}]}, 15),
        ({"require": [{"of": ["a", "a", "a", "b", "b"], "at_least": 1}]}, 155),
    ],
)
def test_the_judge_by_hand(fields, best):
    assert best_cost({**LINE, **fields}) == best


def test_what_is_wrong_is_told(monkeypatch, capsys):
    assert main(["--runs", "1"]) == 0
    monkeypatch.setattr("scripts.sweeps.every_partition.best_cost", lambda _: -1)
    assert main(["--runs", "1"]) == 1
    assert "where -1 is best" in capsys.readouterr().out
