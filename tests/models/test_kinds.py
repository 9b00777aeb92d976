import random

from atleastk.models.kinds import Kinds


def test_kinds_are_ordered_and_complete():
    kinds = Kinds.of([3, 7, 3, 1, 7, 3])
    assert (kinds.values, kinds.demand) == ((7, 3, 1), (2, 3, 1))
    assert kinds.members == ((1, 4), (0, 2, 5), (3,))


def test_apart_keeps_every_item_its_own_kind_in_the_same_order():
    kinds = Kinds.apart([3, 7, 3])
    assert (kinds.values, kinds.members) == ((7, 3, 3), ((1,), (0,), (2,)))


def test_unmerge_inverts_merge_up_to_equal_items():
    rng = random.Random(0)
    for _ in range(200):
        sizes = [rng.randint(1, 4) for _ in range(rng.randint(1, 9))]
        kinds = Kinds.of(sizes)
        groups: list[list[int]] = [[] for _ in range(3)]
        for item in range(len(sizes)):
            rng.choice(groups).append(item)
        merged = kinds.merge(groups)
        apart = kinds.unmerge(merged)
        assert kinds.merge(apart) == merged
        assert sorted(item for group in apart for item in group) == list(
            range(len(sizes))
        )
