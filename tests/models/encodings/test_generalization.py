from dataclasses import replace

import pytest

from atleastk.instances.generalization import LOSSES
from atleastk.instances.generators.generalization import trees
from atleastk.models.encodings.generalization import agreement
from atleastk.models.encodings.suppressed_rows import suppressing_pair_model
from atleastk.models.generalization import check, solution_of_levels
from tests.helpers.copied import with_copies


def test_levels_of_agreement():
    instance = trees(1, n=6, k=1)
    agreed = agreement(instance, [0, 3, 5])
    for j, hierarchy in enumerate(instance.hierarchies):
        for a, first in enumerate([0, 3, 5]):
            for b, second in enumerate([0, 3, 5]):
                chains = [
                    hierarchy.chain_of[instance.table[i][j]] for i in (first, second)
                ]
                level = agreed[a, b, j]
                assert chains[0][level] == chains[1][level]
                assert not level or chains[0][level - 1] != chains[1][level - 1]


@pytest.mark.parametrize("loss", LOSSES)
def test_pairs_with_suppressed_rows_stand_for_nodes(loss):
    admitted = set()
    shape = {"n": 10, "m": 2, "values": 4, "height": 2, "k": 2}
    for seed in range(4):
        instance = trees(seed, **shape, on="attributes", loss=loss)
        alone = with_copies(replace(instance, suppress_rows=3))
        instance = alone.written_out
        encoding, by_copies = map(suppressing_pair_model, (instance, alone))
        for node in range(instance.nodes):
            levels = divmod(node, instance.heights[1] + 1)
            solution = solution_of_levels(instance, levels)
            verdict = check(instance, solution)
            values = encoding.encode(solution)
            assert encoding.model.admits(values) is verdict.feasible
            assert encoding.model.cost(values) == verdict.cost
            assert encoding.decode(values) == solution
            admitted.add((verdict.feasible, len(solution.suppressed_rows)))
            node_alone = by_copies.decode(values)
            assert (by_copies.encode(node_alone) == values).all()
            fewer = replace(solution, suppressed_rows=solution.suppressed_rows[1:])
            if fewer != solution:
                assert not encoding.model.admits(encoding.encode(fewer))
    assert {(True, 0), (True, 2), (False, 0)} <= admitted
