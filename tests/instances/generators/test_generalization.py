from atleastk.instances.generators.generalization import AREA_CODES, people
from atleastk.instances.hierarchies.rules import masked


def test_the_area_codes_of_figure_2_7():
    hierarchy = masked(AREA_CODES)
    assert hierarchy.height == 3
    assert hierarchy.chain_of["804"] == ("804", "80*", "8**", "***")
    assert hierarchy.chain_of["807"][1] == "80*"
    assert people(0).n == 7
