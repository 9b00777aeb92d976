"""Wishes are called as the door calls them."""

from atleastk.instances.fields.wish_names import called, calling


def test_a_wish_is_called_by_its_keyword_unless_a_door_has_another_name():
    assert called("suppress_rows") == "suppress_rows"
    with calling({"suppress_rows": "--suppress-rows"}):
        assert called("suppress_rows") == "--suppress-rows"
        assert called("other") == "other"
        with calling({}):
            assert called("suppress_rows") == "suppress_rows"
    assert called("suppress_rows") == "suppress_rows"
