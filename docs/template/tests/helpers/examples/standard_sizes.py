"""Standard sizes: instances for the tests that hold of every problem."""

from atleastk.instances.standard_sizes import StandardSizes

INSTANCES = [
    StandardSizes([3, 9, 4, 8, 4], 2),
    StandardSizes([5, 1, 1, 1, 1, 1, 1, 1], 3),
    StandardSizes([3, 9, 4], 4),
]
"""A few of every variant; the last has no solution."""

EMPTY = [StandardSizes([], 3)]
"""Without items."""
