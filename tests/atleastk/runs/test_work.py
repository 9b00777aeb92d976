"""Work on tables and maps: what it leaves for writing, and how it is solved."""

from atleastk import BinCovering
from atleastk.runs.work import Work

INSTANCE = BinCovering([3, 3], 3)


def test_time_is_left_for_writing(clock):
    """As much as was spent before, and no more than a fifth of what there is."""
    work = Work.of(100.0)
    clock.put_forward(5.0)
    assert work.sparing().budget.remaining == 90
    assert work.sparing().allowed == 90
    clock.put_forward(45.0)
    assert work.sparing().budget.remaining == 40
    assert work.budget.remaining == 50


def test_no_time_is_spared_where_there_is_no_limit():
    """There is enough."""
    work = Work.of()
    assert work.sparing() is work


def test_work_is_done_within_what_it_takes():
    """By the method that is asked for, and with events told."""
    events = []
    work = Work.of(workers=1, seed=3, method="subset-dp", on_event=events.append)
    result = work.solve(INSTANCE).result
    assert (result.method, result.seed, result.cost) == ("subset-dp", 3, 3)
    assert events[-1].cost == 3


def test_what_reading_took_is_told_if_it_took_most_of_the_time(clock):
    """Also where nothing is left: the first answer comes all the same."""
    work = Work.of(30.0)
    clock.put_forward(14.0)
    assert work.sparing().solve(INSTANCE).result.note is None
    clock.put_forward(17.0)
    spared = work.sparing()
    assert spared.budget.spent
    result = spared.solve(BinCovering([3] * 40, 6)).result
    assert (result.note, result.cost) == ("reading the table took 31 of 30 s", 6)
