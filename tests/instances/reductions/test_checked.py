import pytest

from atleastk.instances.reductions.checked import check_of, state_of
from atleastk.research.reducing import REDUCTIONS

UNCHECKED = {"PARTITION", "3-PARTITION", "3-SAT", "SET-COVER", "3DM"}


def test_all_are_known():
    for reduction in REDUCTIONS:
        check = check_of(reduction)
        assert (check is None) == (reduction.source in UNCHECKED)
        if check is not None:
            assert check.instances > 0
            assert not (reduction.repaired and check.refuting)


@pytest.mark.parametrize(
    ("name", "repaired", "state"),
    [
        ("X3C -> e-SUP", False, "holds as printed: checked on 2,736"),
        ("X3C -> c'-SUP", True, "repaired: checked on 230; ours"),
        ("RPT -> c'-SUP", False, "refuted as printed: wrong on 4 of 524"),
        (
            "r'-SUP -> r'-PART",
            True,
            "repaired: checked on 554; as printed wrong on 56 of 554",
        ),
        (
            "r-c-DEL -> r-c-r'-PART",
            True,
            "repaired: checked on 2,202; not well-defined as printed",
        ),
        ("MAX TP-B -> MIN-c'-SUP", False, "refuted as printed: wrong on 289 of 524"),
        ("PARTITION -> bin-covering", False, "ours"),
        ("3-PARTITION -> bin-covering", False, "as printed"),
    ],
)
def test_states(name, repaired, state):
    (found,) = (r for r in REDUCTIONS if r.name == name and r.repaired == repaired)
    assert state_of(found) == state
