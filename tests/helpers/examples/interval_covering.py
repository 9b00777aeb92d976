from atleastk import IntervalCovering

INSTANCES = [
    IntervalCovering([4, 6, 6, 3, 6], 8),
    IntervalCovering([4, 6, 6, 3, 6], 8, "excess"),
    IntervalCovering([4, 6, 6, 3, 6], 8, "quadratic"),
    IntervalCovering([4, 6], 11),
]
EMPTY = [IntervalCovering([], 3, what) for what in ("max", "excess", "quadratic")]
