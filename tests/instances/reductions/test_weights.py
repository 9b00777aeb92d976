import pytest

from atleastk.instances.fields.errors import InvalidInstanceError
from atleastk.instances.reductions.weights import REDUCTIONS, Partition, ThreePartition
from atleastk.solvers.brute_force.bin_covering import optimum

HALVES, TRIPLES = REDUCTIONS


@pytest.mark.parametrize("weights", [(1, 2, 3), (3, 3, 2, 2, 2), (1, 1, 4)])
def test_halves(weights):
    problem = Partition.from_dict({"problem": "partition", "weights": weights})
    image = HALVES.forward(problem)
    cost, groups = optimum(image)[0], optimum(image)[1]
    half = HALVES.back(problem, groups)
    assert (half is not None) == (cost == image.k)
    if half is not None:
        assert 2 * sum(weights[i] for i in half) == sum(weights)


def test_odd_totals_do_not_apply():
    assert not HALVES.applies(Partition((1, 2)))
    assert HALVES.applies(Partition((1, 3)))


@pytest.mark.parametrize(
    ("weights", "answer"), [((4, 4, 4, 4, 4, 4), True), ((4, 5, 3, 4, 4, 4), None)]
)
def test_triples(weights, answer):
    if answer is None:
        with pytest.raises(InvalidInstanceError, match="weights"):
            ThreePartition(12, weights)
        return
    problem = ThreePartition(12, weights)
    image = TRIPLES.forward(problem)
    cost, groups = optimum(image)[0], optimum(image)[1]
    assert cost == image.k == 12
    assert len(TRIPLES.back(problem, groups)) == 2
    assert TRIPLES.back(problem, [range(6)]) is None
