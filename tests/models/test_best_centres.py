import numpy as np
import pytest

from atleastk import CellularClustering
from atleastk.models.clustering import _places, best_centre, radii_about


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "great-circle"])
@pytest.mark.parametrize("fees", [None, 40, 90_000])
def test_best_centres_of_many_points_are_near(metric, fees):
    """Centres of groups that had none took n distances for each point."""
    rng = np.random.default_rng(1)
    points = rng.integers(0, 90, (2_100, 2))
    costs = None if fees is None else rng.integers(0, fees, 2_100).tolist()
    instance = CellularClustering(
        points=points.tolist(), metric=metric, r=2, facility_costs=costs
    )
    order = np.lexsort(points.T)
    for size in (1, 2, 5, 70, 400):
        group = order[300 : 300 + size]
        radii = radii_about(instance, group)
        prices = radii + 0 if fees is None else np.array(costs) + size * radii
        found = best_centre(instance, group, None if fees is None else np.array(costs))
        assert found == (prices.min(), prices.argmin())
    assert len(_places(instance, order[:5], None)) < 500
