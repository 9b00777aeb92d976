"""Pages that are written from data say what their data say."""

import pytest

from scripts.data import (
    library_page,
    write_integrality_gaps,
    write_problems,
    write_wishes,
    write_worst_ratios,
)

PAGES = (
    *(library_page, write_integrality_gaps, write_problems),
    *(write_wishes, write_worst_ratios),
)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_what_its_data_say(page):
    page.main(["--check"])
