import pytest

from atleastk.models.in_time import LateError, awaited_unless, look_up


def test_without_anybody_who_waits_nothing_ends():
    look_up()


def test_the_body_ends_when_all_is_over():
    done = []
    with awaited_unless(lambda: len(done) >= 3):
        while True:
            look_up()
            done.append(1)
    assert len(done) == 3
    look_up()


def test_what_ends_something_around_it_is_passed_on():
    around = bool
    with pytest.raises(LateError), awaited_unless(lambda: True):
        raise LateError(around)


def test_what_has_said_so_once_takes_it_back():
    said = [False, True]
    with awaited_unless(said.pop):  # a clock may be set back meanwhile
        look_up()
    assert said == [False]
