from fractions import Fraction

import pytest

from atleastk.instances.files import files
from atleastk.runs.registry import instance_from_dict
from scripts.data import write_integrality_gaps

FINDS = [record for _, record in files.read_lines(write_integrality_gaps.FINDS)]


@pytest.mark.parametrize("find", FINDS, ids=lambda find: find["formulation"])
def test_gaps_are_what_they_say(find):
    instance = instance_from_dict(find["instance"])
    gap = write_integrality_gaps.gap_of(instance, find["formulation"])
    assert gap == Fraction(find["gap"]) > 1
