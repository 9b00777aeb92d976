import re

import pytest
from every_problem import INSTANCES, NEW, SETTLED

from scripts.data import write_instances

NAMES = re.compile(r"`(\w+)(\(.*?\))?`")


@pytest.mark.skipif(bool(NEW), reason="a new problem is in no page")
def test_the_page_is_what_the_classes_say():
    write_instances.main(["--check"])


def test_everything_is_said_in_words():
    page = write_instances.PAGE.read_text("utf-8")
    for line in page.partition(write_instances.MARK)[2].splitlines():
        if line.startswith("| `"):
            assert re.search(r"\| \S.*\.", line), line


@pytest.mark.parametrize("problem", SETTLED)
def test_an_instance_has_what_the_page_says(problem):
    instance = INSTANCES[problem][0]
    rows = write_instances.PAGE.read_text("utf-8").splitlines()
    told = [row.split(" | ") for row in rows if row.startswith("| `")]
    for names, _what, *places in told:
        if not places or f"`{problem}`" in places[0]:
            for name, _arguments in NAMES.findall(names):
                getattr(instance, name)
