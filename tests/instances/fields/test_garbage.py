import gc

import pytest

from atleastk.instances.fields.garbage import garbage_waits


def test_it_waits_in_the_body_and_goes_on_after_it():
    with garbage_waits():
        assert not gc.isenabled()
        with garbage_waits():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_a_mistake():
    with pytest.raises(ValueError, match="invalid"), garbage_waits():
        int("wrong")
    assert gc.isenabled()


def test_who_has_turned_it_off_keeps_it_off():
    gc.disable()
    try:
        with garbage_waits():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
