from atleastk import ConnectedPartition

INSTANCES = [
    ConnectedPartition([3, 5, 2, 4, 6], [(0, 2), (2, 4), (4, 1), (1, 3)], 5),
    ConnectedPartition([3, 5, 2], [(0, 2)], 5),
    ConnectedPartition([3, 5, 2], [(0, 2)], 6),
]
EMPTY = [ConnectedPartition([], [], 3)]
