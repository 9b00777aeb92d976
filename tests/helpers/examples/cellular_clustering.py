from examples.shared import PLACES

from atleastk import CellularClustering

INSTANCES = [
    CellularClustering(r=2, points=PLACES, metric="manhattan"),
    CellularClustering(
        r=2, points=PLACES, metric="manhattan", facility_costs=[5, 4, 3, 2, 3, 4]
    ),
    CellularClustering(
        r=2, points=PLACES, metric="manhattan", centres="any", max_outliers=1
    ),
    CellularClustering(r=1, points=PLACES, metric="manhattan"),
    CellularClustering(r=2, points=PLACES, metric="manhattan", max_outliers=1),
    CellularClustering(r=7, points=PLACES, metric="manhattan"),
]
EMPTY = [
    CellularClustering(r=r, points=[], metric="manhattan", centres=where)
    for r in (1, 3)
    for where in ("input", "member", "any")
]
