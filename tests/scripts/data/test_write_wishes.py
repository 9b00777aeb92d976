"""The table of what goes with what is what `anonymize` says."""

from dataclasses import fields

from atleastk.doors.anonymizing.request import Request
from scripts.data import write_wishes


def test_every_wish_that_says_what_is_published_is_on_it():
    asked = {name for wish in write_wishes.WISHES.values() for name in wish}
    parts = {"diversity", "c", "ordered", "loss", "problem"}  # they say how one is read
    assert {one.name for one in fields(Request) if one.metadata} - asked == parts
