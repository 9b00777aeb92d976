import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.generators.generalization import AREA_CODES, people, trees
from atleastk.instances.hierarchies.rules import masked


def test_the_area_codes_of_figure_2_7():
    hierarchy = masked(AREA_CODES)
    assert hierarchy.height == 3
    assert hierarchy.chain_of["804"] == ("804", "80*", "8**", "***")
    assert hierarchy.chain_of["807"][1] == "80*"
    assert people(0).n == 7


@pytest.mark.parametrize(
    "fields", [{"n": 2}, {"k": 0}, {"values": 0}, {"height": 0}, {"m": -1}]
)
def test_parameters_are_checked(fields):
    with pytest.raises(InvalidInstanceError):
        trees(0, **fields)
