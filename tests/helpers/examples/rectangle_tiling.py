from atleastk import RectangleTiling

POINTS = [[0, 0, 3], [1, 2, 1], [2, 1, 2], [3, 3, 4], [4, 0, 2]]
INSTANCES = [
    RectangleTiling(POINTS, 4),
    RectangleTiling(POINTS, 4, "points"),
    RectangleTiling(POINTS, 4, guillotine=True),
    RectangleTiling(POINTS, 13),
]
EMPTY = [
    RectangleTiling([], 3),
    RectangleTiling([], 3, "points"),
    RectangleTiling([], 3, guillotine=True),
]
