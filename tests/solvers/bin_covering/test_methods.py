import random

import pytest

import atleastk
from atleastk import BinCovering, NotApplicableError, Status
from atleastk.solvers.bin_covering.methods import METHODS
from scripts.sweeps import drawn_weights as sweep

NAMES = [method.name for method in METHODS]


@pytest.mark.parametrize("name", ["completion", "cp-sat", "sat", "patterns"])
def test_large_numbers_are_solved_or_refused(name, fault):
    exact = name == "completion"
    rng = random.Random(2)
    for _ in range(100 if exact else 25):
        instance = sweep.random_bins(rng, 7, ("wide", "huge") if exact else ("wide",))
        run = {"method": name, "start": rng.choice([None, "random", "result"])}
        wrong = fault(instance, may_stay_open=not exact, **run)
        assert wrong is None, instance.to_dict()


WIDE = [
    (536870912, 1073741823, 1610612736, 536870912, 2147483648, 3221225472),
    (
        *(599256757818, 46412390813, 801624859033, 671407413237, 29671696130),
        *(365424710991, 785688856824, 734002611369),
    ),
    (333333333333, 999999999995, 499999999999, 166666666665),
]


@pytest.mark.parametrize(
    ("sizes", "k"),
    [*zip(WIDE, (2028179000, 785688856824, 999999999995), strict=True)],
    ids=["false optimum", "false infeasibility", "false bound"],
)
def test_cp_sat_is_right_beyond_32_bits(sizes, k, fault):
    """The textbook model in CP-SAT, where presolve was seen to lose the optimum."""
    instance = BinCovering(sizes, k, "excess")
    assert fault(instance, may_stay_open=True, method="cp-sat") is None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("sizes", "k", "best"),
    [
        ((2, 1, 1, 1, 2**53, 2**53, 2**53), 2**53 - 1, 72057594037927950),
        (range(10**9, 10**9 + 5), 15 * 10**8, 5500000031000000058),
    ],
    ids=["squares", "sizes"],
)
def test_costs_beyond_doubles_are_exact_or_refused(name, sizes, k, best):
    """CP-SAT called optimal what is 2 too high: as doubles the costs are the same."""
    instance = BinCovering(sizes, k, "quadratic")
    try:
        result = atleastk.solve(instance, method=name, workers=1)
    except NotApplicableError:
        assert name != "auto"
    else:
        assert (result.status, result.cost) == (Status.OPTIMAL, best)
