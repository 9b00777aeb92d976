"""Runs that tell how difficult a record is, and that earn it the name of open."""

from dataclasses import replace

import pytest

import atleastk
from atleastk import Result, Status, Trust
from atleastk.research.collecting.effort import PLAIN
from atleastk.research.collecting.improving import improved
from atleastk.research.collecting.library import Library
from atleastk.research.collecting.record import Record
from scripts.data import efforts

HIGHS, CP_SAT = PLAIN
SEVEN = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2], 8)


def recorded(instance, name):
    fields = {"family": "tests", "source": "by hand", "licence": "none"}
    return Record.of(instance, name=name, **fields)


def ran(run, status):
    known = {"date": "2026-01-31", "seconds": 0.9 * run.limit, "versions": {}}
    return efforts.Effort(**run._asdict(), status=status, **known)


@pytest.fixture
def folder(tmp_path):
    eight = atleastk.BinCovering([7, 7, 6, 6, 3, 2, 2, 2], 8)
    records = [recorded(SEVEN, "seven"), recorded(eight, "eight")]
    Library(tmp_path).with_all(records, tmp_path)
    return tmp_path


def test_the_ladder_ends_where_one_solver_closes_and_goes_on(folder, capsys):
    words = ["ladder", "--folder", str(folder)]
    efforts.main([*words, "--hours", "0"])
    assert sum(len(record.efforts) for record in Library(folder).values()) == 1
    efforts.main(words)
    found = Library(folder)
    for record in found.values():
        (effort,) = record.efforts
        assert (effort.method, effort.seed, effort.limit) == (HIGHS, 0, 1.0)
        assert effort.cost == record.known.cost
        assert (record.status, record.difficulty) == ("proved", "toy")
        assert "sources" in effort.versions
    assert len(capsys.readouterr().out.splitlines()) == 2
    efforts.main(words)
    assert dict(Library(folder)) == dict(found)


def test_the_ladder_takes_turns_until_a_solver_is_fast_enough():
    record, made = recorded(SEVEN, "seven"), []
    while run := efforts.on_ladder(record, 100.0):
        made.append((run.method, run.limit))
        closed = run == efforts.Run(CP_SAT, 0, 10.0)
        effort = ran(run, "OPTIMAL" if closed else "UNKNOWN")
        record = replace(record, efforts=(*record.efforts, effort))
    assert made == [(HIGHS, 1.0), (CP_SAT, 1.0), (HIGHS, 10.0), (CP_SAT, 10.0)]


def test_the_open_list_begins_with_the_automatic_choice(folder):
    efforts.main(["open", "--folder", str(folder)])
    for record in Library(folder).values():
        (effort,) = record.efforts
        assert (effort.method, effort.limit) == ("auto", efforts.SHORTEST)
        assert record.status == "certified"


def test_runs_grow_and_change_methods_and_seeds():
    record, made = recorded(SEVEN, "seven"), []
    while run := efforts.on_open_list(record):
        made.append(run)
        effort = ran(run, "REFUSED" if run.method == CP_SAT else "FEASIBLE")
        record = replace(record, efforts=(*record.efforts, effort))
    assert len(set(made)) == len(made)
    limits = [run.limit for run in made]
    assert limits == sorted(limits)
    assert (limits[0], limits[-1]) == (efforts.SHORTEST, efforts.LONGEST)
    assert [run.method for run in made].count(CP_SAT) == 1
    assert {run.method for run in made} == {"auto", *PLAIN}


def test_a_contradiction_is_told_and_left_alone(folder, capsys):
    held = Library(folder)
    wrong = Result(
        problem="bin-covering",
        status=Status.UNKNOWN,
        trust=Trust.HEURISTIC,
        cost=None,
        bound=13,
        solution=None,
        method="a mistake",
        seconds=0.0,
        instance_sha256=SEVEN.sha256,
        versions={},
    )
    false = improved(held["seven"], wrong, "2026-01-31", taking_claims=True)
    held.with_all([false], folder)
    efforts.main(["ladder", "--folder", str(folder)])
    assert "one of them is wrong" in capsys.readouterr().out
    after = Library(folder)
    assert (after["seven"], after["eight"].status) == (false, "proved")
