import numpy as np

from atleastk import ConnectedPartition
from atleastk.instances.generators.connected_partition import delaunay
from atleastk.models.certificates.connected_partition import open_windows
from atleastk.solvers.budget import Budget
from atleastk.solvers.connected_partition.component import components_of
from atleastk.solvers.connected_partition.connected_sets import connected_sets
from atleastk.solvers.connected_partition.cover_lp import CoverLp


def listed(component, window):
    sets = connected_sets(
        component, window.least, window.most, Budget.of(), 10**5, parts=window.parts
    )
    assert sets is not None
    return sets


def test_weights_refute_in_integers():
    instance = delaunay(0, n=60, parts=20)
    (component,) = components_of(instance)
    for window in open_windows(instance.weights, instance.k, 29):
        sets = listed(component, window)
        program = CoverLp(component.n, sets, window.parts)
        for _ in range(2):
            relaxed = program.solve(Budget.of())
            assert relaxed is not None
            assert relaxed.refuted is not None
            values = relaxed.refuted.values.tolist()
            sums = [sum(values[v] for v in sets.nodes(i)) for i in range(len(sets))]
            assert max(sums) <= relaxed.refuted.most
            assert sum(values) > window.parts * relaxed.refuted.most


def test_parts_that_are_not_allowed_have_no_share():
    path = ConnectedPartition([1] * 4, [(0, 1), (1, 2), (2, 3)], 1)
    (component,) = components_of(path)
    sets = connected_sets(component, 1, 3, Budget.of(), 100)
    assert sets is not None
    program = CoverLp(4, sets, 2)
    for banned in (None, [0, 1], [0], None):
        allowed = np.array([sets.nodes(i) != banned for i in range(len(sets))])
        relaxed = program.solve(Budget.of(), allowed)
        assert relaxed is not None
        assert relaxed.shares is not None
        assert not relaxed.shares[~allowed].any()
        assert relaxed.shares.sum() == 2
    nothing = np.array([3 not in sets.nodes(i) for i in range(len(sets))])
    relaxed = program.solve(Budget.of(), nothing)
    assert relaxed is not None
    assert relaxed.refuted is not None
