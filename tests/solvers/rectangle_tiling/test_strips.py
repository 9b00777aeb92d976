import numpy as np
import pytest

from atleastk import IntervalCovering, RectangleTiling
from atleastk.models.rectangle_tiling import check
from atleastk.solvers.brute_force.interval_covering import optimum
from atleastk.solvers.rectangle_tiling import strips as strips_module
from atleastk.solvers.rectangle_tiling.strips import Strips


@pytest.mark.parametrize("seed", range(80))
def test_pieces_are_the_best_along_each_strip(seed, monkeypatch):
    """Against brute force on the places of every strip."""
    rng = np.random.default_rng(seed)
    points = rng.integers(0, 6, (rng.integers(2, 15), 3))
    points[0, 2] += 1
    k = int(rng.integers(1, 1 + points[:, 2].sum()))
    instance = RectangleTiling(points.tolist(), k)
    strips = Strips(instance, int(rng.integers(1, 4)))
    least = strips.least(1)
    with monkeypatch.context() as patched:
        patched.setattr(strips_module, "_FEW", 0)
        assert strips.least(1).tolist() == least.tolist()
    heaviest = 0
    for first, end in zip(strips.ends[:-1], strips.ends[1:], strict=True):
        sizes = np.diff(strips.sums[first : end + 1])
        covering = IntervalCovering(sizes[sizes > 0].tolist(), k)
        heaviest = max(heaviest, optimum(covering)[0])
    assert strips.heaviest(least) == heaviest
    verdict = check(instance, strips.tiling(least))
    assert (verdict.cost, verdict.violations) == (heaviest, ())
