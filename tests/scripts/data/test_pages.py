"""Pages that are written from data say what their data say."""

import pytest

PAGES = (
    *("library_page", "write_integrality_gaps", "write_problems"),
    *("write_wishes", "write_worst_ratios"),
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_what_its_data_say(script, name):
    script(f"data.{name}").main(["--check"])
