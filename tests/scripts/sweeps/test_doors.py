import random

import pytest

from scripts.sweeps import doors


def test_a_few_runs_of_every_door(capsys):
    assert doors.main(["--runs", "12", "--seed", "5"]) == 0
    told = capsys.readouterr().out
    assert all(f"| {door} | 3 | 3 |" in told for door in doors.DOORS)


@pytest.mark.parametrize("door", doors.DOORS)
def test_a_wrong_output_is_seen(door, tmp_path, monkeypatch):
    right = doors.outcome

    def broken(change):
        def outcome(words, folder):
            code, told, rows = right(words, folder)
            return code, told, change(rows)

        return outcome

    changes = (
        lambda rows: rows[:-1],
        lambda rows: [*rows[:-1], ["7" for _ in rows[-1]]] if rows else rows,
        lambda _: [],
    )
    for change in changes:
        monkeypatch.setattr(doors, "outcome", broken(change))
        wrongs = [doors.DOORS[door](random.Random(s), tmp_path)[1] for s in range(4)]
        assert any(wrongs)
