from atleastk.instances.generators.generalization import trees
from atleastk.models.encodings.generalization import agreement


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
