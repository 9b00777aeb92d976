"""Wishes that go together, against plain enumeration; the script tries 10,000."""

import pytest

from scripts import combined_wishes


@pytest.mark.parametrize("seed", range(100_000, 100_060))
def test_a_random_table_is_judged(seed):
    assert combined_wishes.judge(seed) in ("solved", "nothing")


def test_the_command(capsys):
    combined_wishes.main(["--tables", "3", "--seed", "5"])
    assert capsys.readouterr().out.startswith("3 tables: ")


@pytest.mark.parametrize("seed", range(100_000, 100_030))
def test_a_random_table_is_judged_on_entries(seed):
    assert combined_wishes.judge_entries(seed) in ("solved", "nothing")
