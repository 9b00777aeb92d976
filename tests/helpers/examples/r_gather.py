from examples.shared import PLACES

from atleastk import RGather

INSTANCES = [
    RGather(r=2, points=PLACES, metric="manhattan"),
    RGather(r=2, points=PLACES, metric="manhattan", centres="member"),
    RGather(r=2, points=PLACES, metric="euclidean", centres="any", max_outliers=2),
    RGather(r=2, points=PLACES, metric="manhattan", max_clusters=2),
    RGather(r=1, points=PLACES, metric="manhattan", max_clusters=2),
    RGather(r=2, points=PLACES, metric="manhattan", max_clusters=2, max_outliers=1),
    RGather(r=7, points=PLACES, metric="manhattan"),
]
EMPTY = [
    RGather(r=r, points=[], metric="manhattan", centres=where)
    for r in (1, 3)
    for where in ("input", "member", "any")
]
